"""The revision reference in a real browser: search, comparison, deep links, phone and dark mode."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codegen.pin import SCHEMAS, load_all
from codegen.policy import read_toml
from codegen.reference import PAGE
from codegen.reference import page as built
from tests.browser.devtools import Page, browser, executable

PROGRAM = executable()
CONTRAST = """(() => {
  const light = (name) => {
    const probe = document.createElement("i");
    probe.style.color = `var(${name})`;
    document.body.append(probe);
    const parts = getComputedStyle(probe).color.match(/[0-9.]+/g).slice(0, 3).map((part) => part / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    probe.remove();
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const ratio = (one, other) => {
    const both = [light(one), light(other)].sort((a, b) => b - a);
    return (both[0] + 0.05) / (both[1] + 0.05);
  };
  return ["--ink", "--soft", "--link", "--on", "--bad"].map((name) =>
    Math.min(ratio(name, "--paper"), ratio(name, "--card")));
})()"""
"""The contrast of each text colour with the grounds it stands on."""
pytestmark = [
    pytest.mark.untraced,
    pytest.mark.skipif(PROGRAM is None, reason="no Chromium here (Debian: apt-get install chromium)"),
]


@pytest.fixture(scope="module")
def tab() -> Iterator[Page]:
    assert PROGRAM is not None
    with browser(PROGRAM) as page:
        yield page


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("reference") / PAGE.name
    file.write_bytes(built(load_all(), read_toml(SCHEMAS / "docs.toml"))[PAGE])
    return file.as_uri()


def visible(page: Page) -> list[str]:
    """The constructs on view, in the order they are shown."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('.cards article')].filter((card) => card.offsetParent)"
        ".sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top).map((card) => card.id)"
    )
    return found


def type_in(page: Page, text: str) -> None:
    page.evaluate("document.getElementById('q').select(), document.getElementById('q').focus(), null")
    page.call("Input.insertText", text=text)


def test_search_narrows_while_typing(tab: Page, address: str) -> None:
    tab.open(address)
    assert len(visible(tab)) > 150
    type_in(tab, "structuredcontent")
    assert visible(tab) == ["CallToolResult", "ToolResultContent"]
    assert tab.evaluate("document.querySelectorAll('tr.hit').length") == 2
    assert tab.evaluate("document.getElementById('hits').textContent") == "2 matches"


def test_search_puts_the_name_itself_first(tab: Page, address: str) -> None:
    tab.open(address)
    type_in(tab, "tool")
    assert visible(tab)[0] == "Tool"


def test_search_finds_a_method(tab: Page, address: str) -> None:
    tab.open(address)
    type_in(tab, "roots/list")
    assert "ListRootsRequest" in visible(tab)


def test_search_without_a_match_says_so(tab: Page, address: str) -> None:
    tab.open(address)
    type_in(tab, "no such thing")
    assert visible(tab) == []
    assert tab.evaluate("document.querySelector('.nothing').offsetParent !== null")


def test_a_search_is_an_address(tab: Page, address: str) -> None:
    tab.open(address + "#search=batch")
    assert set(visible(tab)) == {"JSONRPCBatchRequest", "JSONRPCBatchResponse"}


def test_filters_by_revision_and_kind(tab: Page, address: str) -> None:
    tab.open(address)
    tab.evaluate(
        "for (const [id, value] of [['only', '2025-03-26'], ['kind', 'frame']]) {"
        " const box = document.getElementById(id); box.value = value; box.dispatchEvent(new Event('change')); }"
    )
    assert "JSONRPCBatchRequest" in visible(tab)
    assert "JSONRPCErrorResponse" not in visible(tab)
    assert "Tool" not in visible(tab)


def test_a_deep_link_leads_to_the_field(tab: Page, address: str) -> None:
    tab.open(address + "#Tool.execution")
    row = tab.evaluate(
        "(() => { const box = document.getElementById('Tool.execution').getBoundingClientRect();"
        " return [box.top, box.bottom, innerHeight]; })()"
    )
    assert 0 < row[0] < row[1] < row[2]
    assert tab.evaluate("document.querySelector('tr:target').id") == "Tool.execution"
    assert tab.evaluate("document.querySelector('.index [aria-current]').dataset.for") == "Tool"


def test_a_deep_link_may_hold_any_member_name(tab: Page, address: str) -> None:
    tab.open(address + "#RequestMetaObject.io.modelcontextprotocol%2FclientInfo")
    assert (
        tab.evaluate("document.querySelector('tr:target').id") == "RequestMetaObject.io.modelcontextprotocol/clientInfo"
    )


def test_a_deep_link_shows_what_the_search_hid(tab: Page, address: str) -> None:
    tab.open(address)
    type_in(tab, "elicit")
    tab.evaluate("location.hash = '#Tool', null")
    tab.wait("document.getElementById('Tool').offsetParent !== null")
    assert tab.evaluate("document.getElementById('q').value") == ""


@pytest.mark.parametrize("hash_", ["#nothing.there", "#%E0%A4%A", "#hits"])
def test_a_link_to_nothing_shows_the_constructs(tab: Page, address: str, hash_: str) -> None:
    tab.open(address + hash_)
    assert tab.evaluate("document.body.dataset.view") == "constructs"


def test_compares_two_revisions(tab: Page, address: str) -> None:
    tab.open(address + "#compare=2025-06-18..2025-11-25")
    assert tab.evaluate("[document.getElementById('from').value, document.getElementById('to').value]") == [
        "2025-06-18",
        "2025-11-25",
    ]
    assert "2025-06-18 → 2025-11-25" in tab.evaluate("document.getElementById('headline').textContent")
    rows = tab.evaluate(
        "[...document.querySelectorAll('#result [data-definition=Tool] .change')].map((row) => row.innerText)"
    )
    assert any("execution" in row and "ToolExecution, optional" in row and "harmless" in row for row in rows)


def test_the_comparison_follows_the_choice(tab: Page, address: str) -> None:
    tab.open(address + "#compare")
    assert "2025-11-25 → 2026-07-28" in tab.evaluate("document.getElementById('headline').textContent")
    tab.evaluate(
        "(() => { const box = document.getElementById('from'); box.value = '2024-11-05';"
        " box.dispatchEvent(new Event('change')); })()"
    )
    assert tab.evaluate("location.hash") == "#compare=2024-11-05..2026-07-28"
    assert "2024-11-05 → 2026-07-28" in tab.evaluate("document.getElementById('headline').textContent")


def test_the_comparison_reads_from_old_to_new(tab: Page, address: str) -> None:
    tab.open(address + "#compare=2025-11-25..2025-06-18")
    assert "2025-06-18 → 2025-11-25" in tab.evaluate("document.getElementById('headline').textContent")


def test_a_revision_is_not_compared_with_itself(tab: Page, address: str) -> None:
    tab.open(address + "#compare=2025-11-25..2025-11-25")
    assert "two different" in tab.evaluate("document.getElementById('headline').textContent")


def test_the_comparison_narrows_to_what_breaks(tab: Page, address: str) -> None:
    tab.open(address + "#compare=2025-06-18..2025-11-25")
    tab.evaluate(
        "(() => { const box = document.getElementById('breaks'); box.value = 'receivers';"
        " box.dispatchEvent(new Event('change')); })()"
    )
    tags = tab.evaluate("[...document.querySelectorAll('#result .change > .tag')].map((tag) => tag.textContent)")
    assert tags
    assert all("receivers" in tag for tag in tags)


def test_a_column_of_the_drawing_leads_to_its_comparison(tab: Page, address: str) -> None:
    tab.open(address + "#drawing")
    tab.evaluate(
        "document.querySelector('#drawing svg a').dispatchEvent(new MouseEvent('click', {bubbles: true})), null"
    )
    tab.wait("document.body.dataset.view === 'compare'")
    assert "2024-11-05 → 2025-03-26" in tab.evaluate("document.getElementById('headline').textContent")


@pytest.mark.parametrize("hash_", ["#Tool", "#methods", "#compare=2025-11-25..2026-07-28", "#drawing"])
def test_nothing_is_wider_than_a_phone(tab: Page, address: str, hash_: str) -> None:
    tab.call("Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=1, mobile=True)
    try:
        tab.open(address + hash_)
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360
    finally:
        tab.call("Emulation.clearDeviceMetricsOverride")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(tab: Page, address: str, scheme: str) -> None:
    tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    tab.open(address)
    contrast = tab.evaluate(CONTRAST)
    assert min(contrast) >= 4.5, contrast


def test_the_page_asks_for_nothing_else(tab: Page, address: str) -> None:
    tab.open(address)
    assert tab.evaluate("performance.getEntriesByType('resource').length") == 0

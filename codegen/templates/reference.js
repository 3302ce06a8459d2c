"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const pairs = JSON.parse($("pairs").textContent);
  const revisions = [...$("from").options].map((option) => option.value);
  const cards = [...document.querySelectorAll(".cards article")];
  const index = new Map([...document.querySelectorAll(".index a")].map((a) => [a.dataset.for, a]));
  const names = new Set(cards.map((card) => card.id));
  const words = new Map(cards.map((card) => [card,
    [...card.querySelectorAll("h2 a, .method, .field, .spell code")].map((part) => part.textContent).join(" ").toLowerCase()]));
  const parties = { users: "our users", senders: "senders", receivers: "receivers" };

  const element = (tag, className, text) => {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return made;
  };
  const link = (name, text) => {
    if (!names.has(name)) return element("span", "", text || name);
    const made = element("a", "", text || name);
    made.href = "#" + name;
    return made;
  };

  const rank = (name, asked) => {
    const lower = name.toLowerCase();
    return lower === asked.join("") ? 0 : asked.some((word) => lower.startsWith(word)) ? 1 : asked.every((word) => lower.includes(word)) ? 2 : 3;
  };

  const search = () => {
    const asked = $("q").value.toLowerCase().split(/\s+/).filter(Boolean);
    const only = $("only").value;
    const kind = $("kind").value;
    let hits = 0;
    for (const card of cards) {
      const shown = asked.every((word) => words.get(card).includes(word))
        && (!only || card.dataset.has.includes(only)) && (!kind || card.dataset.kind === kind);
      card.hidden = !shown;
      const place = asked.length ? rank(card.id, asked) : 0;
      card.style.order = place;
      index.get(card.id).hidden = !shown;
      for (const row of card.querySelectorAll("tr[id]")) {
        const path = row.id.slice(card.id.length + 1).toLowerCase();
        row.classList.toggle("hit", shown && asked.some((word) => word.length > 1 && path.includes(word)));
      }
      hits += shown;
    }
    const narrowed = asked.length || only || kind;
    $("hits").textContent = narrowed ? hits + (hits === 1 ? " match" : " matches") : "";
    document.querySelector(".nothing").hidden = hits > 0;
  };

  const list = (title, rows, side) => {
    const card = element("article");
    card.append(element("h2", "", title + " (" + rows.length + ")"));
    const items = element("ul", "names");
    for (const row of rows) {
      const item = element("li");
      item.append(link(row[side], row[side]));
      items.append(item);
    }
    card.append(items);
    return card;
  };

  const block = (definition, rows, chosen) => {
    const card = element("article");
    card.dataset.definition = definition;
    const title = element("h2");
    title.append(link(definition));
    const heads = element("div", "heads");
    heads.append(title, element("span", "tag", chosen[0]), element("span", "tag", chosen[1]));
    card.append(heads);
    for (const [kind, , member, left, right, breaks] of rows) {
      const row = element("div", "change");
      row.dataset.kind = kind;
      const label = element("span");
      label.append(element("span", "field", member), element("span", "tag", kind));
      const tag = breaks.length ? "breaks " + breaks.map((party) => parties[party]).join(", ") : "harmless";
      row.append(label, element("span", "old", left), element("span", "new", right), element("span", "tag" + (breaks.length ? " bad" : ""), tag));
      card.append(row);
    }
    return card;
  };

  const compare = () => {
    const chosen = [$("from").value, $("to").value].sort((a, b) => revisions.indexOf(a) - revisions.indexOf(b));
    const result = $("result");
    result.replaceChildren();
    if (chosen[0] === chosen[1]) {
      $("headline").textContent = "Choose two different revisions.";
      return;
    }
    const pair = pairs[chosen.join("..")];
    $("headline").textContent = chosen.join(" → ") + ": " + pair.headline;
    const wanted = $("breaks").value;
    const rows = pair.rows.filter(([, , , , , breaks]) =>
      !wanted || (wanted === "none" ? !breaks.length : wanted === "any" ? breaks.length : breaks.includes(wanted)));
    const gone = rows.filter((row) => row[0] === "definition removed");
    const added = rows.filter((row) => row[0] === "definition added");
    const groups = new Map();
    for (const row of rows) {
      if (row[0] === "definition removed" || row[0] === "definition added") continue;
      if (!groups.has(row[1])) groups.set(row[1], []);
      groups.get(row[1]).push(row);
    }
    if (gone.length) result.append(list("Definitions removed", gone, 1));
    for (const [definition, changes] of groups) result.append(block(definition, changes, chosen));
    if (added.length) result.append(list("Definitions added", added, 1));
    if (!rows.length) result.append(element("p", "nothing", "Nothing of that sort between these two."));
  };

  const show = (view) => {
    document.body.dataset.view = view;
    for (const tab of document.querySelectorAll("[data-tab]")) {
      if (tab.dataset.tab === view) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    }
  };

  const reveal = (target) => {
    const card = target.closest("article");
    if (card.hidden) {
      for (const id of ["q", "only", "kind"]) $(id).value = "";
      search();
    }
    for (const a of index.values()) a.removeAttribute("aria-current");
    const entry = index.get(card.id);
    entry.setAttribute("aria-current", "true");
    const panel = entry.parentElement;
    panel.scrollTop = entry.offsetTop - panel.offsetTop - panel.clientHeight / 2;
    target.scrollIntoView({ block: "start" });
  };

  const route = () => {
    let hash = location.hash.slice(1);
    try { hash = decodeURIComponent(hash); } catch { /* an address typed by hand */ }
    const [key, value] = [hash.split("=", 1)[0], hash.slice(hash.indexOf("=") + 1)];
    if (key === "compare") {
      const [from, to] = hash.includes("=") ? value.split("..") : [];
      if (revisions.includes(from) && revisions.includes(to)) {
        $("from").value = from;
        $("to").value = to;
      }
      show("compare");
      compare();
      window.scrollTo(0, 0);
    } else if (key === "search" && hash.includes("=")) {
      $("q").value = value;
      show("constructs");
      search();
    } else if (["methods", "drawing"].includes(hash)) {
      show(hash);
      window.scrollTo(0, 0);
    } else {
      show("constructs");
      const target = hash ? $(hash) : null;
      if (target && target.closest(".cards")) reveal(target);
      else window.scrollTo(0, 0);
    }
  };

  $("q").addEventListener("input", () => {
    if (document.body.dataset.view !== "constructs") history.replaceState(null, "", "#constructs");
    show("constructs");
    search();
    window.scrollTo(0, 0);
  });
  for (const id of ["only", "kind"]) $(id).addEventListener("change", search);
  for (const id of ["from", "to"]) $(id).addEventListener("change", () => {
    history.replaceState(null, "", "#compare=" + $("from").value + ".." + $("to").value);
    compare();
  });
  $("breaks").addEventListener("change", compare);
  $("pair").addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|SELECT)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      $("q").focus();
    }
  });
  window.addEventListener("hashchange", route);
  $("from").value = revisions[revisions.length - 2] ?? revisions[0];
  $("to").value = revisions[revisions.length - 1];
  route();
})();

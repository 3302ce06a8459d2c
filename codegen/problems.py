"""The one error of the pipeline: a line that says where, what, and which policy line decides it."""

from __future__ import annotations


class Problem(Exception):
    """Something the pipeline cannot decide alone. Its text is the one line shown to the user.

    `where` is a revision or file, `pointer` a JSON Pointer into it (may be empty), `what` what is wrong or
    undecided, `fix` the exact policy line, or the command, that would settle it (may be empty).
    """

    def __init__(self, where: str, pointer: str, what: str, fix: str = "") -> None:
        self.where, self.pointer, self.what, self.fix = where, pointer, what, fix
        place = f"{where}#{pointer}" if pointer else where
        line = f"{place}: {what}" + (f" -> {fix}" if fix else "")
        super().__init__(" ".join(line.split()))

"""The mutants of the guard's list: edits of our own emitted loader, each unsafe in one way.

They stand in internal/audit/testdata/reject, a file for each rule.  An edit there
replaces the text between <<<< and ==== by what follows up to >>>>, once.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REJECT = ROOT / "internal" / "audit" / "testdata" / "reject"

MEMBER = re.compile(r"^-- (.+) --\n", re.M)
EDIT = re.compile(r"^<<<<\n(.*?)\n?^====\n(.*?)\n?^>>>>\n", re.M | re.S)


class BrokenMutant(Exception):
    """A mutant's text that is not found in the emitted loader once."""


def edits() -> dict[str, list[tuple[str, str]]]:
    """{"rule/name": [(old, new)]} of all mutants."""
    found = {}
    for path in sorted(REJECT.glob("*.txtar")):
        _, *parts = MEMBER.split(path.read_text())
        for name, body in zip(parts[::2], parts[1::2]):
            found[f"{path.stem}/{name}"] = EDIT.findall(body)
    assert found, f"no mutants in {REJECT}"
    return found


def apply(name: str, text: str, changes: list[tuple[str, str]]) -> str:
    if not changes:
        raise BrokenMutant(f"{name}: no edits")
    for old, new in changes:
        if text.count(old) != 1:
            raise BrokenMutant(f"{name}: expected once in the emitted loader, found {text.count(old)} times:\n{old}")
        text = text.replace(old, new)
    return text

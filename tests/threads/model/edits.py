"""The mutants of the protocol and what is expected of the checkers: mutants.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
LITMUS, RELACY = HERE / "publish_once.litmus", HERE / "publish_once.hpp"
PROTOCOL = "publish_once"  # the entry that is no mutant

Edits = list[list[str]]


class BrokenEdit(Exception):
    """An edit whose text is not there."""


@dataclass(frozen=True)
class Case:
    """The protocol, or a mutant of it."""

    name: str
    texts: dict[str, Edits]  # what is edited: herd, reader, start, relacy
    says: dict[str, str]  # what a checker is expected to say: herd, relacy
    at_least: dict[str, int]  # executions
    controls: tuple[str, ...]

    def runs_in(self, checker: str) -> bool:
        return checker in self.says


def cases() -> list[Case]:
    found = []
    for name, entry in tomllib.loads((HERE / "mutants.toml").read_text()).items():
        pick = {end: {checker: entry.pop(f"{checker}-{end}") for checker in ("herd", "relacy") if f"{checker}-{end}" in entry}
                for end in ("says", "at-least")}
        controls = tuple(entry.pop("controls", ()))
        found.append(Case(name, entry, pick["says"], pick["at-least"], controls))
        assert entry.keys() <= {"herd", "reader", "start", "relacy"}, f"mutants.toml: {name}: {sorted(entry)}"
    return found


def edited(name: str, text: str, edits: Edits, once: bool = False) -> str:
    for old, new in edits:
        if old not in text or (once and text.count(old) != 1):
            raise BrokenEdit(f"{name}: found {text.count(old)} times, expected {'once' if once else 'once or more'}:\n{old}")
        text = text.replace(old, new)
    return text

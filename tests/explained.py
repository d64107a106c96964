"""Differences from the published packages, and warnings, that are known and explained.

data/explained.json lists them; a test fails for a difference that is not listed,
and for an entry that no longer is one.  Every reason is one of a closed set.
"""

import json
import re
from pathlib import Path

EXPLAINED = json.loads((Path(__file__).resolve().parent / "data" / "explained.json").read_text())

CAPI_REASONS = {
    "superseded": "an older symbol that the published package no longer binds; it keeps its symbol name",
    "newer": "declared by a release of the range after the published package was made",
    "type-name": "the same C type under another name",
    "unpublished": "the headers of the range declare it; the published package leaves it out",
}
REQUEST_REASONS = {
    "typedef-version": "ours is the version that the release's *Typedefs.h name for the symbol; the published one is "
                       "newer, which the driver answers alike, or older, with which it need not be found",
}
CONSTANT_REASONS = {
    "header-value": "ours is the value that the headers give; the published .pxd has another",
}
WARNING_REASONS = {
    "cython": "in code that Cython emits for every module; nothing in the .pyx can avoid it",
    "header": "about a declaration of the CUDA headers, which are not ours to change",
}


def by_kind(published, ours):
    """{(kind, name): (published value or None, our value or None)} for what is missing, more or different."""
    found = {}
    for name in published.keys() | ours.keys():
        old, new = published.get(name), ours.get(name)
        if old != new:
            kind = "missing" if new is None else "more" if old is None else "different"
            found[kind, name] = (old, new)
    return found


def listed(section, package):
    """The explained differences of one package: {(kind, name): reason}."""
    reasons = {"capi": CAPI_REASONS, "requests": REQUEST_REASONS, "constants": CONSTANT_REASONS}[section]
    entries = EXPLAINED[section][package]
    for entry in entries:
        if entry["reason"] not in reasons:
            raise ValueError(f"explained.json: {section} {package} {entry['name']}: reason {entry['reason']!r} "
                             f"is none of {', '.join(reasons)}")
        if entry["kind"] == "missing":
            raise ValueError(f"explained.json: {entry['name']}: a missing name cannot be explained away")
    return {(entry["kind"], entry["name"]): entry["reason"] for entry in entries}


def expected(section, package):
    """The same with values: {(kind, name): (published, ours)}."""
    return {(entry["kind"], entry["name"]): (entry.get("published"), entry.get("ours"))
            for entry in EXPLAINED[section][package] if listed(section, package)}


def unexplained(warnings, used=None):
    """The warnings that no entry explains; the entries that explain one are added to `used`."""
    left = []
    for warning in warnings:
        for index, entry in enumerate(EXPLAINED["warnings"]):
            if entry["reason"] not in WARNING_REASONS:
                raise ValueError(f"explained.json: warnings: reason {entry['reason']!r} is none of {', '.join(WARNING_REASONS)}")
            if entry["flag"] == warning.flag and re.fullmatch(entry["text"], warning.text):
                if used is not None:
                    used.add(index)
                break
        else:
            left.append(warning)
    return left

"""The tables of docs/thread-safety.md, made from what the tests said.

    python tests/threads/run.py --table threads.json
    python tests/threads/model/run_model.py --table model.json
    python tests/threads/document.py threads.json model.json    # keeps the results, writes the tables
    python tests/threads/document.py                            # writes the tables from the kept results

The results are kept in results.json, without what differs from run to run but the
counts.  A test holds the page against them and them against controls.toml.
"""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results.json"
CONTROLS = HERE / "controls.toml"
PAGE = HERE.parents[1] / "docs" / "thread-safety.md"

BEGIN, END = "<!-- table {}, written by tests/threads/document.py -->", "<!-- end of table -->"
HOW = {"sanitizer": "ThreadSanitizer", "value": "wrong value, crash or hang", "gil": "the GIL came back", "leak": "LeakSanitizer",
       "model": "model checkers", "text": "the text check alone"}


def kept(threads: dict, model: list[dict]) -> dict:
    """What is committed of two runs' results."""
    failed = [row["name"] for row in threads["results"] if not row["ok"]] + [row["subject"] for row in model if not row["ok"]]
    if failed:
        raise SystemExit(f"document: these failed, and are no results to write down: {', '.join(failed)}")
    return {
        # Where an interpreter came from, and how long that took, is that machine's.
        "interpreters": {kind: re.sub(r" \(.*\)$", "", text) for kind, text in threads["interpreters"].items()},
        "threads": [{key: row[key] for key in ("group", "name", "on", "seen", "trials")} for row in threads["results"]],
        "model": [{key: row[key] for key in ("checker", "subject", "executions", "says")} for row in model],
    }


def written(results: dict) -> str:
    """The results as they are committed: a row a line."""
    lines = [f' "interpreters": {json.dumps(results["interpreters"])}']
    for part in ("threads", "model"):
        rows = ",\n".join(f"  {json.dumps(row)}" for row in results[part])
        lines.append(f' "{part}": [\n{rows}\n ]')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def table(head: tuple[str, ...], rows: list[tuple]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def across(rows: list[dict], cell, first: str) -> str:
    """A table with a column for each interpreter."""
    columns = sorted({row["on"] for row in rows})
    names = list(dict.fromkeys(row["name"] for row in rows))
    found = {(row["name"], row["on"]): cell(row) for row in rows}
    return table((first, *columns), [(name, *(found.get((name, column), "") for column in columns)) for name in sorted(names)])


def count(row: dict) -> str:
    return f"{row['seen']} of {row['trials']}"


def races(results: dict) -> str:
    """Bad trials of the emitted modules, and of the published loader."""
    return across([row for row in results["threads"] if row["group"] in ("races", "published")], count, "trials in which something was seen")


def contract(results: dict) -> str:
    """Scenarios: ours, and with a lock where that is the control."""
    rows = [row for row in results["threads"] if row["group"] in ("contract", "contract-locked", "imports", "leaks")]
    return across(rows, count, "runs that went wrong")


def controls(results: dict) -> str:
    """Each mutant: how it is seen, said beforehand, and how often it was."""
    seen: dict[str, list[dict]] = {}
    for row in results["threads"]:
        if row["group"] == "control":
            seen.setdefault(row["name"].removeprefix("leak: "), []).append(row)
    rows = []
    for rule, entries in tomllib.loads(CONTROLS.read_text()).items():
        for name, entry in entries.items():
            counts = "; ".join(f"{count(row)} ({row['on']})" for row in seen.get(f"{rule}/{name}", ()))
            rows.append((rule, name, HOW[entry["by"]], counts or entry.get("why", "")))
    return table(("what is wrong", "edit", "seen by", "seen in, or why not run"), rows)


def by_kind(results: dict) -> str:
    """How many mutants there are of each way to see them."""
    ways = [entry["by"] for entries in tomllib.loads(CONTROLS.read_text()).values() for entry in entries.values()]
    return table(("seen by", "edits"), [(words, ways.count(way)) for way, words in HOW.items()] + [("all", len(ways))])


def model(results: dict) -> str:
    """What the model checkers say of the protocol and of its mutants."""
    return table(("checker", "protocol or mutant", "executions", "says"),
                 [(row["checker"], row["subject"], f"{row['executions']:,}", row["says"]) for row in results["model"]])


TABLES = {"races": races, "contract": contract, "by kind": by_kind, "controls": controls, "model": model}


def filled(page: str, results: dict) -> str:
    """The page with its tables."""
    for name, make in TABLES.items():
        begin = BEGIN.format(name)
        if page.count(begin) != 1:
            raise SystemExit(f"document: expected {begin} once in {PAGE.name}, found {page.count(begin)}")
        before, rest = page.split(begin)
        if END not in rest:
            raise SystemExit(f"document: {begin} has no {END} below it")
        page = f"{before}{begin}\n\n{make(results)}\n\n{END}{rest.split(END, 1)[1]}"
    return page


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the tables of docs/thread-safety.md.")
    parser.add_argument("results", nargs="*", type=Path, metavar="THREADS MODEL", help="what `run.py --table` and `run_model.py --table` wrote")
    options = parser.parse_args()
    if len(options.results) not in (0, 2):
        parser.error("expected two files, of run.py and of model/run_model.py, or none")
    if options.results:
        threads, model = (json.loads(path.read_text()) for path in options.results)
        RESULTS.write_text(written(kept(threads, model)))
    PAGE.write_text(filled(PAGE.read_text(), json.loads(RESULTS.read_text())))


if __name__ == "__main__":
    main()

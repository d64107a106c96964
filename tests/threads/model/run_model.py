"""The publication protocol under model checkers, and whether the loader still says what they checked.

    python tests/threads/model/run_model.py            # all of it
    python tests/threads/model/run_model.py --forms    # only whether the texts say the same: no checker is needed
    python tests/threads/model/run_model.py --table FILE    # write the results as JSON, too

Exit 1 if the template, an emitted loader, the litmus test or what Relacy is given say
different things, if an edit of one of them goes unnoticed, or if a checker says something
else than mutants.toml expects.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parent), str(HERE)]

import compilers
import edits
import herd
import protocol
import relacy
import tools

TEMPLATE = ROOT / "templates" / "loader.pyx.tmpl"
EMITTED = Path(os.environ.get("CYBINDGO_GENERATED", ROOT / "generated"))
CONTROLS = HERE.parent / "controls.toml"


@dataclass(frozen=True)
class Row:
    checker: str
    subject: str
    executions: int
    says: str
    expected: str
    seconds: float
    ok: bool


def forms() -> Iterator[tuple[str, list[str]]]:
    """(what was compared, the differences found) of each text with the litmus test."""
    litmus = protocol.of_litmus(edits.LITMUS.read_text())
    yield "what Relacy is given", protocol.differences(protocol.of_relacy(edits.RELACY.read_text()), litmus)
    emitted = sorted(EMITTED.glob("*/cuda/bindings/_internal/*_linux.pyx")) + sorted(EMITTED.glob("*/cuda/bindings/_internal/*_windows.pyx"))
    for path in (TEMPLATE, *emitted):
        name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name
        yield name, protocol.differences(protocol.of_loader(path.read_text()), litmus)
    if not emitted:
        yield "emitted loaders", [f"none below {EMITTED}: run `go run ./cmd/cybindgo generate`"]


def planted() -> Iterator[tuple[str, bool]]:
    """(an edit of one text, whether it was noticed)."""
    texts = {"loader": (TEMPLATE, protocol.of_loader), "litmus": (edits.LITMUS, protocol.of_litmus), "relacy": (edits.RELACY, protocol.of_relacy)}
    same = protocol.of_litmus(edits.LITMUS.read_text())
    for kind, changes in tomllib.loads((HERE / "drift.toml").read_text()).items():
        path, form = texts[kind]
        for name, change in changes.items():
            text = edits.edited(f"{kind}: {name}", path.read_text(), [change], once=True)
            try:
                if kind == "litmus":
                    herd.parts(text)
                noticed = bool(protocol.differences(form(text), same))
            except (protocol.Unreadable, AssertionError):
                noticed = True
            yield f"{kind}: {name}", noticed


def compare() -> bool:
    """Whether all texts say the same and every planted edit is noticed; prints what is not so."""
    good = True
    for name, found in forms():
        print(f"{'FAIL' if found else 'ok  '} {name} says what the litmus test says")
        for difference in found:
            print(f"     {difference}")
        good = good and not found
    results = list(planted())
    missed = [name for name, noticed in results if not noticed]
    print(f"{'FAIL' if missed else 'ok  '} planted edits: {len(results) - len(missed)} of {len(results)} noticed" + "".join(f"\n     not noticed: {name}" for name in missed))
    return good and not missed


def controls() -> bool:
    """Whether the loader's mutants that are left to the model checkers are refuted here."""
    wanted = {f"{rule}/{name}" for rule, entries in tomllib.loads(CONTROLS.read_text()).items() for name, entry in entries.items() if entry["by"] == "model"}
    have = {name for case in edits.cases() for name in case.controls}
    print(f"{'ok  ' if wanted == have else 'FAIL'} controls that {CONTROLS.name} leaves to the model checkers: {len(wanted & have)} of {len(wanted)}")
    for name in sorted(wanted ^ have):
        print(f"     {name}: {'no mutant in mutants.toml stands for it' if name in wanted else 'is not left to the model checkers'}")
    return wanted == have


def check(checker: str, case: edits.Case, work: Callable[[], tuple[str, int]]) -> Row:
    started, expected, least = time.monotonic(), case.says[checker], case.at_least.get(checker, 0)
    try:
        says, executions = work()
    except Exception as problem:  # a time limit, an edit that does not fit: a row of the table, too
        says, executions = f"failed: {type(problem).__name__}: {problem}", 0
    ok = says == expected and executions >= max(least, 1)
    wanted = expected + (f", {least:,} executions or more" if least and not ok else "")
    return Row("herd7, RC11" if checker == "herd" else "Relacy", case.name, executions, says, wanted, time.monotonic() - started, ok)


def model_check(workers: int, scratch: Path) -> list[Row]:
    herd7, include = tools.herd7(), tools.relacy()
    cases = edits.cases()
    for_relacy = [case for case in cases if case.runs_in("relacy")]
    cxx = next((compiler.cxx for compiler in compilers.system()), None) or compilers.zig().cxx
    print(f"{herd7}; {include}; {cxx[0]}", flush=True)

    with ThreadPoolExecutor(workers) as pool:
        compiled = pool.submit(relacy.compile, cxx, include.path, for_relacy, scratch)
        rows = [pool.submit(check, "herd", case, lambda case=case: herd.run(herd7.path, case)) for case in cases if case.runs_in("herd")]
        program = compiled.result()
        rows += [pool.submit(check, "relacy", case, lambda number=number: relacy.run(program, number)) for number, case in enumerate(for_relacy)]
        return [row.result() for row in rows]


def show(rows: list[Row]) -> None:
    print(f"     {'checker':<12} {'protocol or mutant':<36} {'executions':>11} {'seconds':>8}  verdict")
    for row in rows:
        verdict = row.says if row.ok else f"{row.says}; EXPECTED {row.expected}"
        print(f"{'ok  ' if row.ok else 'FAIL'} {row.checker:<12} {row.subject:<36} {row.executions:>11,} {row.seconds:>8.1f}  {verdict}")


def main() -> None:
    parser = argparse.ArgumentParser(description="The publication protocol under model checkers.")
    parser.add_argument("--forms", action="store_true", help="only whether the texts say the same")
    parser.add_argument("--table", type=Path, help="write the results as JSON")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    os.nice(10)
    started = time.monotonic()
    good = compare() & controls()
    if options.forms:
        sys.exit(not good)
    with tempfile.TemporaryDirectory() as scratch:
        rows = model_check(options.workers, Path(scratch))
    show(rows)
    failed = sum(not row.ok for row in rows) + (not good)
    print(f"{len(rows)} checks, {failed} failed, {time.monotonic() - started:.0f} s")
    if options.table:
        options.table.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()

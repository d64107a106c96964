"""The tests of thread safety, all of them: `make test-threads`.

    python tests/threads/run.py                     # the sizes of continuous integration
    python tests/threads/run.py --soak              # 10,000 trials without a sanitizer: `make soak`
    python tests/threads/run.py --only 'fork|relaxed'
    python tests/threads/run.py --interpreter python3.13   # what needs no sanitizer, on this one

Run it in the environment of `make test-python`.  Each line of the output is a test: how
many trials, in how many of them something was seen, and whether that is as it should be.
Exit 1 if one is not.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import compilers
import conftest
import contract
import controls
import interpreters
import leaks
import mutants
import races
import scenario_names
from controls import Result
from interpreters import Interpreter
from modules import Workshop
from trials import KINDS

TRIALS = 200  # under the sanitizer, of each kind
PLAIN = 40  # without, of each kind and subject
SOAK = 10_000  # in all
TELL_S = 30  # between lines that say how far it is


@dataclass(frozen=True)
class Job:
    group: str  # a section of the results
    name: str
    on: Interpreter
    work: Callable[[], Result]

    def run(self) -> Result:
        try:
            result = self.work()
        except Exception as problem:
            result = Result(self.name, False, 0, 0, f"{type(problem).__name__}: {problem}")
        return replace(result, group=self.group, on=self.on.short())


def chunks(trials: int, first: int = 0) -> list[range]:
    return [range(start, min(start + races.CHUNK, first + trials)) for start in range(first, first + trials, races.CHUNK)]


def sanitizer_jobs(tsan: Interpreter, scratch: Path) -> Iterator[Job]:
    """What ThreadSanitizer sees: nothing in ours, the published loader, the mutants."""
    shop = Workshop(tsan)
    yield Job("published", "published", tsan, lambda: races.known_bad(tsan, lambda: races.published(shop, scratch / "published"), "inspectors"))
    for kind in KINDS:
        for seeds in chunks(TRIALS):
            yield Job("races", f"sanitized {kind}", tsan, lambda kind=kind, seeds=seeds: races.sanitized(tsan, lambda: races.driver(shop), kind, seeds))
    plans = {}
    for control in controls.table():
        if control.by == "sanitizer":
            yield Job("control", f"control {control.name}", tsan, lambda control=control: controls.by_sanitizer(tsan, control.name, control.plan(controls.subject(shop, control))))
            if not control.own:
                plans.setdefault((control.kinds, control.language, control.function), control)
    for control in plans.values():
        yield Job("as-control", f"ours {control.name}", tsan, lambda control=control: controls.silent_on_ours(tsan, shop.demo(language=control.language), control))
    yield Job("races", "64 threads", tsan, lambda: races.many_threads(tsan, shop.found))


def plain_jobs(python: Interpreter, soak: bool) -> Iterator[Job]:
    """What needs no sanitizer: races whose every value is checked, and the contract."""
    shop = Workshop(python)
    for name in scenario_names.NAMES:
        yield Job("contract", f"contract {name}", python, lambda name=name: contract.run(python, shop.found(), name))
        if name in contract.NEED_NO_LOCK:
            yield Job("contract-locked", f"contract {name} with a lock", python, lambda name=name: contract.fails(python, shop, name))
    yield Job("races", "64 threads", python, lambda: races.many_threads(python, shop.found))
    subjects = (shop.demo, shop.found, lambda: races.driver(shop))
    each = -(-SOAK // (len(subjects) * len(KINDS))) if soak else PLAIN
    for make in subjects:
        for kind in KINDS:
            for seeds in chunks(each, 1000):
                yield Job("races", f"plain {kind}", python, lambda make=make, kind=kind, seeds=seeds: races.plain(python, make, kind, seeds))


def value_jobs(python: Interpreter) -> Iterator[Job]:
    """Mutants that end badly, whatever watches."""
    shop, plans = Workshop(python), {}
    for control in controls.table():
        judge = {"value": controls.by_value, "gil": controls.by_gil}.get(control.by)
        if judge is None or (control.by == "gil" and not python.free_threaded):
            continue
        yield Job("control", f"control {control.name}", python, lambda control=control, judge=judge: judge(python, controls.subject(shop, control), control))
        if not control.own:
            key = (control.kinds, control.language, control.function, control.missing, control.without, *sorted(control.wants.items()))
            plans.setdefault(key, control)
    for control in plans.values():
        yield Job("as-control", f"ours {control.name}", python, lambda control=control: controls.silent_on_ours(python, shop.demo(language=control.language), control))


def import_jobs(python: Interpreter) -> Iterator[Job]:
    """No emitted module switches the GIL on."""
    shop = Workshop(python)
    for target in conftest.TARGETS:
        for language in ("c", "c++"):
            yield Job("imports", f"import {target.tree.name} {language}", python,
                      lambda target=target, language=language: races.imports(python, shop, target, language))


def leak_jobs(python: Interpreter) -> Iterator[Job]:
    """Allocation failures, on an interpreter with the GIL."""
    shop = Workshop(python)
    yield Job("leaks", "leaks ours", python, lambda: leaks.ours(python, shop.found()))
    for name, (changes, call, fail) in leaks.LEAKS.items():
        yield Job("control", f"leak {name}", python, lambda name=name, changes=changes, call=call, fail=fail: leaks.control(python, shop, name, changes, call, fail))
    for control in controls.table():
        if control.by == "leak":
            call, changes = leaks.SHOWN_BY.get(control.name, "reenter"), mutants.edits()[control.name]
            yield Job("control", f"leak {control.name}", python, lambda control=control, call=call, changes=changes: leaks.control(
                python, shop, control.name, changes, call, False, control.language))


def merged(results: list[Result]) -> list[Result]:
    """One result for the parts of a test."""
    found: dict[tuple[str, str, str], Result] = {}
    for result in results:
        key = (result.group, result.on, result.name)
        before = found.get(key)
        if before is not None:
            result = replace(result, ok=result.ok and before.ok, seen=result.seen + before.seen, trials=result.trials + before.trials,
                             detail="; ".join(filter(None, (before.detail, result.detail)))[:4000])
        found[key] = result
    return list(found.values())


def perform(jobs: list[Job], workers: int) -> list[Result]:
    results, told = [], time.monotonic()
    with ThreadPoolExecutor(workers) as pool:
        for done in as_completed([pool.submit(job.run) for job in jobs]):
            results.append(done.result())
            if not results[-1].ok:
                show(results[-1])
            if time.monotonic() - told > TELL_S:
                told = time.monotonic()
                print(f"{len(results)} of {len(jobs)} jobs", file=sys.stderr, flush=True)
    return merged(results)


def show(result: Result) -> None:
    print(f"{'ok  ' if result.ok else 'FAIL'} {result.name}, {result.on}: {result.seen} of {result.trials}" + (f"\n     {result.detail}" if not result.ok else ""), flush=True)


def all_jobs(soak: bool, scratch: Path) -> tuple[dict[str, Interpreter], list[Job]]:
    """Everything, and what it runs on: the sanitizer's interpreter, a free-threaded one, one
    with the GIL of the same age, and the one that runs this, which is as old as is supported."""
    used = {kind: interpreters.find(kind) for kind in ("ft", "tsan", "gil")}
    used["own"] = interpreters.inspect(sys.executable, "runs the tests", need_free_threaded=False)
    ft, own = used["ft"], used["own"]
    jobs = [*sanitizer_jobs(used["tsan"], scratch), *plain_jobs(ft, soak), *value_jobs(ft), *import_jobs(ft)]
    jobs += [*plain_jobs(used["gil"], False), *plain_jobs(own, False), *value_jobs(own), *leak_jobs(own)]
    return used, jobs


def main() -> None:
    parser = argparse.ArgumentParser(description="Thread safety of the emitted loader, by running it.")
    parser.add_argument("--soak", action="store_true", help=f"{SOAK} trials without a sanitizer")
    parser.add_argument("--only", default="", help="a pattern: run the jobs whose name has it")
    parser.add_argument("--interpreter", help="run what needs no sanitizer on this one, with or without the GIL")
    parser.add_argument("--table", type=Path, help="write the results as JSON")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        if options.interpreter:
            python = interpreters.inspect(options.interpreter, "named", need_free_threaded=False)
            used, jobs = {"given": python}, [*plain_jobs(python, options.soak), *value_jobs(python)]
            jobs += import_jobs(python) if python.free_threaded else ()
        else:
            used, jobs = all_jobs(options.soak, Path(scratch))
        for kind, interpreter in used.items():
            print(f"{kind}: {interpreter}")
        print(f"compiler: {compilers.default().version}; {time.monotonic() - started:.0f} s until here", flush=True)
        results = perform([job for job in jobs if re.search(options.only, job.name)], options.workers)
    for result in sorted(results, key=lambda result: (result.name, result.on)):
        if result.ok:
            show(result)
    failed = [result.name for result in results if not result.ok]
    print(f"{len(results)} tests, {sum(result.trials for result in results)} trials, {len(failed)} failed, {time.monotonic() - started:.0f} s")
    if options.table:
        facts = {kind: str(interpreter) for kind, interpreter in used.items()}
        rows = [asdict(result) for result in sorted(results, key=lambda result: (result.group, result.name, result.on))]
        options.table.write_text(json.dumps({"interpreters": facts, "results": rows}, indent=1) + "\n")
    sys.exit(bool(failed) or not results)


if __name__ == "__main__":
    main()

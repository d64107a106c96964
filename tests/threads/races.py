"""First-call races of what is emitted, and of the published loader beside it.

Under ThreadSanitizer no trial may have a report in the module under test; without it no
trial may crash, hang or give a wrong value.  A trial is one fresh process.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Callable

import bench_loader
import conftest
import package
from controls import COPIES, Result, by_sanitizer
from interpreters import Interpreter
from modules import HERE, Subject, Workshop
from trials import KINDS, Plan, run

CHUNK = 25  # trials that one job runs
IMPORTED = tuple(f"cuda.bindings.{part}{library}" for library in ("driver", *package.LIBRARIES) for part in ("cy", "_internal."))
PUBLISHED = {"PYTHON_GIL": "0"}  # it does not say that it is made for free threading, and was used so


def driver(workshop: Workshop) -> Subject:
    """The committed package of the newest driver."""
    target = conftest.TARGETS[0]
    return workshop.driver("emitted driver", target.tree, target.include, target.release)


def published(workshop: Workshop, folder: Path) -> Subject:
    """The driver loader that the wheel of 12.9.10 ships, from its own source."""
    target = bench_loader.TARGET
    tree = bench_loader.published_tree(folder)
    return workshop.driver("published 12.9.10", tree, target.include, target.release, "c++")


def sanitized(interpreter: Interpreter, make: Callable[[], Subject], kind: str, seeds: range) -> Result:
    """Trials under ThreadSanitizer."""
    subject, bad, others, detail = make(), 0, 0, ""
    for seed in seeds:
        outcome = run(interpreter, Plan(subject, KINDS[kind], seed=seed, ready=kind == "inspectors" and seed % 2 == 1))
        seen = outcome.reported(subject, anywhere=True)
        others += bool(outcome.reports) and not seen
        if seen or outcome.ended:
            bad += 1
            detail = detail or f"seed {seed}: {outcome.ended} {outcome.wrong[:2]} {outcome.output}" + "".join(r.text for r in outcome.reports[:1])
    return Result(f"ThreadSanitizer, {subject.name}: {kind}", not bad, bad, len(seeds), detail or (f"{others} with a report elsewhere" if others else ""))


def plain(interpreter: Interpreter, make: Callable[[], Subject], kind: str, seeds: range) -> Result:
    """Trials without it: every value is checked."""
    subject, bad, detail = make(), 0, ""
    for seed in seeds:
        outcome = run(interpreter, Plan(subject, KINDS[kind], seed=seed, ready=kind == "inspectors" and seed % 2 == 1))
        if outcome.ended:
            bad += 1
            detail = detail or f"seed {seed}: {outcome.ended} {outcome.wrong[:2]} {outcome.output}"
    return Result(f"no sanitizer, {subject.name}: {kind}", not bad, bad, len(seeds), detail)


def many_threads(interpreter: Interpreter, make: Callable[[], Subject]) -> Result:
    """64 threads, whatever the number of processors."""
    subject = make()
    outcome = run(interpreter, Plan(subject, seed=1, copies=COPIES, threads=64))
    seen = outcome.reported(subject, anywhere=True)
    return Result(f"64 threads, {subject.name}", not outcome.ended and not seen, len(outcome.wrong) + len(seen), COPIES, f"{outcome.ended} {outcome.wrong[:2]} {outcome.output}".strip())


def known_bad(interpreter: Interpreter, make: Callable[[], Subject], kind: str) -> Result:
    """The published loader has to be reported."""
    subject = make()
    return by_sanitizer(interpreter, f"ThreadSanitizer, {subject.name}: {kind}", Plan(subject, KINDS[kind], seed=1, limit=300), PUBLISHED)


def imports(interpreter: Interpreter, workshop: Workshop, target: conftest.Target, language: str) -> Result:
    """A package's modules are imported, each in a process of its own: the GIL stays off."""
    made = workshop.driver(f"emitted {target.tree.name}", target.tree, target.include, target.release, language, whole=True)
    on, clean = [], {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    for module in IMPORTED:
        code = f"import sys, importlib; importlib.import_module({module!r}); sys.exit(sys._is_gil_enabled())"
        done = subprocess.run([*interpreter.command(), "-W", "error", "-c", code], env={**clean, **made.environment(), "PYTHONPATH": f"{made.folder}:{HERE / 'stand_in'}"},
                              capture_output=True, text=True)
        if done.returncode != 0:
            on.append(f"{module}: {done.stderr[-300:] or 'the GIL was switched on'}")
    return Result(f"import of {made.name}, as {language.upper()}", not on, len(on), len(IMPORTED), "; ".join(on))

"""Allocation failures and leaks of the initialiser, under LeakSanitizer, with controls that leak.

The interpreter is one with the GIL: a free-threaded build refuses PYTHONMALLOC=malloc,
without which the interpreter's own allocations cannot be made to fail one by one.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import build
import compilers
import mutants
from controls import Result
from interpreters import Interpreter
from modules import HERE, Subject, Workshop

LIMIT_S = 300
INTERPRETERS_OWN = "SystemError of the interpreter itself"
OPENS = '        library = _cyb_open_library()\n'
MAKES = '        table = <cyb_table_t*>calloc(1, sizeof(cyb_table_t))\n        if table == NULL:\n            raise MemoryError()\n'

# Edits of the emitted loader that leak, and the first call in which that shows.
LEAKS = {
    "the table is made first": ([(OPENS + MAKES, MAKES + OPENS)], "call", True),
    "the loser keeps its table": ([("    if not cyb_publish(table):\n        free(table)\n", "    cyb_publish(table)\n")], "reenter", False),
}
# Mutants of the guard's list that leak, in controls.toml: by = "leak".
SHOWN_BY = {"published-twice/reset after a failure": "again"}


def lsan() -> Path:
    """gcc's LeakSanitizer: a library that can be preloaded."""
    for name in ("liblsan.so", "liblsan.so.0"):
        path = Path(subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True).stdout.strip())
        if path.is_absolute() and path.exists():
            return path.resolve()
    for path in sorted(Path("/usr/lib").glob("*/liblsan.so.*")):
        return path
    raise SystemExit("leaks: no liblsan: install gcc, or the package liblsan0")


def shim() -> Path:
    compiler, source = compilers.default(), HERE / "c" / "failalloc.c"

    def make(folder: Path) -> None:
        compiler.shared_library(source, folder / "failalloc.so", ("-fno-omit-frame-pointer",))

    return build.cached(f"threads-failalloc-{build.digest(source.read_text(), compiler.cc, compiler.version)}", make)[0] / "failalloc.so"


def run(interpreter: Interpreter, subject: Subject, calls: tuple[str, ...], fail: bool) -> list[dict]:
    """What allocations.py says of each kind of call."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | subject.environment()
    env |= {"LD_PRELOAD": f"{shim()}:{lsan()}", "PYTHONMALLOC": "malloc", "LSAN_OPTIONS": "exitcode=0:leak_check_at_exit=0:symbolize=0:fast_unwind_on_malloc=0"}
    plan = subject.facts() | {"calls": calls, "fail": fail, "file": "/" + subject.loader.replace(".", "/") + "."}
    done = subprocess.run([*interpreter.command(), str(HERE / "allocations.py"), json.dumps(plan)], env=env, capture_output=True, text=True,
                          errors="replace", timeout=LIMIT_S)
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stderr[-2000:]}"
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def ours(interpreter: Interpreter, subject: Subject) -> Result:
    """Every allocation fails once: MemoryError or nothing, never a leak."""
    answers = run(interpreter, subject, ("call", "all", "one", "reenter"), True)
    bad = [answer for answer in answers if answer["unfailed"] != "nothing" or set(answer["failed"]) - {"nothing", "MemoryError", INTERPRETERS_OWN}
           or not answer["failed"].get("MemoryError")]
    total = sum(answer["allocations"] for answer in answers)
    return Result(f"allocation failures, {subject.name}", not bad and total > 0, len(bad), total, json.dumps(bad or answers))


def control(interpreter: Interpreter, workshop: Workshop, name: str, changes: list[tuple[str, str]], call: str, fail: bool,
            language: str = "c") -> Result:
    """A loader that leaks has to be seen to."""
    subject = workshop.found(name, lambda text: mutants.apply(name, text, changes), language)
    (answer,) = run(interpreter, subject, (call,), fail)
    seen = answer["failed"].get("leak", 0) + (answer["unfailed"] == "leak")
    return Result(f"leak: {name}", seen > 0, seen, max(answer["allocations"], 1) if fail else 1, json.dumps(answer))

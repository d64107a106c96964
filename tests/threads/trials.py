"""Runs trials of a subject, a process each, and reads what ThreadSanitizer says."""

from __future__ import annotations

import ast
import os
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

from interpreters import Interpreter
from modules import HERE, Subject

THREADS = 12
LIMIT_S = 90  # a trial that takes longer hangs

# First calls by their kind, dealt to the threads in turn.
FUNCTIONS = ("nogil", "held", "foreign")
INSPECTORS = ("all", "one")
MIXED = (*FUNCTIONS, *INSPECTORS)
KINDS = {"functions": FUNCTIONS, "inspectors": INSPECTORS, "mixed": MIXED}

# Start times are drawn from one of these windows: a first call takes from 0.1 to 1 ms, and
# with a longer window less of what else threads do can happen to order them.
SPANS_NS = (300_000, 3_000_000, 20_000_000)

# Frames are written with the whole path of their module, which says whose they are and of which copy.
SANITIZER = ("halt_on_error=0 exitcode=0 history_size=7 report_thread_leaks=0 report_signal_unsafe=0 symbolize=0 "
             'stack_trace_format="    #%n (%m+%o)"')

EXITS = {0: "", 3: "wrong value", 4: "the GIL was switched on"}


@dataclass(frozen=True)
class Plan:
    """One trial."""

    subject: Subject
    kinds: tuple[str, ...] = MIXED
    seed: int = 0
    copies: int = 1
    threads: int = THREADS
    span: int | None = None
    ready: bool = False  # initialise before the race
    wants: dict[str, str] = field(default_factory=dict)  # {kind: repr of the value}
    function: int | None = None  # the one that is called; None: any
    missing: bool = False  # there is no library to load
    without: tuple[str, ...] = ()  # modules that cannot be imported during the race
    after: str = ""  # an expression that has to hold afterwards
    limit: int = LIMIT_S

    def literal(self) -> str:
        # The kinds come in another order each time.
        turn = self.seed % len(self.kinds)
        return repr({**self.subject.facts(), "kinds": self.kinds[turn:] + self.kinds[:turn], "seed": self.seed, "copies": self.copies,
                           "threads": self.threads, "span": self.span or SPANS_NS[self.seed % len(SPANS_NS)], "ready": self.ready,
                           "function": self.function, "missing": self.missing, "without": self.without, "wants": self.wants, "after": self.after, "limit": self.limit})


@dataclass(frozen=True)
class Report:
    """One report of the sanitizer."""

    what: str  # "data race", "heap-use-after-free"
    top: frozenset[str]  # modules at the top of an access's stack, by file
    anywhere: frozenset[str]  # modules in both accesses' stacks, down to the first Python code
    text: str


@dataclass(frozen=True)
class Outcome:
    ended: str  # "" when all went well, else how it ended
    reports: tuple[Report, ...]
    wrong: tuple[tuple[int, str], ...]
    output: str

    def reported(self, subject: Subject, anywhere: bool = False) -> set[int]:
        """The copies of the module under test that have a report: at the top of an access's
        stack, or anywhere in one, so that the access may be one of the interpreter's."""
        own, found = "/" + subject.loader.replace(".", "/") + ".", set()
        for report in self.reports:
            for path in report.anywhere if anywhere else report.top:
                if own in path:
                    number = re.search(r"/copy(\d+)/", path)
                    found.add(int(number[1]) if number else 0)
        return found


def run(interpreter: Interpreter, plan: Plan, environment: dict[str, str] | None = None) -> Outcome:
    """One trial in a fresh process."""
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME", "PYTHON_GIL", "LD_PRELOAD")}
    env = {**clean, **plan.subject.environment(), "TSAN_OPTIONS": SANITIZER, **(environment or {})}
    if plan.missing:
        env["LD_LIBRARY_PATH"] = ""
    command = [*interpreter.command(), "-S", str(HERE / "race.py"), plan.literal()]
    try:
        done = subprocess.run(command, env=env, capture_output=True, text=True, errors="replace", timeout=plan.limit + 60)
    except subprocess.TimeoutExpired:
        return Outcome("hung", (), (), "")
    code, tail = done.returncode, (done.stdout + done.stderr)[-2000:]
    lines = done.stdout.strip().splitlines()
    # A sanitizer ends a process that crashes with the exit code it was told: what counts is that the trial came to its end.
    answer = ast.literal_eval(lines[-1]) if code in (0, 3) and lines else {"copies": 0, "wrong": []}
    if code in (0, 3) and answer["copies"] != plan.copies:
        ended = "crashed"
    else:
        ended = EXITS[code] if code in EXITS else "hung" if code == -14 else f"signal {-code}" if code < 0 else f"exit {code}"
    return Outcome(ended, tuple(reports_in(done.stderr, interpreter.evaluates)), tuple((copy, what) for copy, what in answer["wrong"]), tail if ended else "")


WARNING = re.compile(r"WARNING: ThreadSanitizer: (.*?) \(pid=\d+\)\n(.*?)\n={18}", re.S)
STACKS = re.compile(r"\n(?=  (?:Previous )?(?:[Aa]tomic )?(?:[Rr]ead|[Ww]rite))")
FRAME = re.compile(r"^    #\d+ .*?\(([^()]*)\+0x([0-9a-f]+)\)", re.M)


def reports_in(printed: str, evaluates: Callable[[str, int], bool] = lambda path, offset: False) -> list[Report]:
    """The reports in what a process printed. `evaluates` says whether a frame runs Python code.

    What the module calls may be Python, such as a library finder. An access that Python code makes
    is the interpreter's own affair, whoever called it: a stack is read down to there. A race of a
    module has it in both accesses; with one of them elsewhere it is memory that the interpreter
    uses again, which its lock-free readers expect.
    """
    found = []
    for what, body in WARNING.findall(printed):
        stacks = []
        for part in STACKS.split("\n" + body)[1:3]:
            frames = [(path, int(offset, 16)) for path, offset in FRAME.findall(part.split("\n\n")[0])]
            if frames:  # else the sanitizer could not restore it
                stacks.append([path for path, _ in takewhile(lambda frame: not evaluates(*frame), frames)])
        # The interpreter has the sanitizer's own malloc, free and memcpy in it: such a frame stands above who called it.
        top = {stack[0] for stack in stacks if stack} | {stack[1] for stack in stacks if len(stack) > 1 and Path(stack[0]).name.startswith("python")}
        found.append(Report(what, frozenset(top), frozenset.intersection(*map(frozenset, stacks)) if stacks else frozenset(), body))
    return found

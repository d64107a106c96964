"""The controls: what is known to be unsafe has to be seen by the same harness.

controls.toml says beforehand how each mutant of the guard's list is seen.  A control
that stays silent fails, so does a mutant without an entry, an entry without a mutant,
and a plan that finds something in the emitted module itself.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path

import mutants
from interpreters import Interpreter
from modules import Subject, Workshop
from trials import THREADS, Outcome, Plan, run

TABLE = Path(__file__).with_name("controls.toml")
MODELS = TABLE.parent / "model" / "mutants.toml"  # what the model checkers refute
COPIES, ENOUGH = 20, 16  # of a control that the sanitizer has to report
ROUNDS = 6  # of so many copies, at most; the share counts over all of them
RUNS = 5  # of a control that has to end badly each time
CIMPORT = "from libc.stdlib cimport calloc, free"  # what `head` stands below
KINDS = ("nogil", "held", "all", "one")  # an error in a thread of C ends the process: see _foreign in probe.pyx
WAYS = ("sanitizer", "value", "gil", "leak", "model", "text")


@dataclass(frozen=True)
class Control:
    name: str  # rule/mutant
    by: str
    why: str = ""
    kinds: tuple[str, ...] = KINDS
    language: str = "c"
    function: int | None = None
    missing: bool = False
    without: tuple[str, ...] = ()
    wants: dict[str, str] = field(default_factory=dict)
    after: str = ""
    head: str = ""
    more: str = ""
    threads: int = THREADS
    span: int | None = None
    limit: int = 90

    def plan(self, subject: Subject, **more) -> Plan:
        return Plan(subject, self.kinds, threads=self.threads, span=self.span, function=self.function, missing=self.missing, without=self.without,
                    wants=self.wants, after=self.after, limit=self.limit, **more)

    @property
    def own(self) -> bool:
        """Whether the plan needs what only the mutant has."""
        return "loader." in self.after or any(kind.startswith("py:") for kind in self.kinds)


@dataclass(frozen=True)
class Result:
    name: str
    ok: bool
    seen: int  # trials in which it was seen
    trials: int
    detail: str = ""
    group: str = ""  # what kind of test it is, and on which interpreter: run.py says
    on: str = ""


def table() -> list[Control]:
    """The committed table, held against the mutants that there are."""
    rules = tomllib.loads(TABLE.read_text())
    found = []
    for rule, entries in rules.items():
        for name, entry in entries.items():
            lists = {key: tuple(value) for key, value in entry.items() if isinstance(value, list)}
            found.append(Control(f"{rule}/{name}", **{**entry, **lists}))
    listed, known = {control.name for control in found}, set(mutants.edits())
    assert listed == known, f"{TABLE.name}: no entry for {sorted(known - listed)}, no mutant for {sorted(listed - known)}"
    refuted = {name for case in tomllib.loads(MODELS.read_text()).values() for name in case.get("controls", ())}
    for control in found:
        assert (control.by == "model") == (control.name in refuted), f"{control.name}: by model here, and not in {MODELS.name}, or the reverse"
        assert control.by in WAYS, f"{control.name}: by is one of {', '.join(WAYS)}"
        assert control.why or control.by not in ("model", "text"), f"{control.name}: say why it is not run"
    return found


def subject(workshop: Workshop, control: Control) -> Subject:
    changes = mutants.edits()[control.name]
    if control.head:
        changes = [*changes, (CIMPORT, f"{CIMPORT}\n{control.head}")]
    return workshop.demo(control.name, lambda text: mutants.apply(control.name, text, changes), control.language, control.more)


def by_sanitizer(interpreter: Interpreter, name: str, plan: Plan, environment: dict[str, str] | None = None) -> Result:
    """Sixteen copies of twenty are reported. One race in ten is missed by chance, more on a loaded
    machine: where twenty fall short, more are run, and the share has to be reached by all together."""
    seen = trials = 0
    ends: set[str] = set()
    while trials < ROUNDS * COPIES and (trials == 0 or seen * COPIES < ENOUGH * trials):
        found, ended = twenty(interpreter, replace(plan, seed=plan.seed + trials // COPIES, copies=COPIES), environment)
        seen, trials, ends = seen + found, trials + COPIES, ends | ended
    return Result(name, seen * COPIES >= ENOUGH * trials, seen, trials, ", ".join(sorted(filter(None, ends))))


def twenty(interpreter: Interpreter, plan: Plan, environment: dict[str, str] | None) -> tuple[int, set[str]]:
    """(copies with a report, how processes ended): in one process, or if that crashes in one each, where a crash counts too."""
    outcome = run(interpreter, plan, environment)
    if outcome.ended in ("", "wrong value"):
        return len(outcome.reported(plan.subject)), {outcome.ended}
    each = [run(interpreter, replace(plan, copies=1, seed=COPIES * plan.seed + copy), environment) for copy in range(COPIES)]
    seen = [outcome.reported(plan.subject) or outcome.ended not in ("", "wrong value") for outcome in each]
    return sum(map(bool, seen)), {outcome.ended for outcome in each}


def by_value(interpreter: Interpreter, made: Subject, control: Control) -> Result:
    seen, last = 0, Outcome("", (), (), "")
    for seed in range(RUNS):
        outcome = run(interpreter, control.plan(made, seed=seed))
        if outcome.ended.startswith("exit"):  # a trial that does not run at all shows nothing
            return Result(control.name, False, 0, RUNS, outcome.output)
        seen += bool(outcome.ended)
        last = outcome
    return Result(control.name, seen == RUNS, seen, RUNS, last.ended + (f": {last.wrong[0][1]}" if last.wrong else ""))


def by_gil(interpreter: Interpreter, made: Subject, control: Control) -> Result:
    outcome = run(interpreter, control.plan(made))
    return Result(control.name, outcome.ended == "the GIL was switched on", int(bool(outcome.ended)), 1, outcome.ended)


def silent_on_ours(interpreter: Interpreter, made: Subject, control: Control) -> Result:
    """The plan of a control, on the emitted module."""
    copies = COPIES if control.by == "sanitizer" else 1
    outcome = run(interpreter, control.plan(made, copies=copies))
    seen = outcome.reported(made, anywhere=True) if control.by == "sanitizer" else ()
    ok = not outcome.ended and not seen
    return Result(f"emitted, as {control.name}", ok, len(seen) or int(bool(outcome.ended)), copies, f"{outcome.ended} {outcome.wrong[:2]} {outcome.output}")

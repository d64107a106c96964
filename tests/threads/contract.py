"""Runs scenarios.py: failure, re-entry, fork, collection, signals, shutdown, subinterpreters.

A lock around initialisation is the control: where a scenario could not be survived with
one, it has to fail with one, or it would show nothing.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess

import mutants
from controls import Result
from interpreters import Interpreter
from modules import HERE, Subject

LIMIT_S = 60

# With a lock these hang or fail: the lock is waited for by its owner, by what its owner waits
# for, or in a child whose owner thread is gone.
NEED_NO_LOCK = ("failure_then_success", "library_appears_later", "reentry", "reentry_in_every_thread", "fork_while_another_thread_is_inside",
                "collection_inside", "signal_handler")

LOCK = (
    ("from libc.stdlib cimport calloc, free", "from libc.stdlib cimport calloc, free\nfrom threading import Lock\n_guard = Lock()"),
    ("        library = _cyb_open_library()\n", "        _guard.acquire()\n        library = _cyb_open_library()\n"),
    ("    if not cyb_publish(table):\n        free(table)\n    return 0", "    if not cyb_publish(table):\n        free(table)\n    with gil:\n        _guard.release()\n    return 0"),
)


def run(interpreter: Interpreter, subject: Subject, name: str, limit: int = 20) -> Result:
    """One scenario; its children too are ended when it takes too long."""
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHON_GIL")} | subject.environment() | {"CYBINDGO_SCENARIO_S": str(limit)}
    command = [*interpreter.command(), "-W", "ignore::DeprecationWarning", str(HERE / "scenarios.py"), name, json.dumps(subject.facts())]
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    try:
        printed, _ = process.communicate(timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        printed = "hung, and its alarm did not fire"
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    code = process.wait()
    detail = "" if code == 0 else f"{'hung' if code == -signal.SIGALRM else f'exit {code}'} {printed[-600:]}"
    return Result(f"{name.replace('_', ' ')}, {subject.name}", code == 0, int(code != 0), 1, detail)


def fails(interpreter: Interpreter, workshop: Workshop, name: str) -> Result:
    """The control: the same with a lock around initialisation."""
    subject = workshop.found("with a lock", lambda text: mutants.apply("with a lock", text, LOCK))
    result = run(interpreter, subject, name, limit=5)
    return Result(result.name, not result.ok, result.seen, 1, result.detail)

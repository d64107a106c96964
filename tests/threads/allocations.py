"""Fails each allocation of a first call once; run by leaks.py, with failalloc.c and LeakSanitizer preloaded.

    python allocations.py '{"probe": ..., "calls": [...]}'

For each kind of first call, and for every n, a forked child fails the nth allocation: what
comes of it is MemoryError (or success, where the interpreter helps itself), then a call
that works, and no leak.  Prints a line of JSON for each kind: how many allocations there
are and what became of the children.
"""

import ctypes
import gc
import importlib
import json
import os
import signal
import sys
import tempfile

LIMIT_S = 30

plan = json.loads(sys.argv[1])
sys.path.insert(0, plan["folder"])
program = ctypes.CDLL(None)
arm, disarm, find_leaks = program.fa_arm, program.fa_disarm, program.__lsan_do_recoverable_leak_check
arm.argtypes, disarm.restype = [ctypes.c_long], ctypes.c_long

loader = importlib.import_module(plan["loader"])
probe = importlib.import_module(plan["probe"])
finder = importlib.import_module("cuda.pathfinder")
finder.load_nvidia_dynamic_lib("demo")  # the library itself is loaded; the module's table is not
key, adds = plan["keys"][0], plan["adds"][0]


def reenter():
    """The inner call publishes, so that the outer one loses: no luck is needed."""
    def inner(name):
        finder.hook = None
        probe.call(1, 7)

    finder.hook = inner
    return probe.call(0, 7)


def again():
    """What a mutant has that takes the table away."""
    probe.call(0, 7)
    loader.reset()
    return probe.call(0, 7)


CALLS = {"call": lambda: probe.call(0, 7), "all": loader._inspect_function_pointers, "one": lambda: loader._inspect_function_pointer(key),
         "reenter": reenter, "again": again}


def raised_in(error):
    """The file of the innermost Python frame."""
    trace = error.__traceback__
    while trace.tb_next:
        trace = trace.tb_next
    return trace.tb_frame.f_code.co_filename


def child(call, n):
    """(what happened, the number of allocations)."""
    error = None
    gc.disable()
    try:
        arm(n)
        call()
    except BaseException as problem:
        error = problem
    count = disarm()
    happened = "nothing" if error is None else type(error).__name__
    if happened == "SystemError" and raised_in(error).startswith("<frozen "):
        happened += " of the interpreter itself"  # some functions of its own lose the MemoryError
    del error
    finder.hook = None
    if probe.call(0, 7) != adds + 7 or loader._inspect_function_pointer(key) == 0:
        return "no recovery", count
    with tempfile.TemporaryFile() as output:  # an interpreter's own leaks in a forked child are not ours
        os.dup2(output.fileno(), 2)
        find_leaks()
        output.seek(0)
        if any(plan["file"].encode() in record for record in output.read().split(b"leak of ")[1:]):
            happened = "leak"
    return happened, count


def forked(call, n):
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        signal.alarm(LIMIT_S)
        try:
            answer = child(call, n)
        except BaseException as problem:
            answer = f"failed: {problem!r}", -1
        os.write(writing, json.dumps(answer).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        answer = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    return json.loads(answer) if status == 0 else (f"exit {status}", -1)


for name in plan["calls"]:
    happened, total = forked(CALLS[name], -1)
    tally = {}
    for n in range(total if plan["fail"] else 0):
        what, _ = forked(CALLS[name], n)
        tally[what] = tally.get(what, 0) + 1
    print(json.dumps({"call": name, "allocations": total, "unfailed": happened, "failed": tally}), flush=True)

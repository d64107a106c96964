"""What a first call has to survive, each as a function: run by contract.py in the interpreter under test.

    python scenarios.py NAME '{"probe": ..., ...}'        # a Subject's facts

A scenario asserts; it ends with exit 0.  SIGALRM ends what hangs, in forked children too:
an alarm is not inherited, so each child sets its own.
"""

import gc
import importlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

LIMIT_S = int(os.environ.get("CYBINDGO_SCENARIO_S", "20"))

facts = json.loads(sys.argv[2])
sys.path.insert(0, facts["folder"])


def load():
    """The (probe, loader, finder) of the subject, nothing initialised."""
    loader = importlib.import_module(facts["loader"])
    import cuda.pathfinder as finder
    return importlib.import_module(facts["probe"]), loader, finder


def works(probe, loader):
    """Everything gives what it should."""
    for i, (key, adds) in enumerate(zip(facts["keys"], facts["adds"])):
        assert probe.call(i, 7) == adds + 7
        address = probe.library_address(facts["library"], key.removeprefix("__"))
        assert loader._inspect_function_pointer(key) == loader._inspect_function_pointers()[key] == address != 0


def in_threads(count, work):
    """What work(k) gave or raised in so many threads."""
    got = [None] * count

    def one(k):
        try:
            got[k] = work(k)
        except BaseException as error:
            got[k] = error

    threads = [threading.Thread(target=one, args=(k,)) for k in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return got


def forked(work):
    """work() in a forked child, with a time limit of its own; whether it went well."""
    child = os.fork()
    if child == 0:
        signal.alarm(LIMIT_S // 2)
        code = 1
        try:
            work()
            code = 0
        except BaseException as error:
            os.write(2, f"in the child: {error!r}\n".encode())
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def failure_then_success():
    """A failure publishes nothing: the error is the finder's own, and the next call tries again."""
    probe, loader, finder = load()

    class Missing(Exception):
        pass

    def fails(name):
        raise Missing(name)

    finder.hook = fails
    calls = [lambda: probe.call(0, 7), loader._inspect_function_pointers, lambda: loader._inspect_function_pointer(facts["keys"][0])]
    for call in calls:
        try:
            call()
        except Missing:
            continue
        raise AssertionError("no error")
    got = in_threads(8, lambda k: calls[k % 3]())
    assert all(isinstance(value, Missing) for value in got), got
    assert finder.calls == 3 + 8
    finder.hook = None
    works(probe, loader)


def library_appears_later():
    """What is missing now may be there at the next call."""
    if len(sys.argv) == 3:
        with tempfile.TemporaryDirectory() as folder:
            # The dynamic linker reads its path once, when a process starts.
            done = subprocess.run([sys.executable, *sys.argv, folder], env={**os.environ, "LD_LIBRARY_PATH": folder})
        assert done.returncode == 0, done.returncode
        return
    probe, loader, _ = load()
    for _ in range(3):
        try:
            probe.call(0, 7)
        except RuntimeError:
            continue
        raise AssertionError("no error without a library")
    shutil.copy(facts["library"], sys.argv[3])
    assert probe.call(0, 7) == facts["adds"][0] + 7


def reentry():
    """The finder calls what is being initialised."""
    probe, loader, finder = load()

    def inner(name):
        finder.hook = None
        works(probe, loader)

    finder.hook = inner
    assert probe.call(0, 7) == facts["adds"][0] + 7
    assert finder.calls == 2
    works(probe, loader)


def reentry_in_every_thread():
    """The same in threads that race."""
    probe, loader, finder = load()
    inside = threading.local()

    def inner(name):
        if not getattr(inside, "yes", False):
            inside.yes = True
            assert probe.call(1, 7) == facts["adds"][1] + 7

    finder.hook = inner
    assert in_threads(8, lambda k: probe.call(0, k)) == [facts["adds"][0] + k for k in range(8)]
    works(probe, loader)


def fork_while_another_thread_is_inside():
    """A child of that moment has only the thread that forked, and initialises by itself."""
    probe, loader, finder = load()
    entered, leave = threading.Event(), threading.Event()

    def waits(name):
        entered.set()
        leave.wait()

    finder.hook = waits
    result = []
    thread = threading.Thread(target=lambda: result.append(probe.call(0, 7)))
    thread.start()
    entered.wait()
    finder.hook = None
    assert forked(lambda: works(probe, loader)) == 0
    assert not result
    leave.set()
    thread.join()
    assert result == [facts["adds"][0] + 7]
    works(probe, loader)


def fork_inside():
    """The thread that initialises forks: parent and child both finish."""
    probe, loader, finder = load()
    status = []

    def forks(name):
        finder.hook = None
        child = os.fork()
        if child == 0:
            signal.alarm(LIMIT_S // 2)
            status.append(None)
        else:
            status.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

    finder.hook = forks
    good = False
    try:
        assert probe.call(0, 7) == facts["adds"][0] + 7
        works(probe, loader)
        good = True
    finally:
        if status == [None]:
            os._exit(0 if good else 1)
    assert status == [0], status


def fork_at_any_moment():
    """Threads make first calls while the main thread forks again and again."""
    probe, loader, finder = load()
    started = time.monotonic()
    finder.hook = lambda name: time.sleep(0.05)
    threads = [threading.Thread(target=probe.call, args=(k % len(facts["keys"]), 7)) for k in range(6)]
    for thread in threads:
        thread.start()
    children = 0
    while not children or time.monotonic() - started < 0.5 and children < 10:
        assert forked(lambda: works(probe, loader)) == 0
        children += 1
    for thread in threads:
        thread.join()
    works(probe, loader)
    assert children


def collection_inside():
    """The garbage collector runs inside of initialisation, and a finaliser calls a wrapper."""
    probe, loader, finder = load()
    seen = []

    class Ring:
        def __del__(self):
            seen.append(probe.call(2, 7))

    def collects(name):
        finder.hook = None
        ring = Ring()
        ring.itself = ring
        del ring
        gc.collect()

    finder.hook = collects
    assert probe.call(0, 7) == facts["adds"][0] + 7
    assert seen == [facts["adds"][2] + 7]
    finder.hook = lambda name: gc.collect()
    works(probe, loader)


def signal_handler():
    """A Python signal handler that calls a wrapper, inside of initialisation and at any moment."""
    probe, loader, finder = load()
    seen = []

    def handler(number, frame):
        seen.append(probe.call(1, 7))

    def raises(name):
        finder.hook = None
        signal.raise_signal(signal.SIGUSR1)
        for _ in range(1000):
            pass

    signal.signal(signal.SIGUSR1, handler)
    finder.hook = raises
    assert probe.call(0, 7) == facts["adds"][0] + 7
    assert seen == [facts["adds"][1] + 7]

    signal.signal(signal.SIGPROF, handler)
    signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
    for _ in range(20):
        works(probe, loader)
    signal.setitimer(signal.ITIMER_PROF, 0)
    assert set(seen) == {facts["adds"][1] + 7}


def shutdown_during_a_first_call():
    """The interpreter ends while daemon threads are at any point of a first call."""
    if len(sys.argv) == 3:
        for seed in range(12):
            done = subprocess.run([sys.executable, *sys.argv, str(seed)], capture_output=True, text=True, timeout=LIMIT_S)
            assert done.returncode == 0, f"seed {seed}: exit {done.returncode}\n{done.stderr[-1500:]}"
        return
    probe, loader, finder = load()
    rng = random.Random(int(sys.argv[3]))
    moment = rng.random() * 0.01
    finder.hook = (lambda name: time.sleep(moment)) if rng.random() < 0.5 else None
    for k in range(6):
        threading.Thread(target=probe.call, args=(k % len(facts["keys"]), 7), daemon=True).start()
    time.sleep(moment * rng.random() * 2)


def first_call_at_exit():
    """The first call is made by what runs at exit."""
    if len(sys.argv) == 3:
        done = subprocess.run([sys.executable, *sys.argv, "inner"], capture_output=True, text=True, timeout=LIMIT_S)
        assert (done.returncode, done.stdout) == (0, f"{facts['adds'][0] + 7}\n"), done
        return
    import atexit
    probe, _, _ = load()
    atexit.register(lambda: print(probe.call(0, 7), flush=True))


def subinterpreter():
    """Not supported, as with all of Cython's modules: one interpreter of a process has the module,
    an import in another is refused, and the first goes on."""
    try:
        import _interpreters as interpreters
    except ImportError:
        import _xxsubinterpreters as interpreters
    probe, loader, _ = load()
    code = f"import sys; sys.path[:] = {sys.path!r}\ntry:\n    import {facts['loader']}\nexcept ImportError:\n    refused = True\nassert refused"
    for _ in range(2):  # before the first call, and after
        other = interpreters.create()
        problem = interpreters.run_string(other, code)
        assert problem is None, problem
        interpreters.destroy(other)
        works(probe, loader)


SCENARIOS = (failure_then_success, library_appears_later, reentry, reentry_in_every_thread, fork_while_another_thread_is_inside, fork_inside,
             fork_at_any_moment, collection_inside, signal_handler, shutdown_during_a_first_call, first_call_at_exit, subinterpreter)

if __name__ == "__main__":
    signal.alarm(LIMIT_S)
    {scenario.__name__: scenario for scenario in SCENARIOS}[sys.argv[1]]()

"""One first-call race in this process, or several: run by trials.py in the interpreter under test.

    python -S race.py "{'probe': ..., 'kinds': [...], ...}"      # what Plan.literal() makes

Each copy of the subject is a race of its own: its modules are loaded from files of their
own, so nothing of an earlier copy is left.  All threads enter a gate in C, then each spins
until its own random start and makes its first call.  Every value is checked.  The last
line of stdout is a literal: {"copies": done, "wrong": [[copy, what], ...]}.

Exit: 0, 3 for a wrong value, 4 when an import switched the GIL on. SIGALRM ends what hangs.

There are many trials, and under a sanitizer an import of json or random takes as long as
the race: only what is built in is imported.
"""

import _signal
import _thread
import sys


class Random:
    """Numbers that a seed determines (a linear congruential generator: Knuth's MMIX)."""

    def __init__(self, seed):
        self.state = seed
        for _ in range(8):
            self.below(2)

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit


def module(name):
    __import__(name)
    return sys.modules[name]


def load(plan, folder):
    """The (probe, loader) of a subject, from this folder."""
    for name in [name for name in sys.modules if name.split(".")[0] in (plan["probe"].split(".")[0], plan["loader"].split(".")[0])]:
        if name not in ("cuda", "cuda.pathfinder"):
            del sys.modules[name]
    sys.path.insert(0, folder)
    sys.path_importer_cache.clear()
    if "cuda" in sys.modules:  # a namespace package remembers where it was found
        sys.modules["cuda"].__path__ = [f"{folder}/cuda", *sys.modules["cuda"].__path__]
    try:
        loader = module(plan["loader"])
        return module(plan["probe"]), loader
    finally:
        sys.path.remove(folder)


def first_call(plan, probe, loader, kind, rng):
    """(what a thread calls after its offset, which function of the subject it is about)."""
    i = plan["function"] if plan["function"] is not None else rng.below(len(plan["keys"]))
    x = rng.below(100)
    if kind == "all":
        return probe.first_python, (loader._inspect_function_pointers, ()), None
    if kind == "one":
        return probe.first_python, (loader._inspect_function_pointer, (plan["keys"][i],)), plan["keys"][i]
    if kind.startswith("py:"):
        return probe.first_python, (getattr(loader, kind[3:]), ()), kind
    return {"nogil": probe.first_nogil, "held": probe.first_held, "foreign": probe.first_foreign}[kind], (i, x), (i, x)


def started(work):
    """Start work() in a thread; what waits for its end."""
    if hasattr(_thread, "start_joinable_thread"):  # from 3.13 on
        return _thread.start_joinable_thread(work).join
    lock = _thread.allocate_lock()
    lock.acquire()

    def whole():
        work()
        lock.release()

    _thread.start_new_thread(whole, ())
    return lock.acquire


def begins(library):
    """Where a library that is loaded begins."""
    with open("/proc/self/maps") as maps:
        return min(int(line.split("-")[0], 16) for line in maps if f"/{library}" in line)


def race(plan, probe, loader, rng):
    """What was wrong in one race, in words."""
    if plan["ready"]:
        probe.call(0, 0)
    kinds = [plan["kinds"][k % len(plan["kinds"])] for k in range(plan["threads"])]
    todo = [(kind, rng.below(plan["span"]), *first_call(plan, probe, loader, kind, rng)) for kind in kinds]
    got = [None] * len(todo)

    def work(k):
        _, offset, function, arguments, _ = todo[k]
        try:
            got[k] = function(offset, *arguments)
        except BaseException as error:
            got[k] = error

    joins = [started(lambda k=k: work(k)) for k in range(len(todo))]
    probe.open_gate(len(todo))
    for join in joins:
        join()

    addresses, base = {}, begins(plan["library"]) if plan.get("offsets") else 0

    def truth(key):
        """The function's address: what the dynamic linker says, or what a run without a race found."""
        if key not in addresses:
            if plan.get("offsets"):
                offset = plan["offsets"][key]
                addresses[key] = offset and offset + base
            else:
                addresses[key] = probe.library_address(plan["library"], key.removeprefix("__"))
        return addresses[key]

    def good(kind, about, value):
        if kind in plan["wants"]:
            return repr(value) == plan["wants"][kind]
        if kind == "all":
            return isinstance(value, dict) and set(plan.get("offsets") or plan["keys"]) <= set(value) and all(value[key] == truth(key) and (value[key] != 0 or plan.get("offsets")) for key in value)
        if kind == "one":
            return value == truth(about) != 0
        if kind.startswith("py:"):
            return not isinstance(value, BaseException)
        i, x = about
        return value == plan["adds"][i] + (0 if plan["constant"] else x)

    return [f"{kind} {about}: {value!r:.200}" for (kind, _, _, _, about), value in zip(todo, got) if not good(kind, about, value)]


def quiet(plan, probe, loader):
    """What is wrong when the race is over, in words: nothing that callers were given may be shared."""
    every, one = loader._inspect_function_pointers, loader._inspect_function_pointer
    if not plan["missing"]:
        if every() is every():
            yield "two callers are handed the same dict"
        try:
            one("__nothing")
            yield "no KeyError for a name that is not there"
        except KeyError:
            pass
    if plan["after"] and not eval(plan["after"], {"loader": loader, "probe": probe}):
        yield f"afterwards it does not hold that {plan['after']}"


class Without:
    """Modules that cannot be imported."""

    def __init__(self, names):
        self.names, self.kept = names, {}

    def find_spec(self, name, path=None, target=None):
        if name in self.names:
            raise ModuleNotFoundError(f"{name} is imported late")

    def __enter__(self):
        self.kept = {name: sys.modules.pop(name) for name in self.names if name in sys.modules}
        sys.meta_path.insert(0, self)

    def __exit__(self, *error):
        sys.meta_path.remove(self)
        sys.modules.update(self.kept)


def copied(folder, count):
    """So many copies of a folder: made one at a time, removed at the end."""
    if count == 1:
        yield folder
        return
    import shutil
    import tempfile
    with tempfile.TemporaryDirectory() as scratch:
        for copy in range(count):
            yield shutil.copytree(folder, f"{scratch}/copy{copy}")


def main():
    plan = eval(sys.argv[1])
    _signal.alarm(plan["limit"])
    _thread.stack_size(1 << 20)  # endless recursion ends soon
    free_threaded = hasattr(sys, "_is_gil_enabled") and not sys._is_gil_enabled()
    wrong, rng = [], Random(plan["seed"])
    int("7")  # CPython 3.13 fills a static table at the first such call, unguarded: its race, not ours
    for copy, folder in enumerate(copied(plan["folder"], plan["copies"])):
        probe, loader = load(plan, folder)
        if free_threaded and sys._is_gil_enabled():
            print("the GIL was switched on again by an import", file=sys.stderr)
            sys.exit(4)
        names = {name: id(value) for name, value in vars(loader).items()}
        with Without(plan["without"]):
            found = race(plan, probe, loader, rng)
            try:
                found += quiet(plan, probe, loader)
            except Exception as error:
                found.append(f"afterwards: {error!r:.200}")
        if names != {name: id(value) for name, value in vars(loader).items()}:
            found.append("calls have changed what the names of the module stand for")
        wrong += [[copy, what] for what in found]
    print({"copies": plan["copies"], "wrong": wrong})
    sys.exit(3 if wrong else 0)


main()

"""First calls raced on a real driver, with a free-threaded interpreter: ours and the published loader.

    python tests/gpu_races.py prepare FOLDER        # where the tests' environment is
    python3 FOLDER/gpu_races.py run --processes 1000 --json report.json     # where the GPU is

`prepare` builds both for the free-threaded CPython of the thread tests and lays them into a
folder with all that is needed: the interpreter, cuda.pathfinder, the trial.  `run` needs
only the standard library.  A trial is a fresh process, as in threads/: its threads wait in
C and start at random moments; they call cuInit, functions that need no context, and both
inspectors, and every value is checked.  Counts are reported for both, whatever they are.

The control is our own loader, made to publish its table before it fills it: what these
processes cannot see in that one they could not see in the others either.
"""

import argparse
import ast
import collections
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
THREADS = 16
LIMIT = 120  # seconds of one process
LIBRARY = "libcuda.so.1"

# What the probes call, and what that gives whether or not the driver is initialised.
CALLS = {"cuInit": "cuInit(0)", "cuDriverGetVersion": "cuDriverGetVersion(NULL)"}
RETURNS = {"cuInit": 0, "cuDriverGetVersion": 1}  # NULL is an invalid value

KINDS = {"cuInit": ("nogil", "held", "foreign"), "one inspector": ("one",), "both inspectors": ("one", "all"),
         "mixed": ("nogil", "held", "foreign", "one", "all")}
SPANS = (300_000, 3_000_000)  # nanoseconds of the window of starts
CONTROL, MUTANT = "control", "written-after-publication/published before filled"
SEEN = 0.5  # the share of the control's processes that has to go wrong

# Addresses from where the library begins: the same in every process.
TABLE = f"""
import sys
sys.path.insert(0, sys.argv[1])
import cuda.bindings._internal.driver as loader
found = loader._inspect_function_pointers()
with open("/proc/self/maps") as maps:
    base = min(int(line.split("-")[0], 16) for line in maps if "/{LIBRARY.rpartition('.')[0]}" in line)
print({{key: value and value - base for key, value in found.items()}})
"""


def prepare(folder):
    sys.path[:0] = [str(HERE), str(HERE / "threads")]
    import bench_loader
    import conftest
    import interpreters
    import modules
    import tempfile

    python = interpreters.find("ft")
    shop, subjects = modules.Workshop(python), {}
    with tempfile.TemporaryDirectory() as scratch:
        targets = {target.major: target for target in conftest.TARGETS}
        newest, older = targets["13"], bench_loader.TARGET
        trees = {"emitted 13": (newest, newest.tree, "c"), "emitted 12": (older, older.tree, "c++"),
                 "published 12.9.10": (older, bench_loader.published_tree(Path(scratch) / "published"), "c++"),
                 CONTROL: (newest, mutated(newest.tree, Path(scratch) / "control"), "c")}
        for name, (target, tree, language) in trees.items():
            made = shop.driver(name, tree, target.include, target.release, language, CALLS, RETURNS)
            place = "subjects/" + name.replace(" ", "-")
            shutil.copytree(made.folder, folder / place)
            subjects[name] = {**made.facts(), "folder": place, "library": LIBRARY.rpartition(".")[0]}
    shutil.copytree(python.program.parent.parent, folder / "python", symlinks=True, ignore=shutil.ignore_patterns("__pycache__", "include", "share", "idlelib", "ensurepip"))
    import cuda.pathfinder
    shutil.copytree(Path(cuda.pathfinder.__file__).parent, folder / "path" / "cuda" / "pathfinder", ignore=shutil.ignore_patterns("__pycache__"))
    for source in (HERE / "threads" / "race.py", Path(__file__)):
        shutil.copyfile(source, folder / source.name)
    facts = {"interpreter": f"CPython {python.version} free-threaded", "subjects": subjects}
    (folder / "manifest.json").write_text(json.dumps(facts, indent=1) + "\n")


def mutated(tree, folder):
    """A copy of a tree whose loader is unsafe."""
    import mutants

    shutil.copytree(tree, folder)
    loader = folder / "cuda" / "bindings" / "_internal" / "driver_linux.pyx"
    loader.write_text(mutants.apply(MUTANT, loader.read_text(), mutants.edits()[MUTANT]))
    return folder


class Trials:
    """One subject's trials."""

    def __init__(self, name, facts):
        self.name, self.facts = name, {**facts, "folder": str(HERE / facts["folder"])}
        self.command = [str(HERE / "python" / "bin" / "python3"), "-S"]
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        # The published loader does not say that it is made for free threading, and is used so.
        self.environment |= {"PYTHONPATH": str(HERE / "path"), "PYTHON_GIL": "0", "PYTHONDONTWRITEBYTECODE": "1"}
        done = self.start("-c", TABLE, self.facts["folder"])
        if done.returncode != 0:
            sys.exit(f"{name}: without a race, exit {done.returncode}\n{done.stderr[-2000:]}")
        self.offsets = ast.literal_eval(done.stdout)

    def start(self, *arguments):
        return subprocess.run([*self.command, *arguments], env=self.environment, capture_output=True, text=True, errors="replace", timeout=LIMIT)

    def one(self, kind, seed):
        """How a trial ended, in a word, and what it said."""
        kinds = KINDS[kind][seed % len(KINDS[kind]):] + KINDS[kind][:seed % len(KINDS[kind])]
        plan = {**self.facts, "kinds": kinds, "seed": seed, "copies": 1, "threads": THREADS, "span": SPANS[seed // 2 % len(SPANS)],
                # The inspectors race on what they keep, too: so every other time the loader is initialised before.
                "ready": kind == "both inspectors" and seed % 2 == 1,
                "function": 0 if kind == "cuInit" else None, "missing": False, "without": (), "wants": {}, "after": "", "limit": LIMIT - 20,
                "offsets": self.offsets}
        try:
            done = self.start(str(HERE / "race.py"), repr(plan))
        except subprocess.TimeoutExpired:
            return "hung", ""
        lines = done.stdout.strip().splitlines()
        if done.returncode in (0, 3) and lines:
            wrong = [what for _, what in ast.literal_eval(lines[-1])["wrong"]]
            errors = [what for what in wrong if "Error(" in what]
            shared = [what for what in wrong if "handed the same dict" in what or "names of the module" in what]
            if set(wrong) - set(errors) - set(shared):
                return "wrong value", next(what for what in wrong if what not in errors and what not in shared)
            return ("exception", errors[0]) if errors else ("good but for shared state", shared[0]) if shared else ("good", "")
        if done.returncode == -14:
            return "hung", ""
        return f"signal {-done.returncode}" if done.returncode < 0 else f"exit {done.returncode}", done.stderr[-600:]


def run(options):
    facts = json.loads((HERE / "manifest.json").read_text())
    print(facts["interpreter"], flush=True)
    subjects = [Trials(name, subject) for name, subject in facts["subjects"].items() if options.only in name]
    each = -(-options.processes // len(KINDS))
    # Subjects take turns, so that whatever else the machine does is the same for all.
    todo = [(subject, kind, seed) for kind in KINDS for seed in range(each) for subject in subjects]
    counts, said = collections.defaultdict(collections.Counter), {}
    with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
        for (subject, kind, seed), (ended, what) in zip(todo, pool.map(lambda job: job[0].one(*job[1:]), todo)):
            counts[subject.name, kind][ended] += 1
            if what:
                said.setdefault(f"{subject.name}, {ended}", f"{kind}, seed {seed}: {what}")
    rows = [{"subject": name, "kind": kind, "processes": sum(row.values()), "ended": dict(row)} for (name, kind), row in counts.items()]
    for row in rows:
        print(f"{row['subject']:<20} {row['kind']:<18} {row['processes']:>5} processes: " + ", ".join(f"{n} {how}" for how, n in sorted(row["ended"].items())))
    for what, example in said.items():
        print(f"  {what}: {example}")
    if options.json:
        options.json.write_text(json.dumps({"interpreter": facts["interpreter"], "threads": THREADS, "rows": rows, "examples": said}, indent=1) + "\n")
    bad = [row for row in rows if row["subject"].startswith("emitted") and set(row["ended"]) != {"good"}]
    control = [row for row in rows if row["subject"] == CONTROL]
    total = sum(row["processes"] for row in control)
    wrong = total - sum(row["ended"].get("good", 0) for row in control)
    silent = control and wrong < SEEN * total
    if silent:
        print(f"the control went wrong in {wrong} of {total} processes alone: these trials show little")
    return 1 if bad or silent else 0


def main():
    parser = argparse.ArgumentParser(description="First calls raced on a real driver, free-threaded.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("prepare").add_argument("folder", type=Path)
    runs = commands.add_parser("run")
    runs.add_argument("--processes", type=int, default=1000, help="of each subject (default 1000)")
    runs.add_argument("--at-once", type=int, default=max(1, (os.cpu_count() or 1) // 4), help="processes at a time")
    runs.add_argument("--only", default="", help="subjects whose name has this")
    runs.add_argument("--json", type=Path)
    options = parser.parse_args()
    if options.command == "run":
        return run(options)
    prepare(options.folder.resolve())
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What emitted code costs, beside the published style and beside locks: `make bench-emitted`.

    python tests/bench_emitted.py --rounds 9 --json figures.json
    python tests/bench_emitted.py --styles 'ours|published' --no-build

Measured is the driver loader of CUDA 12: ours; the one that the wheel of 12.9.10 ships,
from its own source; and edits of ours that initialise under a lock (threads/lock_styles.py).
All are made alike (Cython 3.2.9, C++, -O3), and take turns on this machine.  They bind a
library that answers each look-up at once, and that is loaded beforehand, so what is left is
the loader's own.

A first initialisation is one fresh process: its threads wait in C until one moment, then
each makes its first call without the interpreter, and what counts is the time from that
moment until the last one has its answer.  The free-threaded interpreter is the one of
`make test-threads` (PYTHON_FT, on PATH, or built before); none is built here.  Nothing is
asserted but that answers are right.
"""

import argparse
import ast
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "threads"), str(HERE)]

import bench_loader
import compilers
import conftest
import figures
import interpreters
import lock_styles
import modules
import mutants
from bench_loader import CYTHON, LANGUAGE, TARGET

THREADS = (1, 2, 4, 8, 16)
RUNS = 9  # processes a round, for each number of threads
BUILD_ROUNDS = 3  # of all rounds: how long a build takes differs little from one to the next
HOT_CALLS, HOT_CALLS_IN_TWO = 5_000_000, 20_000_000  # the second is by the clock on the wall: long beside a turn of the scheduler
INSPECTED = {"_inspect_function_pointers": 300, "_inspect_function_pointer": 200_000}  # calls a run

# Added to what calls the loader: bench_loader's loop of hot calls, and from the gate a first call and such a loop.
CALLS = {"first": "_cuDriverGetVersion(NULL) + x"}
MORE = bench_loader.HOT + """
cdef extern from "gate.h" nogil:
    long long gate_start
    long long gate_now()

def released(int x):
    cdef long long ended
    cdef int result
    with nogil:
        gate_wait(0)
        result = gate_calls[0](x)
        ended = gate_now()
    assert result == x
    return ended - gate_start

def released_hot(int calls):
    cdef int i
    with nogil:
        gate_wait(0)
        for i in range(calls):
            _cuDriverGetVersion(NULL)
    return (gate_now() - gate_start) / <double>calls
"""

RACE = """
import threading
import calls
def race(function, arguments):
    "The most that function(argument) gives, called in a thread for each argument."
    took = [None] * len(arguments)
    def work(k):
        took[k] = function(arguments[k])
    threads = [threading.Thread(target=work, args=(k,)) for k in range(len(took))]
    for thread in threads:
        thread.start()
    calls.open_gate(len(took))
    for thread in threads:
        thread.join()
    return max(took)
"""

FIRST = RACE + """
import sys
import cuda.pathfinder
cuda.pathfinder.load_nvidia_dynamic_lib("cuda")
print(race(calls.released, range(int(sys.argv[1]))))
"""

WARM = RACE + f"""
import time
import cuda.bindings._internal.driver as loader
def nanoseconds(function, arguments, count):
    started = time.perf_counter_ns()
    for _ in range(count):
        function(*arguments)
    return (time.perf_counter_ns() - started) / count
every, one = loader._inspect_function_pointers, loader._inspect_function_pointer
assert every()["__cuInit"] == one("__cuInit") != 0
print({{"hot": calls.nanoseconds({HOT_CALLS}), "two": race(calls.released_hot, [{HOT_CALLS_IN_TWO}] * 2), "every": nanoseconds(every, (), {INSPECTED["_inspect_function_pointers"]}),
       "one": nanoseconds(one, ("__cuInit",), {INSPECTED["_inspect_function_pointer"]}), "symbols": len(every())}})
"""

BUILDING = {"cython": ("Cython", "s", 1e3), "compile": ("compiler, -O3", "s", 1e3), "lines": ("C++ lines", "thousands", 1e3),
            "size": ("stripped size", "kB", 1e3)}
WARM_MEASURES = {"hot": ("hot call", "ns", 1), "two": ("hot call in two threads", "ns", 1), "one": ("inspector of one", "ns", 1), "every": ("inspector of all", "us", 1e3)}
FIRST_MEASURES = {n: (f"first call, {n} thread{'s' if n > 1 else ''}", "us", 1e3) for n in THREADS}
MEASURES = {**BUILDING, **WARM_MEASURES, **FIRST_MEASURES}


def trees(folder):
    """{style: tree} with ours first. Only the loader is built, so there is no cydriver.pyx."""
    kept = shutil.ignore_patterns("cydriver.pyx", "__pycache__")
    name = "cuda/bindings/_internal/driver_linux.pyx"
    text = (TARGET.tree / name).read_text()
    found = {}
    for style, edits in {"ours": None, "published": None, **lock_styles.STYLES}.items():
        tree = found[style] = folder / f"tree{len(found)}"
        if style == "published":
            bench_loader.published_tree(tree)
            (tree / "cuda/bindings/cydriver.pyx").unlink()
        else:
            shutil.copytree(TARGET.tree / "cuda", tree / "cuda", ignore=kept)
        if edits:
            (tree / name).write_text(mutants.apply(style, text, edits))
    return found


class Built:
    """One style on one interpreter."""

    def __init__(self, interpreter, style, tree):
        self.interpreter = interpreter
        shop = modules.Workshop(interpreter, CYTHON, figures.FLAGS)
        self.subject = shop.driver(f"bench {style}", tree, TARGET.include, TARGET.release, LANGUAGE, CALLS, {"first": 0}, MORE,
                                   (conftest.DATA / "answering_libcuda.c").read_text())

    def python(self, code, *arguments):
        """What a program prints, in a process of its own."""
        env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "CUDA_"))} | self.subject.environment()
        env["PYTHONPATH"] = f"{self.subject.folder}{os.pathsep}{env['PYTHONPATH']}"
        if self.interpreter.free_threaded:
            env["PYTHON_GIL"] = "0"  # the published loader does not say that it is made for this
        done = subprocess.run([*self.interpreter.command(), "-S", "-c", code, *map(str, arguments)], env=env, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            sys.exit(f"{self.subject.name}, {self.interpreter}: exit {done.returncode}\n{done.stderr[-4000:]}")
        return done.stdout

    def warm(self):
        return ast.literal_eval(self.python(WARM))

    def first(self):
        return {threads: statistics.median(int(self.python(FIRST, threads)) for _ in range(RUNS)) for threads in THREADS}


class Figures:
    """{(interpreter, style, measure): one value a round}; building is of no interpreter."""

    def __init__(self):
        self.values = {}

    def add(self, interpreter, style, found):
        for measure in found.keys() & MEASURES.keys():
            self.values.setdefault((interpreter, style, measure), []).append(found[measure] / MEASURES[measure][2])

    def rows(self, styles):
        """As they are written to JSON, those of a line of the table together."""
        for interpreter in dict.fromkeys(key[0] for key in self.values):
            for measure, (what, unit, _) in MEASURES.items():
                for style in styles:
                    values = self.values.get((interpreter, style, measure))
                    if values:
                        low, median, high = figures.quartiles(values)
                        times = figures.ratios(values, self.values[interpreter, styles[0], measure])[1]
                        yield {"on": interpreter, "measure": what, "unit": unit, "style": style, "low": low, "median": median, "high": high,
                               "times": times, "rounds": len(values)}


def show(rows, styles):
    """A table: medians and how many times the first style's they are, below them the quartiles."""
    def line(first, cells):
        print(f"{first:28}" + "".join(f"{text:>20}" for text in cells))

    for interpreter in dict.fromkeys(row["on"] for row in rows):
        print()
        line(interpreter, styles)
        here = [row for row in rows if row["on"] == interpreter]
        for what, unit in dict.fromkeys((row["measure"], row["unit"]) for row in here):
            cells = [row for row in here if row["measure"] == what]
            line(f"{what}, {unit}", [number(row["median"]) + ("" if row["style"] == styles[0] else f" x{row['times']:.2f}") for row in cells])
            line("", [f"({number(row['low'])}-{number(row['high'])})" for row in cells])


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def usable():
    """The interpreters to run on: the one that runs this, and a free-threaded one if it is at hand."""
    own = interpreters.inspect(sys.executable, "runs the tests", need_free_threaded=False)
    if own.free_threaded:
        print(f"measured on {own}; with the GIL when the tests' environment is made with such a Python")
        return [own]
    try:
        free, why = interpreters.at_hand("ft"), "none is named by PYTHON_FT, on PATH, or built"
    except interpreters.Unsuitable as problem:
        free, why = None, str(problem)
    for interpreter in filter(None, (own, free)):
        print(f"measured on {interpreter}")
    if free is None:
        print(f"!!! NOT measured on a free-threaded CPython: {why}.\n!!! `make test-threads` builds one, and this finds it then.")
    return [own, free] if free else [own]


def prepare(found, pythons):
    """{(interpreter, style): Built}. A compiler that cannot build std::call_once leaves it out; any other refusal ends this."""
    built = {}
    for style, tree in list(found.items()):
        for python in pythons:
            print(f"building: {style}, {python.short()}", file=sys.stderr, flush=True)
            try:
                built[python, style] = Built(python, style, tree)
            except compilers.CompileError as problem:
                if style != "std::call_once":
                    raise
                print(f"!!! {style} is not measured: it does not build here:\n{str(problem)[-600:]}")
                found.pop(style, None)
                break
    return {key: value for key, value in built.items() if key[1] in found}


def main():
    parser = argparse.ArgumentParser(description="Measure emitted code beside the published style and beside locks.")
    parser.add_argument("--rounds", type=int, default=5, help=f"rounds, in which all styles take turns (default 5; builds: {BUILD_ROUNDS} of them)")
    parser.add_argument("--styles", default="", help="a pattern: measure ours and the styles whose name has it")
    parser.add_argument("--no-build", action="store_true", help="do not measure how long building takes")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds: expected 1 or more")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        found = {style: tree for style, tree in trees(folder).items() if style == "ours" or re.search(options.styles, style)}
        pythons = usable()
        built = prepare(found, pythons)
        settings = TARGET.settings(CYTHON, LANGUAGE, flags=figures.FLAGS)
        making = {style: figures.Making(tree, folder / f"making{k}", settings) for k, (style, tree) in enumerate(found.items())}
        symbols = {style: built[pythons[0], style].warm()["symbols"] for style in found}
        about = f"{settings.compiler.version}; {os.cpu_count()} {platform.machine()} processors, load {os.getloadavg()[0]:.1f}; Cython {CYTHON}; {options.rounds} rounds"
        print(f"{about}\nsymbols: " + ", ".join(f"{style} {count}" for style, count in symbols.items()), flush=True)
        results = Figures()
        for number in range(options.rounds):
            print(f"round {number + 1} of {options.rounds}", file=sys.stderr, flush=True)
            if number < BUILD_ROUNDS and not options.no_build:
                for style in found:
                    results.add("building", style, {step: getattr(making[style], step)() for step in ("cython", "lines", "compile", "size")})
            for (python, style), one in built.items():
                results.add(python.short(), style, one.warm() | one.first())
    rows = list(results.rows(list(found)))
    show(rows, list(found))
    if options.json:
        facts = {python.short(): str(python) for python in pythons}
        options.json.write_text(json.dumps({"about": about, "interpreters": facts, "symbols": symbols, "figures": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()

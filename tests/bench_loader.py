"""The emitted driver loader against the published one, built from the .pyx in the wheel of 12.9.10.

    make bench-python
    python tests/bench_loader.py --rounds 9

Both are built the same way (Cython 3.2.9, C++, the system's compiler, -O3), in
alternating runs on this machine.  A line says what was measured per symbol (the
two differ little in how many they have), the median of the rounds' ratios with
their quartiles, and the limit that the project set itself.  Nothing is asserted.
"""

import argparse
import os
import shutil
import statistics
import tempfile
from pathlib import Path

import build
import compilers
import conftest
import figures
import package

TARGET = next(target for target in conftest.TARGETS if target.major == "12")
CYTHON, LANGUAGE = "3.2.9", "c++"
FILES = ("cydriver.pxd", "cydriver.pyx", "_internal/driver.pxd", "_internal/driver_linux.pyx")

# First initialisation: the library is found beforehand, so that what is left is the loader's.
FIRST = """
import time
import cuda.pathfinder
import cuda.bindings._internal.driver as driver
cuda.pathfinder.load_nvidia_dynamic_lib("cuda")
started = time.perf_counter_ns()
driver._inspect_function_pointer("__cuInit")
print(time.perf_counter_ns() - started)
"""

HOT = """
from libc.time cimport clock, clock_t, CLOCKS_PER_SEC
from cuda.bindings._internal.driver cimport _cuDriverGetVersion

def nanoseconds(int calls):
    cdef int version = 0, i
    cdef clock_t started
    _cuDriverGetVersion(&version)
    with nogil:
        started = clock()
        for i in range(calls):
            _cuDriverGetVersion(&version)
        started = clock() - started
    return started * 1e9 / CLOCKS_PER_SEC / calls
"""

HOT_CALLS = 20_000_000
FIRST_RUNS = 15  # processes a round: a single first call is at the mercy of the machine


def published_tree(folder):
    """A tree like ours, of the published sources."""
    original = Path(os.environ["CYBINDGO_PUBLISHED"]) / TARGET.published / "cuda" / "bindings"
    shutil.copytree(TARGET.tree / "cuda", folder / "cuda", ignore=shutil.ignore_patterns("*.pyx", "cydriver.*", "driver.pxd"))
    for name in FILES:
        shutil.copyfile(original / name, folder / "cuda" / "bindings" / name)
    return folder


class Side(figures.Making):
    """One of the two loaders, and how it is measured; each method is one run."""

    def __init__(self, name, tree, folder, library):
        super().__init__(tree, folder / name, TARGET.settings(CYTHON, LANGUAGE, flags=figures.FLAGS))
        built = build.build_package(tree, self.settings)
        hot = build.build_module("hot", HOT, self.settings, built.source)
        self.package = package.built(built).with_path(hot.path).on(library)
        self.symbols = len(self.package.capi()[figures.MODULE])

    def first(self):
        return statistics.median(int(self.package.python(FIRST).stdout) for _ in range(FIRST_RUNS))

    def hot(self):
        return float(self.package.python(f"import hot; print(hot.nanoseconds({HOT_CALLS}))").stdout)


MEASURES = (  # method, what, unit, the limit: of the ratio, or for a hot call of the difference in ns
    ("cython", "Cython time", "ms a symbol", "ratio at most 0.75"),
    ("lines", "C++ lines", "lines a symbol", "ratio at most 0.40"),
    ("compile", "compile time, -O3", "ms a symbol", "ratio at most 0.30"),
    ("size", "stripped size", "bytes a symbol", "ratio at most 0.45"),
    ("first", "first initialisation", "ns a symbol", "ratio at most 1"),
    ("hot", "hot call", "ns", "at most 0.3 ns more"),
)


def main():
    arguments = argparse.ArgumentParser(description="Measure the emitted loader against the published one.")
    arguments.add_argument("--rounds", type=int, default=7, help="alternating runs of each (default 7)")
    rounds = arguments.parse_args().rounds
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        library = compilers.default().shared_library(conftest.DATA / "answering_libcuda.c", folder / "lib" / "libcuda.so.1").parent
        ours = Side("ours", TARGET.tree, folder, library)
        theirs = Side("published", published_tree(folder / "tree"), folder, library)
        print(f"{compilers.default().version}; {ours.symbols} symbols against {theirs.symbols}; {rounds} rounds")
        print(f"{'':22}{'ours':>9}{'published':>11}  {'':15}{'ratio (quartiles)':22}{'difference':12}limit")
        for method, what, unit, limit in MEASURES:
            mine, other = [], []
            for _ in range(rounds):
                for side, values in ((ours, mine), (theirs, other)):
                    values.append(getattr(side, method)() / (side.symbols if unit.endswith("a symbol") else 1))
            low, middle, high = figures.ratios(mine, other)
            print(f"{what:22}{statistics.median(mine):9.2f}{statistics.median(other):11.2f}  {unit:15}"
                  f"{middle:5.2f} ({low:.2f} to {high:.2f})   {statistics.median(mine) - statistics.median(other):+9.2f}   {limit}", flush=True)


if __name__ == "__main__":
    main()

"""The generated driver bindings on a real driver and GPU; not a part of `make test`.

    make test-gpu
    python tests/gpu.py --language c++ --races 5 --json report.json generated/cuda_bindings_13

Each tree is built and then questioned in processes of their own:

    work      memory, streams, a kernel, and errors, all called without the GIL, every byte checked
    table     what initialisation found: against the addresses that the driver exports, against what
              the published package finds, and with the per-thread default stream
    lacking   a call of each function that this driver does not have
    drop-in   a copy of the published package with our modules in it does what the package does
    requests  the numbers of data/explained.json, ours and the published, asked one after the other
    race      fresh processes in which many threads make the first call at the same time

The exit code is 1 if a check failed.  Only the standard library and Cython are
needed, and the folders that the other tests use, found through the environment
that setup_env.py prints; whatever is on PYTHONPATH is kept (for cuda.pathfinder
on a machine without the tests' environment).
"""

import argparse
import ctypes
import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

import build
import compilers
import explained
import gpu_dropin
import package

ROOT = Path(__file__).resolve().parent.parent
CYTHON = "3.2.9"
PROBE = ROOT / "tests" / "data" / "gpu_probe.pyx"
NEEDED = ("CYBINDGO_CACHE", "CYBINDGO_COMPONENTS", "CYBINDGO_CYTHON", "CYBINDGO_INCLUDE_TREES", "CYBINDGO_PUBLISHED")

RANGE = re.compile(r"^# CUDA driver API: releases? (?:\S+ to )?(\S+)\.$", re.M)
ROW = re.compile(r'\{ "__(\w+)", (\d+), \d+, (\d+), "(\w*)" \}')
STATUSES = ("found", "no such symbol", "not in this version")  # CUdriverProcAddressQueryResult
SECONDS = 120  # a process that takes longer hangs
SIZE = 1 << 20  # bytes of a round trip

# PTX ISA 6.3 and sm_75 are the oldest that every driver of CUDA 12 and 13 translates.
KERNEL = """
.version 6.3
.target sm_75
.address_size 64
.visible .entry add_index(.param .u64 data, .param .u32 count)
{
    .reg .pred %p<2>;
    .reg .b32 %r<7>;
    .reg .b64 %d<4>;
    ld.param.u64 %d1, [data];
    ld.param.u32 %r1, [count];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.u32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra done;
    mul.wide.u32 %d2, %r5, 4;
    add.u64 %d3, %d1, %d2;
    ld.u32 %r6, [%d3];
    add.u32 %r6, %r6, %r5;
    st.u32 [%d3], %r6;
done:
    ret;
}
"""

WORK = f"""
import json, sys
import gpu_probe
from concurrent.futures import ThreadPoolExecutor
facts = gpu_probe.facts()
trips = [gpu_probe.round_trip(seed, {SIZE} + seed) for seed in range(8)]
try:
    gpu_probe.no_such_device()
except RuntimeError as error:
    failed = str(error)
names = {{number: gpu_probe.name_of(number) for number in (0, 1, 2, 101, 500, 123456)}}
with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(1) as two:
    gpu_probe.retain()
    streams = [pool.submit(gpu_probe.stream_identities).result() for pool in (one, two)]
print(json.dumps([facts, trips, gpu_probe.launch(sys.argv[1].encode() + b"\\0", 100_000), failed, names, streams]))
"""

# Addresses are taken from where the library begins, so that those of two processes compare.
TABLE = """
import ctypes, json
import cuda.bindings._internal.driver as driver
found = driver._inspect_function_pointers()
one_by_one = {key: driver._inspect_function_pointer(key) for key in found}
library = ctypes.CDLL("libcuda.so.1")
with open("/proc/self/maps") as maps:
    spans = [[int(end, 16) for end in line.split()[0].split("-")] for line in maps if "/libcuda.so" in line]
base, end = spans[0][0], spans[-1][1]
def exported(symbol):
    if not hasattr(library, symbol):
        return 0
    return ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value - base
print(json.dumps({
    "found": {key: address and address - base for key, address in found.items()},
    "inside": all(base < address < end for address in found.values() if address),
    "one by one": one_by_one == found,
    "exported": {key: exported(key[2:]) for key in found},
    "twins": {key: exported(key[2:] + "_ptsz") or exported(key[2:] + "_ptds") for key in found},
}))
"""

# Without arguments: a function that is not there never looks at them.
LACKING = """
import ctypes, json, sys
import cuda.bindings._internal.driver as driver
name_of, pointer_of = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
said = {}
for key in sys.argv[1:]:
    capsule = driver.__pyx_capi__[key[1:]]
    assert driver._inspect_function_pointer(key) == 0
    try:
        said[key] = f"returned {ctypes.PYFUNCTYPE(ctypes.c_int)(pointer_of(capsule, name_of(capsule)))()}"
    except RuntimeError as error:
        said[key] = f"{type(error).__name__}: {error}"
print(json.dumps(said))
"""

REQUESTS = """
import json, sys
import gpu_probe
gpu_probe.facts()
print(json.dumps([[gpu_probe.look_up(base.encode(), version) for version in versions]
                  for base, *versions in json.loads(sys.argv[1])]))
"""

RACE = """
import json, sys
from concurrent.futures import ThreadPoolExecutor
import cuda.bindings._internal.driver as driver
import gpu_probe
threads = int(sys.argv[1])
with ThreadPoolExecutor(threads) as pool:
    calls = list(pool.map(gpu_probe.first_call, range(threads), [threads] * threads))
    gpu_probe.retain()
    trips = list(pool.map(gpu_probe.round_trip, range(threads), [65536] * threads))
lacking = sorted(key for key, address in driver._inspect_function_pointers().items() if address == 0)
print(json.dumps([calls, trips, lacking]))
"""


class Tree:
    """A generated package tree, by what its files say."""

    def __init__(self, folder):
        self.folder = Path(folder)
        loader = (self.folder / "cuda/bindings/_internal/driver_linux.pyx").read_text()
        self.release = RANGE.search(loader)[1]
        self.major = self.release.partition(".")[0]
        self.rows = {f"__{symbol}": (symbol[:int(length)], int(version), symbol + twin if twin else "")
                     for symbol, version, length, twin in ROW.findall(loader)}

    def build(self, language, paths):
        """The package with the probe on its path."""
        include = Path(os.environ["CYBINDGO_INCLUDE_TREES"]) / self.release
        compiler = next(iter(compilers.system()), None) or compilers.zig()
        settings = build.Settings(CYTHON, language, include, compiler, ("-O2",))
        built = build.build_package(self.folder, settings)
        probe = build.build_module("gpu_probe", PROBE.read_text(), settings, built.source)
        return package.Package((probe.path, built.path, *paths), environment=library_path()), built.path

    def published(self, paths):
        """The published package that the tree is held against."""
        folder, = Path(os.environ["CYBINDGO_PUBLISHED"]).glob(f"{self.major}.*")
        return folder.name, package.Package((folder, *paths), environment=library_path())


def library_path():
    """Package clears it for the stand-in libraries; here it may be how the driver is found."""
    return {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}


class Report:
    """Lines on standard output, figures for --json, and whether a check failed."""

    def __init__(self):
        self.figures, self.failed = {}, []

    def check(self, true, what):
        print(f"  {'ok  ' if true else 'FAIL'}  {what}", flush=True)
        if not true:
            self.failed.append(what)

    def say(self, what):
        print(f"        {what}", flush=True)


def work(report, ours):
    """Use the GPU; returns the facts of driver and GPU."""
    for per_thread in (False, True):
        more = {package.PER_THREAD: "1"} if per_thread else {}
        facts, trips, (wrong, absent), failed, names, streams = ours.python(WORK, KERNEL, timeout=SECONDS, **more).json
        if not per_thread:
            report.say(f"driver API {facts['driver']}, {facts['devices']} x {facts['name']}, {facts['memory'] >> 20} MiB, "
                       f"{facts['multiprocessors']} multiprocessors, compute capability {facts['compute capability']}")
        with_stream = "per-thread default stream" if per_thread else "legacy default stream"
        report.check(trips == [[True, True]] * 8, f"{with_stream}: 8 round trips of {SIZE} bytes and more, 8 memsets, over streams")
        report.check(wrong == 0, f"{with_stream}: a kernel on 100000 numbers")
        report.check(absent == 500, f"{with_stream}: CUDA_ERROR_NOT_FOUND, as a result that is no exception")
        report.check(failed == "cuDeviceGet: CUDA_ERROR_INVALID_DEVICE", f"{with_stream}: an error of the driver: {failed}")
        expected = ["CUDA_SUCCESS", "CUDA_ERROR_INVALID_VALUE", "CUDA_ERROR_OUT_OF_MEMORY", "CUDA_ERROR_INVALID_DEVICE",
                    "CUDA_ERROR_NOT_FOUND", None]
        report.check(list(names.values()) == expected, f"{with_stream}: names of errors")
        (one, legacy, mine), (two, legacy_too, other) = streams
        if per_thread:
            report.check((one, two) == (mine, other) and one != two and one != legacy, "two threads have two default streams")
        else:
            report.check(one == two == legacy == legacy_too, "two threads have one default stream")
    return facts


def table(report, tree, ours, driver):
    """What initialisation found; returns the keys of what this driver lacks."""
    once = ours.python(TABLE, timeout=SECONDS).json
    per_thread = ours.python(TABLE, timeout=SECONDS, **{package.PER_THREAD: "1"}).json
    found = {key: address for key, address in once["found"].items() if address}
    lacking = [key for key in once["found"] if key not in found]
    report.check(once["found"].keys() == tree.rows.keys(), f"{len(tree.rows)} functions in the table")
    report.say(f"the driver has {len(found)} and lacks {len(lacking)}")
    for key in lacking:
        report.say(f"  lacks {key[2:]}, of {tree.rows[key][1]}")
    newer = {key for key, (_, version, _) in tree.rows.items() if version > driver}
    left_out = {key for key, address in once["exported"].items() if not address} - newer
    report.check(set(lacking) == newer | left_out, f"that is the {len(newer)} newer than {driver} and what its library does not export: "
                 f"{sorted(left_out) or 'nothing'}")
    report.check(once["inside"] and per_thread["inside"], "every address is inside of the driver library")
    report.check(once["one by one"] and per_thread["one by one"], "one by one, the same addresses")

    symbols = [key for key in found if once["exported"][key]]
    other = [key for key in symbols if found[key] != once["exported"][key]]
    report.check(not other, f"{len(symbols)} of the {len(found)} are exported by name; another address there: {other or 'none'}")
    unnamed = {key: [name for name, address in once["exported"].items() if address == found[key]] for key in found if key not in symbols}
    report.check(not unnamed, f"found, yet not exported by that name: {unnamed or 'none'}")
    differ = {key for key in found if per_thread["found"][key] != found[key]}
    twins = {key for key in found if once["twins"][key]}
    rows = {key for key in found if tree.rows[key][2]}
    report.check(differ == twins, f"with the per-thread default stream {len(differ)} addresses differ; {len(twins)} functions "
                 f"have a twin that is exported; in one only: {sorted(differ ^ twins) or 'none'}")
    report.check(rows == twins, f"{len(rows)} rows name a twin; in one only: {sorted(rows ^ twins) or 'none'}")
    other = [key for key in differ & twins if per_thread["found"][key] != once["twins"][key]]
    report.check(not other, f"each of them is the exported twin; another address: {other or 'none'}")
    report.check([key for key in per_thread["found"] if not per_thread["found"][key]] == lacking, "the same are lacking then")
    report.figures |= {"found": len(found), "lacking": {key: tree.rows[key][:2] for key in lacking}, "exported": len(symbols),
                       "per-thread": len(differ)}
    return lacking, once, per_thread


def against_published(report, tree, published, once, per_thread):
    """The published package finds the same addresses."""
    version, theirs = published
    explained_names = {name for _, name in explained.listed("requests", tree.major)}
    for mode, mine, more in (("legacy", once, {}), ("per-thread", per_thread, {package.PER_THREAD: "1"})):
        other = theirs.python(TABLE, timeout=SECONDS, **more).json["found"]
        differ = {key for key in mine["found"].keys() | other.keys() if mine["found"].get(key) != other.get(key)}
        report.check(differ <= explained_names, f"cuda-bindings {version}, {mode}: {len(other) - len(differ)} of {len(other)} addresses "
                     f"are the same; others: {sorted(differ) or 'none'}")


def lacking_raise(report, ours, lacking):
    said = ours.python(LACKING, *lacking, timeout=SECONDS).json
    wrong = {key: what for key, what in said.items() if what != f"FunctionNotFoundError: function {key[2:]} is not found"}
    report.check(not wrong and len(said) == len(lacking), f"a call of each of the {len(said)} that are lacking raises "
                 f"FunctionNotFoundError with its name; others: {wrong or 'none'}")


def requests(report, tree, ours):
    """Ours and the published number of each explained difference, asked of the driver."""
    expected = explained.expected("requests", tree.major)
    asked = [(tree.rows[name][0], mine, published) for (_, name), (published, mine) in expected.items()]
    answers = ours.python(REQUESTS, json.dumps(asked), timeout=SECONDS).json
    report.figures["requests"] = {}
    worse = []
    for (_, name), (_, mine, published), (one, two) in zip(expected, asked, answers):
        outcome = ("the same address" if one[2] == two[2] != 0 else "neither finds it" if one[2] == two[2] else
                   "only ours finds it" if two[2] == 0 else "NOT THE SAME")
        report.say(f"{name[2:]}: {mine} (ours) {answer(one)}, {published} (published) {answer(two)}: {outcome}")
        report.figures["requests"][name] = {"ours": [mine, answer(one)], "published": [published, answer(two)], "outcome": outcome}
        if outcome == "NOT THE SAME":
            worse.append(name)
    report.check(not worse, f"what the published number finds, ours finds: but for {worse or 'nothing'}")


def answer(looked_up):
    """An answer of cuGetProcAddress in words."""
    result, status, _ = looked_up
    return STATUSES[status] if result == "CUDA_SUCCESS" else result


def race(report, ours, processes, threads):
    overlaps, seconds, wrong, lacks = [], [], [], set()
    for process in range(processes):
        try:
            calls, trips, lacking = ours.python(RACE, str(threads), timeout=SECONDS).json
        except (package.ProcessFailed, subprocess.TimeoutExpired) as error:
            wrong.append(f"process {process}: {error}")
            continue
        lacks.add(tuple(lacking))
        first = min(end for _, end, _ in calls)
        overlaps.append(sum(start < first for start, _, _ in calls))
        seconds.append((first - min(start for start, _, _ in calls)) / 1e6)
        if [result for _, _, result in calls] != [0] * threads or trips != [[True, True]] * threads:
            wrong.append(f"process {process}: {calls} {trips}")
    report.check(not wrong, f"{processes} processes, {threads} threads each: first calls and round trips; wrong: {wrong or 'none'}")
    report.check(len(lacks) == 1, "every process found the same functions")
    if overlaps:
        report.say(f"calls that had begun when the first one returned: median {statistics.median(overlaps)} of {threads}, "
                   f"least {min(overlaps)}; the first returned after {statistics.median(seconds):.2f} ms (median)")
        report.figures["race"] = {"processes": processes, "threads": threads, "overlaps": overlaps, "first ms": seconds}


def main():
    arguments = argparse.ArgumentParser(description="Check generated driver bindings on a real driver and GPU.")
    arguments.add_argument("trees", nargs="*", metavar="TREE", help="package trees (default: those in generated/)")
    arguments.add_argument("--language", choices=("c", "c++"), default="c", help="build as C (default) or C++")
    arguments.add_argument("--races", type=int, default=50, help="processes of the race (default 50)")
    arguments.add_argument("--threads", type=int, default=16, help="threads of each (default 16)")
    arguments.add_argument("--json", type=Path, help="write the figures to this file")
    options = arguments.parse_args()
    missing = [name for name in NEEDED if name not in os.environ]
    if missing:
        sys.exit(f"gpu: {', '.join(missing)} not set: run this through `make test-gpu`")
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        sys.exit(f"gpu: {error}: an NVIDIA driver and a GPU are needed")
    paths = [Path(path).resolve() for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    figures, failed = {}, []
    for folder in options.trees or sorted((ROOT / "generated").iterdir()):
        report, tree = Report(), Tree(folder)
        print(f"{tree.folder.name}, built with Cython {CYTHON} as {options.language}", flush=True)
        ours, built = tree.build(options.language, paths)
        facts = work(report, ours)
        lacking, once, per_thread = table(report, tree, ours, facts["driver"])
        published = tree.published(paths)
        against_published(report, tree, published, once, per_thread)
        names = [key[2:].removesuffix("_v2") for key in lacking]
        gpu_dropin.dropin(report, published, built, names, KERNEL, SECONDS)
        lacking_raise(report, ours, lacking)
        requests(report, tree, ours)
        race(report, ours, options.races, options.threads)
        figures[tree.folder.name] = {"driver and GPU": facts, **report.figures, "failed": report.failed}
        failed += report.failed
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1))
    print(f"{len(failed)} failed" if failed else "all checks passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

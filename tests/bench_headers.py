"""From headers to files, against clang's syntax check of the same headers; and the main job.

    make bench-python
    python tests/bench_headers.py --rounds 15

Whole processes, start to exit, in alternating runs on this machine.  The ratio of user+system
time is given as the median of the rounds' ratios with their quartiles, and peak memory
as the largest seen.  Nothing is asserted.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RELEASE = "13.5.0"
HEADERS = ("cuda.h", "cudaProfiler.h", "cudaGL.h", "cudaEGL.h", "vdpau/vdpau.h", "cudaVDPAU.h",
           "cudaTypedefs.h", "cudaProfilerTypedefs.h", "cudaGLTypedefs.h", "cudaEGLTypedefs.h", "cudaVDPAUTypedefs.h")
PROJECT = """licence: []
packages:
  - {name: bench, version: 1.0.0, module: cuda.bindings, output: out, libraries: {driver: {releases: 13.5.0}}}
"""


def run(command, cwd):
    """Seconds of processor and of wall time, and peak memory in MB, of one process."""
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - started
    assert process.returncode == 0, command
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024


def quartiles(values):
    low, _, high = statistics.quantiles(values, n=4)
    return f"{statistics.median(values):.2f} ({low:.2f} to {high:.2f})"


def against(name, ours, theirs, field, rounds, cwd, limit):
    """Alternating runs of two commands; field 0 is processor time, 1 wall time."""
    ratios, own, memory = [], [], 0
    for _ in range(rounds):
        a, b = run(ours, cwd), run(theirs, cwd)
        ratios.append(a[field] / b[field])
        own.append(a[field] * 1000)
        memory = max(memory, a[2])
    print(f"{name}: {quartiles(ratios)} times, {quartiles(own)} ms, {memory:.0f} MB; limit {limit}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    clang = shutil.which("clang")
    assert clang, "clang is not on PATH: it is what the headers' reader is measured against"
    include = Path(os.environ["CYBINDGO_INCLUDE_TREES"]) / RELEASE
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        binary = folder / "cybindgo"
        subprocess.run(["go", "build", "-o", binary, "./cmd/cybindgo"], cwd=ROOT, check=True)
        (folder / "cybindgo.yaml").write_text(PROJECT)
        (folder / "all.c").write_text("".join(f"#include <{h}>\n" for h in HEADERS))
        syntax = [clang, "-fsyntax-only", f"-I{include}", f"-I{ROOT / 'parser' / 'stubs'}", "all.c"]
        headers = [binary, "generate", "driver", "--headers", include, "--release", RELEASE]
        one = [*headers, "--target", "linux/amd64"]
        public = [*one, "--public-only"]
        against("headers to files, public view, processor time against clang", public, syntax, 0, rounds, folder, "2.5")
        against("headers to files, all views, processor time against clang", one, syntax, 0, rounds, folder, "5")
        against("three targets against one, wall time", headers, one, 1, rounds, folder, "2")
        for command in ("check", "generate"):
            runs = [run([binary, command], ROOT) for _ in range(rounds)]
            print(f"{command}, both packages: {quartiles([r[1] * 1000 for r in runs])} ms wall, "
                  f"{quartiles([r[0] * 1000 for r in runs])} ms processor, {max(r[2] for r in runs):.0f} MB; limit 60 ms, 80 MB")


if __name__ == "__main__":
    main()

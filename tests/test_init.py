"""What `cybindgo init` begins can be built: generated, compiled by its own setup.py, and called."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import compilers
import package
from conftest import ROOT
from golden_library import library
from test_build import pip_with_zig

HEADER = """\
typedef enum { DEMO_OK = 0, DEMO_ERROR_UNKNOWN = 9 } demoStatus;
typedef struct { int x, y; } demoPoint;
demoStatus demoInit(void);
double demoScale(double by);
int demoLog(const char *format, ...);
demoPoint demoWhere(int a);
"""
SOURCE = HEADER + """
demoStatus demoInit(void) { return DEMO_OK; }
double demoScale(double by) { return 2 * by; }
"""
PROBE = """
import ctypes, demo_bindings._internal.demo as loader, demo_bindings.cydemo
pointers = loader._inspect_function_pointers()
print(sorted(pointers), ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(pointers["__demoScale"])(21.0))
"""


def test_a_library_of_ones_own_from_its_header_to_a_call(tmp_path):
    program = tmp_path / "cybindgo"
    subprocess.run(["go", "build", "-o", program, "./cmd/cybindgo"], cwd=ROOT, check=True)
    project = tmp_path / "project"
    (project / "include").mkdir(parents=True)
    (project / "include" / "demo.h").write_text(HEADER)
    for command in (["init", "--library", "demo", "--headers", "include"], ["generate"], ["check"]):
        done = subprocess.run([program, *command], cwd=project, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    environment = {**os.environ, "PYTHONPATH": str(Path(os.environ["CYBINDGO_CYTHON"]) / "3.3.1"), "CFLAGS": "-O0"}
    environment.pop("CUDA_HOME", None)  # types are inline: no header is needed
    compiler = compilers.default()
    if compiler.name == "zig":
        environment |= pip_with_zig(compiler, tmp_path)
    done = subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps", "--no-index",
                           "--wheel-dir", tmp_path / "wheels", project / "generated" / "demo_bindings"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    assert done.returncode == 0, done.stdout[-8000:]
    (wheel,) = (tmp_path / "wheels").glob("demo_bindings-0.1.0-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    answer = package.Package((tmp_path / "installed",), library(SOURCE, "libdemo.so.1")).python(PROBE)
    assert answer.stdout == "['__demoInit', '__demoScale'] 42.0\n"

"""The Windows loader compiles for Windows, with the headers of the Windows wheels (it is not run)."""

import shutil
from pathlib import Path

import compilers
import explained
import package
import pytest

import build

TARGET = "x86_64-windows-gnu"


@pytest.fixture(scope="session")
def python_include(tmp_path_factory):
    """This Python's headers with a pyconfig.h that says Windows."""
    folder = tmp_path_factory.mktemp("python") / "include"
    shutil.copytree(build.PYTHON_INCLUDE, folder)
    shutil.copyfile(Path(__file__).parent / "data" / "windows" / "pyconfig.h", folder / "pyconfig.h")
    return folder


def compile_for_windows(target, way, python_include, folder, stem):
    """(warnings, object file) of one module's C or C++, by the dotted stem of its .pyx."""
    cythonized, made = build.cythonize_package(target.tree, *way), folder / f"{stem}.o"
    flags = ["-O0", "-fwrapv", *build.WARNINGS]
    # The headers of other libraries than the driver are the same for both platforms.
    for include in (python_include, target.include_windows, build.include_folders(target.include)[1]):
        flags += ["-isystem", str(include)]
    return compilers.zig(TARGET).compile(cythonized.file(stem), made, flags, way[1]), made


@pytest.mark.parametrize("stem", [stem for library in ("driver", *package.LIBRARIES) for stem in (f"cuda.bindings._internal.{library}_windows", f"cuda.bindings.cy{library}")])
def test_compiles_for_windows(target, way, python_include, tmp_path, stem):
    warned, made = compile_for_windows(target, way, python_include, tmp_path, stem)
    assert explained.unexplained(warned) == []
    assert made.read_bytes()[:2] == b"\x64\x86", "an object file for Windows on x86-64"


def test_the_loader_looks_symbols_up_as_windows_does(target, python_include, tmp_path):
    _, made = compile_for_windows(target, ("3.3.1", "c"), python_include, tmp_path, "cuda.bindings._internal.driver_windows")
    content = made.read_bytes()
    assert b"GetProcAddress" in content and b"dlsym" not in content

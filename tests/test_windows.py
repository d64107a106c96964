"""The Windows loader compiles for Windows, with the headers of the Windows wheels (it is not run)."""

import shutil
from pathlib import Path

import compilers
import explained
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


def compile_for_windows(target, way, built, python_include, folder, module, pyx):
    cython, language = way
    source, made = folder / f"{module}{'.c' if language == 'c' else '.cpp'}", folder / f"{module}.o"
    build.cythonize(built.source / pyx, module, source, cython, language, [built.source])
    flags = ["-O0", "-fwrapv", *build.WARNINGS]
    for include in (python_include, target.include_windows):
        flags += ["-isystem", str(include)]
    return compilers.zig(TARGET).compile(source, made, flags, language), made


@pytest.mark.parametrize("module, pyx", [
    ("cuda.bindings._internal.driver", "cuda/bindings/_internal/driver_windows.pyx"),
    ("cuda.bindings.cydriver", "cuda/bindings/cydriver.pyx"),
], ids=["loader", "cydriver"])
def test_compiles_for_windows(target, way, built, python_include, tmp_path, module, pyx):
    warned, made = compile_for_windows(target, way, built, python_include, tmp_path, module, pyx)
    assert explained.unexplained(warned) == []
    assert made.read_bytes()[:2] == b"\x64\x86", "an object file for Windows on x86-64"


def test_the_loader_looks_symbols_up_as_windows_does(target, built, python_include, tmp_path):
    _, made = compile_for_windows(target, ("3.3.1", "c"), built, python_include, tmp_path,
                                  "cuda.bindings._internal.driver", "cuda/bindings/_internal/driver_windows.pyx")
    content = made.read_bytes()
    assert b"GetProcAddress" in content and b"dlsym" not in content

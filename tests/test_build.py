"""The generated packages build: both Cythons, C and C++, every compiler, without unexplained warnings."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import build
import compilers
import explained
import package
import pytest
from conftest import CYTHONS, LANGUAGES, TARGETS


def test_modules_import_and_export_the_same_functions(target, built, stub):
    signatures = package.built(built).on(stub).capi()
    cydriver, loader = (signatures[module] for module in package.MODULES)
    assert len(cydriver) > 400
    assert {f"_{target.symbol(name)}": signature for name, signature in cydriver.items()} == loader


def test_every_way_of_building_gives_the_same_interface(target, stub, built, ours):
    assert package.built(built).on(stub).capi() == ours.on(stub).capi()


def test_cuda_stays_a_namespace_package(target):
    assert not (target.tree / "cuda" / "__init__.py").exists()
    assert not (target.tree / "cuda" / "__init__.pxd").exists()


@pytest.mark.parametrize("compiler", compilers.every(), ids=lambda compiler: compiler.name)
def test_warnings_are_explained(target, way, compiler):
    built = target.build(*way, compiler=compiler)
    assert explained.unexplained(built.warnings) == []


def test_cython_does_not_warn(built):
    assert built.cython == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_optimised_build_warns_of_nothing_more(target, language):
    """Some warnings (a value that may be used before it is set) need the optimiser."""
    built = target.build(CYTHONS[-1], language, flags=("-O2",))
    assert explained.unexplained(built.warnings) == []


def test_no_explained_warning_is_stale():
    """Every entry explains a warning that one of the builds above gives (of the compilers on this machine)."""
    used, families = set(), {compiler.family for compiler in compilers.every()}
    for target in TARGETS:
        for cython in CYTHONS:
            for language in LANGUAGES:
                for compiler in compilers.every():
                    explained.unexplained(target.build(cython, language, compiler=compiler).warnings, used)
    entries = explained.EXPLAINED["warnings"]
    stale = [entry for index, entry in enumerate(entries) if index not in used and set(entry["compilers"]) & families]
    assert stale == []


def test_a_wheel_builds_with_pip_and_holds_what_it_should(target, tmp_path, stub):
    """The tree's own pyproject.toml and setup.py, as a user builds them, with setuptools' own idea of flags."""
    environment = {**os.environ, "PYTHONPATH": str(Path(os.environ["CYBINDGO_CYTHON"]) / "3.2.9"), "CFLAGS": "-O0"}
    environment["CUDA_HOME"] = str(toolkit_root(target, tmp_path))
    compiler = compilers.default()
    if compiler.name == "zig":
        environment |= pip_with_zig(compiler, tmp_path)
    copy = tmp_path / "tree"
    copy_tree(target.tree, copy)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps", "--no-index",
               "--wheel-dir", str(tmp_path / "wheels"), str(copy)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    assert done.returncode == 0, done.stdout[-8000:]
    (wheel,) = (tmp_path / "wheels").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path / "installed")
    assert not names & {"cuda/__init__.py", "cuda/__init__.pxd"}
    assert {"cuda/bindings/cydriver.pxd", "cuda/bindings/_internal/driver.pxd"} <= names
    installed = package.Package((tmp_path / "installed",), stub)
    assert installed.capi() == package.built(target.build("3.2.9", "c++")).on(stub).capi()


def toolkit_root(target, folder):
    """A folder laid out as a toolkit: its include/ has the headers of all libraries."""
    include = folder / "toolkit" / "include"
    include.mkdir(parents=True)
    for part in build.include_folders(target.include)[:2]:
        for entry in part.iterdir():
            (include / entry.name).symlink_to(entry.resolve())
    return include.parent


def copy_tree(tree, copy):
    """pip builds in place, and the repository is not a place to build in."""
    import shutil

    shutil.copytree(tree, copy, ignore=shutil.ignore_patterns("*.so", "*.egg-info", "build", "__pycache__"))


def pip_with_zig(compiler, folder):
    """Environment for setuptools on a machine without a compiler: wrappers that drop what zig does not know."""
    names = {}
    for name, command in (("CC", compiler.cc), ("CXX", compiler.cxx)):
        wrapper = folder / f"zig-{name.lower()}"
        wrapper.write_text("#!/bin/sh\nfor word do\n  shift\n  case \"$word\" in\n"
                           "    -specs=*|-flto*|-ffat-lto-objects|-fcf-protection*|-fuse-linker-plugin) ;;\n"
                           "    *) set -- \"$@\" \"$word\" ;;\n  esac\ndone\n"
                           f"exec {' '.join(command)} \"$@\"\n")
        wrapper.chmod(0o755)
        names[name] = str(wrapper)
    return {**names, "LDSHARED": f"{names['CC']} -shared", "LDCXXSHARED": f"{names['CC']} -shared"}

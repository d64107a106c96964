"""Fixtures: the packages under test, built; the stand-in libraries; the published wheels.

Run through `make test-python`, which sets the environment that setup_env.py prints.
"""

import functools
import hashlib
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

import build
import compilers
import package

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data"
CYTHONS = ("3.2.9", "3.3.1")
LANGUAGES = ("c", "c++")

MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(cu\w+)[ \t]+(?:__CUDA_API_(PTDS|PTSZ)\()?(cu\w+)\)?[ \t]*$", re.M)
DRIVER_HEADERS = ("cuda.h", "cudaGL.h", "cudaEGL.h", "cudaVDPAU.h", "cudaProfiler.h")


@dataclass(frozen=True)
class Target:
    """One generated package and what it is held against."""

    major: str
    published: str  # version of cuda-bindings
    release: str  # newest release of the driver's range: its headers, its stand-in
    # Records that the published .pxd names and C++ does not know by that name: they
    # are declared inside of another. Their fields are reached through it.
    nameless: frozenset = frozenset()
    # Enumerators that the published .pxd declares and the headers of the release no
    # longer do, so that only ours can be used: their values.
    gone: tuple = ()

    @property
    def tree(self):
        folder = Path(os.environ.get("CYBINDGO_GENERATED", ROOT / "generated")) / f"cuda_bindings_{self.major}"
        assert (folder / "cuda" / "bindings" / "cydriver.pyx").exists(), (
            f"{folder} is not generated: run `go run ./cmd/cybindgo generate`")
        return folder

    @property
    def include(self):
        return Path(os.environ["CYBINDGO_INCLUDE_TREES"]) / self.release

    @property
    def include_windows(self):
        return Path(os.environ["CYBINDGO_INCLUDE_TREES_WINDOWS"]) / self.release

    def settings(self, cython, language, **more):
        return build.Settings(cython, language, self.include, **more)

    def build(self, cython, language, **more):
        return build.build_package(self.tree, self.settings(cython, language, **more))

    @functools.cached_property
    def symbols(self):
        """{public name: (symbol, per-thread symbol)} where they differ, by the macros of the headers."""
        found = {}
        for header in DRIVER_HEADERS:
            for public, suffix, symbol in MACRO.findall((self.include / header).read_text(errors="replace")):
                found[public] = symbol, symbol + (f"_{suffix.lower()}" if suffix else "")
        return found

    def symbol(self, public, per_thread=False):
        """The symbol that a public name stands for. A name without a macro is its own;
        a superseded one has a per-thread twin where the current one has."""
        if public in self.symbols:
            return self.symbols[public][per_thread]
        current = self.symbols.get(re.sub(r"_v\d+$", "", public), ("", ""))
        return public + (current[1].removeprefix(current[0]) if per_thread else "")


TARGETS = (
    Target("13", "13.5.0", "13.5.0",
           gone=(("CU_TARGET_COMPUTE_101", 101), ("CU_TARGET_COMPUTE_101A", 0x10000 + 101), ("CU_TARGET_COMPUTE_101F", 0x20000 + 101))),
    Target("12", "12.9.10", "12.9.0",
           nameless=frozenset(f"CUstreamMemOp{which}Params_st" for which in ("WaitValue", "WriteValue", "FlushRemoteWrites", "MemoryBarrier"))),
)

# One build of each package that tests of behaviour use: C with the newest Cython
# for one, C++ with the oldest for the other.
ONE_BUILD = {"13": ("3.3.1", "c"), "12": ("3.2.9", "c++")}


@pytest.fixture(scope="session", params=TARGETS, ids=lambda target: f"cuda{target.major}")
def target(request):
    return request.param


@pytest.fixture(scope="session", params=[(cython, language) for cython in CYTHONS for language in LANGUAGES],
                ids=lambda way: "cython{}-{}".format(*way))
def way(request):
    """How to build: (Cython version, language)."""
    return request.param


@pytest.fixture(scope="session")
def built(target, way):
    """The package built this way."""
    return target.build(*way)


@pytest.fixture(scope="session")
def one_built(target):
    """The package built in one way, for what does not depend on it."""
    return target.build(*ONE_BUILD[target.major])


@pytest.fixture(scope="session")
def one_settings(target):
    return target.settings(*ONE_BUILD[target.major])


def stand_in(source, *flags, name="libcuda.so.1"):
    """The folder of a shared library compiled from C text, in the cache."""
    compiler = compilers.default()
    key = hashlib.sha256("\0".join([source, *flags, *compiler.cc, compiler.version]).encode()).hexdigest()[:24]
    library = Path(os.environ["CYBINDGO_CACHE"]) / "build" / f"stub-{key}" / name
    if not library.exists():
        library.parent.mkdir(parents=True, exist_ok=True)
        text = library.with_name(f"stub-{os.getpid()}.c")
        text.write_text(source)
        made = compiler.shared_library(text, library.with_name(f"{library.name}.{os.getpid()}"), flags)
        made.rename(library)
    return library.parent


@functools.cache
def stub_source(release, library="driver"):
    """What `cybindgo stub` writes for a release."""
    command = ["go", "run", "./cmd/cybindgo", "stub", library, "--release", release]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}: exit {done.returncode}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def stub(target):
    """The folder of the stand-in driver of the target's newest release."""
    return stand_in(stub_source(target.release))


@pytest.fixture(scope="session")
def old_stub(target):
    """The same without cuGetProcAddress_v2."""
    return stand_in(stub_source(target.release), "-DCYBINDGO_STUB_NO_PROC_ADDRESS")


@pytest.fixture(scope="session")
def logging_library():
    """A library that answers every look-up and records it."""
    return stand_in((DATA / "logging_libcuda.c").read_text())


@pytest.fixture(scope="session")
def published(target):
    return package.published(target.published)


@pytest.fixture(scope="session")
def ours(one_built):
    return package.built(one_built)


@pytest.fixture(scope="session")
def drop_in(target, one_built, tmp_path_factory):
    """The published package with our low-level modules in place of its own."""
    original = Path(os.environ["CYBINDGO_PUBLISHED"]).resolve() / target.published
    folder = tmp_path_factory.mktemp(f"dropin{target.major}")
    replaced = {one_built.module_file(module).relative_to(one_built.path): one_built.module_file(module)
                for module in (*package.MODULES, *(f"cuda.bindings.{part}{library}" for library in package.LIBRARIES for part in ("cy", "_internal.")))}
    put = set()
    for path in original.resolve().rglob("*"):
        relative = path.relative_to(original.resolve())
        if path.is_file() and "__pycache__" not in relative.parts:
            link = folder / relative
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(replaced.get(relative, path))
            if relative in replaced:
                put.add(relative)
    assert put == set(replaced), "the wheel lacks a module that ours was to replace"
    return package.Package((folder,))

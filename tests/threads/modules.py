"""Builds what the trials run: a `Subject` is a folder of modules for one interpreter.

    Workshop(interpreter).demo()            the emitted loader of demo/, with probe.pyx at its end
    Workshop(interpreter).demo(edit=...)    a mutant of it
    Workshop(interpreter).found()           the one whose library a function of Python finds
    Workshop(interpreter).driver(tree)      a package of driver bindings, and a module beside it that calls it

The probe stands in the small modules themselves, so that one file is a whole subject;
the driver's is called the way users do, through cydriver.  Cython's part is shared by
all interpreters; everything is cached by what it is made from.
"""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import build
import compilers
from interpreters import Interpreter

ROOT = HERE.parents[1]
CYTHON = os.environ.get("CYBINDGO_THREADS_CYTHON", "3.3.1")
OPENER = (HERE / "opener.pyx").read_text()
DEMO_FUNCTIONS = {"demoAdd": 1000, "demoCount": 2000, "demoReset": 3000}  # what each adds to its argument: c/demo.c

# Functions of the driver that take little; the stand-in is told what to return.
DRIVER_CALLS = {"cuInit": "cuInit(<unsigned int>x)", "cuCtxSynchronize": "cuCtxSynchronize()", "cuProfilerStart": "cuProfilerStart()"}
DRIVER_RETURNS = {"cuInit": 101, "cuCtxSynchronize": 102, "cuProfilerStart": 103}


@dataclass(frozen=True)
class Subject:
    """Modules to race: what race.py needs to know."""

    name: str
    folder: Path  # for sys.path
    probe: str  # the module that has probe.pyx
    loader: str  # the module under test
    library: Path  # the stand-in's file
    keys: tuple[str, ...]  # of the inspectors, for the functions that are called
    adds: tuple[int, ...]  # what each of them adds to its argument...
    constant: bool = False  # ... or returns, whatever the argument

    def facts(self) -> dict:
        return {"probe": self.probe, "loader": self.loader, "library": str(self.library), "keys": self.keys, "adds": self.adds,
                "constant": self.constant, "folder": str(self.folder)}

    def environment(self) -> dict[str, str]:
        """For the process that runs it."""
        returns = ";".join(f"{name}={value}" for name, value in DRIVER_RETURNS.items())
        return {"LD_LIBRARY_PATH": str(self.library.parent), "PYTHONPATH": str(HERE / "stand_in"), "CYBINDGO_STUB_RETURN": returns,
                "PYTHONDONTWRITEBYTECODE": "1"}


@functools.cache
def cybindgo() -> Path:
    """The program: CYBINDGO_PROGRAM, or built from this tree."""
    if "CYBINDGO_PROGRAM" in os.environ:
        return Path(os.environ["CYBINDGO_PROGRAM"])
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    program = Path(folder.name) / "cybindgo"
    subprocess.run(["go", "build", "-o", program, "./cmd/cybindgo"], cwd=ROOT, check=True)
    return program


def says(*arguments: str, cwd: Path = ROOT) -> str:
    """What cybindgo prints."""
    done = subprocess.run([cybindgo(), *arguments], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, f"cybindgo {' '.join(arguments)}: exit {done.returncode}\n{done.stderr}"
    return done.stdout


@functools.cache
def generated_demo() -> dict[str, str]:
    """The files that it writes for demo/: {path: text}."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "demo"
        shutil.copytree(HERE / "demo", project)
        for library in ("demo", "found"):
            says("releases", "add", "1.0.0", library, "--headers", "h", cwd=project)
        says("generate", cwd=project)
        out = project / "out"
        return {str(path.relative_to(out)): path.read_text() for path in sorted(out.rglob("*.p*")) if path.suffix in (".py", ".pyx", ".pxd")}


@functools.cache
def stub_source(release: str) -> str:
    """The stand-in driver of a release."""
    return says("stub", "driver", "--release", release)


def probe(calls: list[str], head: str = "") -> str:
    """probe.pyx for these functions: names that take an int and return one."""
    slots = "".join(f"gate_calls[{i}] = {name}\n" for i, name in enumerate(calls))
    return head + (HERE / "probe_head.pyx").read_text() + slots + "\n" + (HERE / "probe.pyx").read_text()


class Workshop:
    """Builds subjects for one interpreter."""

    def __init__(self, interpreter: Interpreter, cython: str = CYTHON, optimise: tuple[str, ...] = ("-O1", "-g1")):
        self.interpreter, self.cython, self.optimise = interpreter, cython, optimise
        self.compiler = compilers.default()
        self.sanitize = []
        if interpreter.tsan:
            self.compiler = next((known for known in compilers.system() if known.name == "clang"), None)
            assert self.compiler, "a ThreadSanitizer interpreter needs modules that clang builds: install clang"
            self.sanitize = ["-fsanitize=thread"]

    def demo(self, name: str = "emitted", edit: Callable[[str], str] = lambda text: text, language: str = "c", more: str = "") -> Subject:
        return self._small("demo", name, edit, language, more)

    def found(self, name: str = "emitted, found by Python", edit: Callable[[str], str] = lambda text: text, language: str = "c") -> Subject:
        return self._small("found", name, edit, language, "")

    def _small(self, library: str, name: str, edit: Callable[[str], str], language: str, more: str) -> Subject:
        files, loader = generated_demo(), f"demo/_internal/{library}_linux.pyx"
        text = edit(files[loader]) + probe([f"_{name}" for name in DEMO_FUNCTIONS]) + more
        kept = {path: content for path, content in files.items() if path.endswith((".pxd", ".py"))}

        def lay(source: Path) -> None:
            for path, content in {**kept, loader: text}.items():
                (source / path).parent.mkdir(parents=True, exist_ok=True)
                (source / path).write_text(content)
            shutil.copyfile(HERE / "opener.pyx", source / "opener.pyx")

        cythonized = build.cythonize_all(("threads", loader, text, OPENER, *sorted(kept.items())), self.cython, language, lay)
        folder = self._compile(cythonized, language, ["-include", str(HERE / "c" / "window.h")])
        module = f"demo._internal.{library}"
        return Subject(name, folder, module, module, self._library((HERE / "c" / "demo.c").read_text(), "libdemo.so.1"),
                       tuple(f"__{name}" for name in DEMO_FUNCTIONS), tuple(DEMO_FUNCTIONS.values()))

    def driver(self, name: str, tree: Path, include: Path, release: str, language: str = "c",
               calls: dict[str, str] = DRIVER_CALLS, returns: dict[str, int] = DRIVER_RETURNS, more: str = "", library: str = "", whole: bool = False) -> Subject:
        """A tree with cuda/bindings/{cydriver,_internal/driver_linux}: ours or the published.
        Without `whole` no other library of it is built. `more` is added to what calls it; `library` is C text of another library than the release's stand-in."""
        adapters = "from cuda.bindings.cydriver cimport *\n" + "".join(
            f"\n\ncdef int _{name}(int x) except? -1 nogil:\n    return <int>{call}\n" for name, call in calls.items())
        text = "# cython: language_level=3\n# cython: freethreading_compatible=True\n" + probe([f"_{name}" for name in calls], adapters) + more

        def lay(source: Path) -> None:
            build.copy_source(tree, source)
            for pyx in () if whole else source.rglob("*.pyx"):
                if "driver" not in pyx.name:
                    pyx.unlink()
            (source / "calls.pyx").write_text(text)
            shutil.copyfile(HERE / "opener.pyx", source / "opener.pyx")

        cythonized = build.cythonize_all(("threads", name, whole, build.tree_digest(tree / "cuda"), text, OPENER), self.cython, language, lay)
        folder = self._compile(cythonized, language, [flag for folder in build.include_folders(include) for flag in ("-isystem", str(folder))])
        return Subject(name, folder, "calls", "cuda.bindings._internal.driver", self._library(library or stub_source(release), "libcuda.so.1"),
                       tuple(f"__{name}" for name in calls), tuple(returns.values()), constant=True)

    def _compile(self, cythonized: build.Cythonized, language: str, more: list[str]) -> Path:
        """The folder of the modules of cythonized sources, built for the interpreter."""
        flags = [*self.optimise, "-fPIC", "-fwrapv", "-w", *self.sanitize, "-I", str(HERE / "c"), "-isystem", str(self.interpreter.include), *more]
        stems = [stem for stem in build.stems_in(cythonized.source) if not stem.endswith("_windows")]

        def make(folder: Path) -> None:
            build.copy_python(cythonized.source, folder / "lib")
            for stem in stems:
                parts = build.module_of(stem).split(".")
                target = folder.joinpath("lib", *parts).with_name(parts[-1] + self.interpreter.suffix)
                target.parent.mkdir(parents=True, exist_ok=True)
                made = folder / f"{stem}.o"
                self.compiler.compile(cythonized.file(stem), made, flags, language)
                self.compiler.link([made], target, language, self.sanitize)
                made.unlink()

        key = build.digest("threads", cythonized.root.name, self.compiler.cc, self.compiler.version, flags, self.interpreter.version,
                           self.interpreter.program, build.tree_digest(HERE / "c"))
        return build.cached(f"threads-{key}", make)[0] / "lib"

    def _library(self, text: str, name: str) -> Path:
        """A stand-in library: not instrumented, as the real one is not."""
        plain = compilers.default()

        def make(folder: Path) -> None:
            (folder / "stand_in.c").write_text(text)
            plain.shared_library(folder / "stand_in.c", folder / name)

        return build.cached(f"threads-lib-{build.digest(text, name, plain.cc, plain.version)}", make)[0] / name

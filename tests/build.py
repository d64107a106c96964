"""Build Cython modules into an importable folder, in the cache, keyed by everything they are made from.

`build_package` builds a generated package tree; `build_module` one more module
that cimports from it (or from a published package).  Either returns a `Built`:

    built.source    the .pxd and .pyx as Cython saw them: an include folder for consumers
    built.path      what goes on PYTHONPATH
    built.warnings  what -Wall -Wextra said about the generated C or C++
    built.cython    what Cython itself warned about

No setuptools here: a failing compiler command is easier to read and zig easier
to use.  That the tree's own setup.py works is a test of its own.
"""

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

import compilers

WORKERS = 2
WARNINGS = ("-Wall", "-Wextra")
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
PYTHON_INCLUDE = sysconfig.get_path("include")
STAND_IN_HEADERS = Path(__file__).resolve().parent / "data" / "include"

# Which of a module's platform variants is built here.
ON_THIS_PLATFORM, ELSEWHERE = "_linux", "_windows"


class CythonError(Exception):
    """Cython refused a source; the message is what it printed."""


@dataclass(frozen=True)
class Settings:
    """How to build: all of it is part of the key of what is built."""

    cython: str  # a version in the cython/ folder of the environment
    language: str  # "c" or "c++"
    include: Path  # a folder with the CUDA headers
    compiler: compilers.Compiler = field(default_factory=compilers.default)
    flags: tuple[str, ...] = ("-O0",)

    def __str__(self):
        return f"cython{self.cython}-{self.language}-{self.compiler.name}"


@dataclass
class Built:
    root: Path
    warnings: list
    cython: list
    seconds: dict  # {module: {"cython": s, "compile": s}}, of the run that built it

    @property
    def source(self):
        return self.root / "source"

    @property
    def path(self):
        return self.root / "lib"

    def module_file(self, module):
        return self.path.joinpath(*module.split(".")).with_name(module.rpartition(".")[2] + SUFFIX)


def tree_digest(folder):
    """A hash of every file under a folder, names and content."""
    hasher = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            hasher.update(f"{path.relative_to(folder)}\0{path.stat().st_size}\0".encode())
            hasher.update(path.read_bytes())
    return hasher.hexdigest()


def modules_in(source):
    """{module name: .pyx} of the modules that a tree builds on this platform."""
    found = {}
    for path in sorted(source.rglob("*.pyx")):
        if path.stem.endswith(ELSEWHERE):
            continue
        parts = path.relative_to(source).with_suffix("").parts
        found[".".join(parts).removesuffix(ON_THIS_PLATFORM)] = path
    return found


def cythonize(pyx, module, output, cython, language, includes):
    """Run Cython as a process of its own; return its warnings."""
    command = [sys.executable, "-m", "cython", "-3", "--module-name", module, "-o", str(output)]
    if language == "c++":
        command.append("--cplus")
    for folder in includes:
        command += ["-I", str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(Path(os.environ["CYBINDGO_CYTHON"]) / cython)}
    done = subprocess.run([*command, str(pyx)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    if done.returncode != 0:
        raise CythonError(" ".join(command) + "\n" + done.stdout[:8000])
    return re.findall(r"^warning: .*$", done.stdout, re.M)


def cached(key, make):
    """The folder in the cache for this key, filled by make(folder) if it is not there yet."""
    folder = Path(os.environ["CYBINDGO_CACHE"]) / "build" / key
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "built.json").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            result = make(folder)
            (folder / "built.json").write_text(json.dumps(result))
    result = json.loads((folder / "built.json").read_text())
    found = [compilers.Warning(**warning) for warning in result["warnings"]]
    return Built(folder, found, result["cython"], result["seconds"])


def key_of(settings, *parts):
    hasher = hashlib.sha256()
    compiler = settings.compiler
    for part in (*parts, settings.cython, settings.language, settings.flags, settings.include.resolve().name,
                 compiler.cc, compiler.version, sys.version, Path(__file__).read_text(), Path(compilers.__file__).read_text()):
        hasher.update(f"{part}\0".encode())
    return hasher.hexdigest()[:24]


def build_one(folder, module, pyx, settings, includes):
    """Cython, compile, link one module of a build; return its part of built.json."""
    suffix = ".c" if settings.language == "c" else ".cpp"
    generated, made = folder / "c" / f"{module}{suffix}", folder / "c" / f"{module}.o"
    target = folder.joinpath("lib", *module.split(".")).with_name(module.rpartition(".")[2] + SUFFIX)
    generated.parent.mkdir(exist_ok=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    started = time.perf_counter()
    said = cythonize(pyx, module, generated, settings.cython, settings.language, includes)
    cythonized = time.perf_counter()
    # Only the generated file's own warnings count, so all headers are system headers.
    flags = ["-fPIC", "-fwrapv", *WARNINGS, *settings.flags]
    for include in (PYTHON_INCLUDE, settings.include, STAND_IN_HEADERS):
        flags += ["-isystem", str(include)]
    warned = settings.compiler.compile(generated, made, flags, settings.language)
    settings.compiler.link([made], target, settings.language)
    made.unlink()
    seconds = {"cython": cythonized - started, "compile": time.perf_counter() - cythonized}
    return {"warnings": [asdict(warning) for warning in warned], "cython": said, "seconds": {module: seconds}}


def merged(results):
    total = {"warnings": [], "cython": [], "seconds": {}}
    for result in results:
        total["warnings"] += result["warnings"]
        total["cython"] += result["cython"]
        total["seconds"] |= result["seconds"]
    return total


def copy_source(tree, source):
    """A tree's sources as a build needs them: Cython has to see `cuda` as a package
    for the names it mangles, and at run time `cuda` is a namespace package, so the
    marker is here and never in a tree."""
    shutil.copytree(tree / "cuda", source / "cuda", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    (source / "cuda" / "__init__.pxd").touch()


def copy_python(source, lib):
    for path in source.rglob("*.py"):
        target = lib / path.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


def build_package(tree, settings):
    """Build every module of a generated package tree."""
    tree = Path(tree)

    def make(folder):
        source = folder / "source"
        copy_source(tree, source)
        copy_python(source / "cuda", folder / "lib" / "cuda")
        with ThreadPoolExecutor(WORKERS) as pool:
            jobs = [pool.submit(build_one, folder, module, pyx, settings, [source])
                    for module, pyx in modules_in(source).items()]
            return merged([job.result() for job in jobs])

    return cached(key_of(settings, "package", tree_digest(tree / "cuda")), make)


def build_module(name, text, settings, source, extra=None):
    """Build one module from text against the .pxd files of a source folder.

    `extra` maps paths to text or bytes: files put over the source folder's, such
    as another package's .pxd.
    """
    extra = extra or {}

    def make(folder):
        over = folder / "source"
        shutil.copytree(source, over, ignore=shutil.ignore_patterns("__pycache__", "*.pyx"))
        for path, content in extra.items():
            target = over / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode() if isinstance(content, str) else content)
        pyx = over / f"{name}.pyx"
        pyx.write_text(text)
        return build_one(folder, name, pyx, settings, [over])

    files = sorted((str(path), content) for path, content in extra.items())
    return cached(key_of(settings, "module", name, text, tree_digest(source), files), make)

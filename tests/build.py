"""Build Cython modules into an importable folder, in the cache, keyed by everything they are made from.

`build_package` builds a generated package tree; `build_module` one more module
that cimports from it (or from a published package).  Either returns a `Built`:

    built.source    the .pxd and .pyx as Cython saw them: an include folder for consumers
    built.path      what goes on PYTHONPATH
    built.warnings  what -Wall -Wextra said about the generated C or C++
    built.cython    what Cython itself warned about

Cython's part is cached by itself, so that several compilers share it.  No
setuptools here: a failing compiler command is easier to read and zig easier to
use.  That the tree's own setup.py works is a test of its own.
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
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

import compilers

WORKERS = 2
WARNINGS = ("-Wall", "-Wextra")
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
PYTHON_INCLUDE = sysconfig.get_path("include")
STAND_IN_HEADERS = Path(__file__).resolve().parent / "data" / "include"

# The platform variants of a module: `<module>_linux.pyx`, `<module>_windows.pyx`.
PLATFORMS = ("_linux", "_windows")
HERE = "_linux"


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


@dataclass(frozen=True)
class Cythonized:
    """What Cython made: C or C++ files by the stem of their .pyx, dotted, and what it warned about."""

    root: Path
    suffix: str
    warnings: list

    @property
    def source(self):
        return self.root / "source"

    def file(self, stem):
        return self.root / "c" / f"{stem}{self.suffix}"


@dataclass(frozen=True)
class Built:
    root: Path
    cythonized: Cythonized
    warnings: list

    @property
    def source(self):
        return self.cythonized.source

    @property
    def cython(self):
        return self.cythonized.warnings

    @property
    def path(self):
        return self.root / "lib"

    def module_file(self, module):
        return module_file(self.path, module)


def module_file(folder, module):
    return folder.joinpath(*module.split(".")).with_name(module.rpartition(".")[2] + SUFFIX)


def tree_digest(folder):
    """A hash of every file under a folder, names and content."""
    hasher = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            hasher.update(f"{path.relative_to(folder)}\0{path.stat().st_size}\0".encode())
            hasher.update(path.read_bytes())
    return hasher.hexdigest()


def digest(*parts):
    hasher = hashlib.sha256()
    for part in (*parts, sys.version, Path(__file__).read_text(), Path(compilers.__file__).read_text()):
        hasher.update(f"{part}\0".encode())
    return hasher.hexdigest()[:24]


def cached(key, make):
    """(folder, result) in the cache for this key; make(folder) fills it and gives a JSON value if it is not there yet."""
    folder = Path(os.environ["CYBINDGO_CACHE"]) / "build" / key
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "result.json").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            (folder / "result.json").write_text(json.dumps(make(folder)))
    return folder, json.loads((folder / "result.json").read_text())


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


def module_of(stem):
    """The module of a .pyx: its stem without the platform."""
    for platform in PLATFORMS:
        stem = stem.removesuffix(platform)
    return stem


def stems_in(source):
    """{dotted stem: .pyx} of a source folder."""
    return {".".join(path.relative_to(source).with_suffix("").parts): path for path in sorted(source.rglob("*.pyx"))}


def cythonize_all(key, cython, language, lay):
    """Cythonize every .pyx of the source folder that lay(folder) fills."""
    suffix = ".c" if language == "c" else ".cpp"

    def make(folder):
        source = folder / "source"
        lay(source)
        (folder / "c").mkdir()

        def one(item):
            stem, pyx = item
            return cythonize(pyx, module_of(stem), folder / "c" / f"{stem}{suffix}", cython, language, [source])

        with ThreadPoolExecutor(WORKERS) as pool:
            return [said for warned in pool.map(one, stems_in(source).items()) for said in warned]

    folder, warned = cached(f"cython-{digest(key, cython, language)}", make)
    return Cythonized(folder, suffix, warned)


def include_folders(include):
    """Where the headers are that a package needs: the driver's folder of a release, those
    of other libraries of that release, and what stands in for those of the graphics APIs."""
    return include, Path(os.environ["CYBINDGO_COMPONENTS"]) / include.name, STAND_IN_HEADERS


def compile_all(cythonized, settings):
    """Compile and link what is for this platform."""
    compiler, language = settings.compiler, settings.language
    # Only the generated file's own warnings count, so all headers are system headers.
    flags = ["-fPIC", "-fwrapv", *WARNINGS, *settings.flags]
    for include in (PYTHON_INCLUDE, *include_folders(settings.include)):
        flags += ["-isystem", str(include)]

    def make(folder):
        def one(stem):
            target = module_file(folder / "lib", module_of(stem))
            target.parent.mkdir(parents=True, exist_ok=True)
            made = folder / f"{stem}.o"
            warned = compiler.compile(cythonized.file(stem), made, flags, language)
            compiler.link([made], target, language)
            made.unlink()
            return warned

        copy_python(cythonized.source, folder / "lib")
        stems = [stem for stem in stems_in(cythonized.source) if module_of(stem) == stem or stem.endswith(HERE)]
        with ThreadPoolExecutor(WORKERS) as pool:
            return [asdict(warning) for warned in pool.map(one, stems) for warning in warned]

    key = digest(cythonized.root.name, compiler.cc, compiler.version, [folder.resolve().name for folder in include_folders(settings.include)], settings.flags,
                 tree_digest(STAND_IN_HEADERS))
    folder, warned = cached(f"built-{key}", make)
    return Built(folder, cythonized, [compilers.Warning(**warning) for warning in warned])


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


def cythonize_package(tree, cython, language):
    """Every module of a generated package tree, for all platforms."""
    return cythonize_all(("package", tree_digest(Path(tree) / "cuda")), cython, language, lambda source: copy_source(Path(tree), source))


def build_package(tree, settings):
    """Build every module of a generated package tree for this platform."""
    return compile_all(cythonize_package(tree, settings.cython, settings.language), settings)


def build_module(name, text, settings, source, extra=None):
    """Build one module from text against the .pxd files of a source folder.

    `extra` maps paths to text or bytes: files put over the source folder's, such
    as another package's .pxd.
    """
    extra = extra or {}

    def lay(over):
        # No .py: what is built is the module alone, to be put on the path beside its package.
        shutil.copytree(source, over, ignore=shutil.ignore_patterns("__pycache__", "*.pyx", "*.py", "*.so"))
        for path, content in extra.items():
            target = over / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode() if isinstance(content, str) else content)
        (over / f"{name}.pyx").write_text(text)

    files = sorted((str(path), content) for path, content in extra.items())
    key = ("module", name, text, tree_digest(source), files)
    return compile_all(cythonize_all(key, settings.cython, settings.language, lay), settings)

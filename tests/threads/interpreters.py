"""Free-threaded interpreters for the tests of thread safety: found, or built and cached.

    python tests/threads/interpreters.py          # all, found or built, and say which
    python tests/threads/interpreters.py tsan     # one of them; its path goes to stdout

`ft` is a free-threaded CPython, `tsan` one that is built with ThreadSanitizer, `gil` one
of the same age with the GIL.  Each is the interpreter that the user names (PYTHON_FT,
PYTHON_TSAN, PYTHON_GIL_ON), else one on PATH (not `tsan`), else built from source: see
sources.py.  Builds are kept in interpreters/ of
the cache (CYBINDGO_CACHE), keyed by version, flags and compiler; a folder there is
complete or absent, and of two runs at a time the second waits.
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import setup_env
import sources

ON_PATH = {"ft": tuple(f"python{version}t" for version in sources.VERSIONS), "gil": tuple(f"python{version}" for version in sources.VERSIONS), "tsan": ()}
NAMED = {"ft": "PYTHON_FT", "tsan": "PYTHON_TSAN", "gil": "PYTHON_GIL_ON"}
COMMON = ("--without-ensurepip", "--disable-test-modules")
FLAGS = {"ft": ("--disable-gil", *COMMON), "tsan": ("--disable-gil", *COMMON, "--with-thread-sanitizer"), "gil": COMMON}
CALLED = {"ft": "a free-threaded CPython", "tsan": "a free-threaded CPython with ThreadSanitizer", "gil": "a CPython with the GIL"}

# What the trials import: it is compiled to .pyc once, with the interpreter, and not in every trial.
WARM = "import encodings.idna, faulthandler, gc, importlib.util, json, os, random, signal, subprocess, tempfile, threading, shutil, traceback"

FACTS = """
import json, sys, sysconfig
get = sysconfig.get_config_var
print(json.dumps({"version": sys.version.split()[0], "free_threaded": bool(get("Py_GIL_DISABLED")),
    "tsan": "--with-thread-sanitizer" in (get("CONFIG_ARGS") or ""), "include": sysconfig.get_path("include"),
    "suffix": get("EXT_SUFFIX"), "compiler": get("CC").split()[0]}))
"""


@dataclass(frozen=True)
class Interpreter:
    program: Path
    version: str
    include: Path  # the folder of its Python.h
    suffix: str  # of its extension modules
    free_threaded: bool
    tsan: bool
    origin: str  # how it was come by, in words

    def __str__(self):
        kind = "free-threaded" if self.free_threaded else "with the GIL"
        return f"CPython {self.version} {kind}{', ThreadSanitizer' if self.tsan else ''} ({self.origin})"

    def short(self) -> str:
        """As it stands in a line of results."""
        return f"{self.version}{'t' if self.free_threaded else ''}{' TSan' if self.tsan else ''}"

    def evaluates(self, path: str, offset: int) -> bool:
        """Whether a frame of a stack, by its file and its place there, is the interpreter's loop, which runs Python code."""
        return Path(path).name.startswith("python") and any(first <= offset < end for first, end in loop_of(path))

    def command(self) -> list[str]:
        """How to start it. ThreadSanitizer of older compilers cannot place its shadow memory among randomised addresses."""
        return [*(fixed_addresses() if self.tsan else ()), str(self.program)]


class Unsuitable(Exception):
    pass


def log(text: str) -> None:
    print(f"interpreters: {text}", file=sys.stderr, flush=True)


@functools.cache
def loop_of(program: str) -> tuple[tuple[int, int], ...]:
    """Where in a program the function is that runs Python code; nothing if its symbols were stripped."""
    done = subprocess.run(["nm", "--numeric-sort", "--print-size", program], capture_output=True, text=True)
    sizes = re.findall(r"^([0-9a-f]+) ([0-9a-f]+) [tT] _PyEval_EvalFrameDefault(?:\.\w+)*$", done.stdout, re.M)
    return tuple((int(first, 16), int(first, 16) + int(size, 16)) for first, size in sizes)


def fixed_addresses() -> list[str]:
    """The prefix of a command that switches address randomisation off, where that is allowed."""
    command = ["setarch", os.uname().machine, "-R"]
    allowed = shutil.which("setarch") and subprocess.run([*command, "true"], capture_output=True).returncode == 0
    return command if allowed else []


def inspect(program: str | Path, origin: str, need_tsan=False, need_free_threaded=True) -> Interpreter:
    """What an interpreter is; Unsuitable says what it lacks."""
    found = shutil.which(str(program))
    if not found:
        raise Unsuitable(f"{program} is no program")
    # Not resolved: a virtual environment's interpreter is known by its place.
    path = Path(found).absolute()
    prefix = fixed_addresses() if need_tsan else []
    done = subprocess.run([*prefix, path, "-c", FACTS], capture_output=True, text=True)
    if done.returncode != 0:
        raise Unsuitable(f"{program} does not run: {done.stderr.strip()[-500:]}")
    facts = json.loads(done.stdout)
    if need_free_threaded and not facts["free_threaded"]:
        raise Unsuitable(f"{program} is CPython {facts['version']} with the GIL, not a free-threaded one")
    if need_tsan and not facts["tsan"]:
        raise Unsuitable(f"{program} is not built with ThreadSanitizer (configure --with-thread-sanitizer)")
    include = Path(facts["include"])
    if not (include / "Python.h").exists():
        raise Unsuitable(f"{program}: {include / 'Python.h'} is missing; install its development files")
    return Interpreter(path, facts["version"], include, facts["suffix"], facts["free_threaded"], facts["tsan"], origin)


def needs(kind: str) -> dict[str, bool]:
    """What inspect() has to see in an interpreter of this kind."""
    return {"need_tsan": kind == "tsan", "need_free_threaded": kind != "gil"}


def cache_folder() -> Path:
    return setup_env.cache_folder() / "interpreters"


def installed(kind: str) -> Interpreter | None:
    """The one of this kind that the user names, or one on PATH."""
    variable = NAMED[kind]
    if os.environ.get(variable):
        return inspect(os.environ[variable], variable, **needs(kind))
    for name in ON_PATH[kind]:
        if shutil.which(name):
            try:
                return inspect(name, "on PATH", **needs(kind))
            except Unsuitable as problem:
                log(f"passed over: {problem}")
    return None


def at_hand(kind: str) -> Interpreter | None:
    """One of this kind that takes no building: installed, or the last that was built."""
    notes = sorted(cache_folder().glob(f"{kind}-*/built.json"), key=lambda note: note.stat().st_mtime)
    return installed(kind) or (inspect(notes[-1].parent / "bin" / "python3", "built earlier", **needs(kind)) if notes else None)


def find(kind: str) -> Interpreter:
    """The interpreter of this kind, `ft`, `tsan` or `gil`; ends the program, saying how to get one, if there is none."""
    try:
        return installed(kind) or built(kind)
    except (Unsuitable, sources.NoSource) as problem:
        sys.exit(f"interpreters: {problem}\n{sources.HELP}")


def compiler(kind: str) -> tuple[str, str]:
    """(C, C++) compiler for a build."""
    pairs = (("clang", "clang++"),) if kind == "tsan" else (("gcc", "g++"), ("clang", "clang++"))
    for pair in pairs:
        if all(map(shutil.which, pair)) and (kind != "tsan" or links_tsan(pair[0])):
            return pair
    raise Unsuitable("clang that links with -fsanitize=thread is needed: install clang and its compiler-rt (on Debian, clang and libclang-rt-14-dev)"
                     if kind == "tsan" else "a C compiler is needed: install gcc and g++, or clang")


def links_tsan(cc: str) -> bool:
    done = subprocess.run([cc, "-fsanitize=thread", "-x", "c", "-", "-o", os.devnull], input="int main(void) { return 0; }",
                          text=True, capture_output=True)
    return done.returncode == 0


def built(kind: str) -> Interpreter:
    """One built from source, now or earlier."""
    cache = cache_folder()
    cache.mkdir(parents=True, exist_ok=True)
    cc, cxx = compiler(kind)
    version = subprocess.run([cc, "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    with open(cache / "source.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        origin = sources.find(cache, log)
    flags = FLAGS[kind]
    stamp = origin.stat()
    identity = f"{origin.name} {stamp.st_size} {stamp.st_mtime_ns if origin.is_dir() else ''} {flags} {version}"
    home = cache / f"{kind}-{hashlib.sha256(identity.encode()).hexdigest()[:16]}"
    with open(f"{home}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        note = home / "built.json"
        if not note.exists():
            shutil.rmtree(home, ignore_errors=True)
            note.write_text(json.dumps(build(kind, origin, home, flags, cc, cxx) | {"compiler": version}))
        facts = json.loads(note.read_text())
    return inspect(home / "bin" / "python3", f"built from {origin.name} in {facts['seconds']} s", **needs(kind))


def build(kind: str, origin: Path, home: Path, flags: tuple[str, ...], cc: str, cxx: str) -> dict:
    """Build and install into `home`, which appears when all is in it."""
    started = time.monotonic()
    log(f"building {CALLED[kind]} from {origin.name} with {cc}; this takes minutes")
    work = home.with_name(f"{home.name}.work")
    shutil.rmtree(work, ignore_errors=True)
    tree = sources.unpack(origin, work / "source")
    place, prefix = work / "build", fixed_addresses() if kind == "tsan" else []
    place.mkdir()
    link = ["LDFLAGS=-fsanitize=thread"] if kind == "tsan" else []
    jobs = f"-j{os.cpu_count() or 1}"

    def step(*command: str, environment: dict[str, str] = {}) -> None:
        with open(place / "log", "a") as output:
            done = subprocess.run([*prefix, *command], cwd=place, stdout=output, stderr=subprocess.STDOUT, env={**os.environ, **environment})
        if done.returncode != 0:
            tail = "".join((place / "log").read_text(errors="replace").splitlines(keepends=True)[-25:])
            raise Unsuitable(f"building CPython failed at `{' '.join(command)}` (the folder is kept: {place}):\n{tail}")

    step(str(tree / "configure"), *flags, f"--prefix={home}", environment={"CC": cc, "CXX": cxx})
    step("make", "-s", jobs, *link)
    # Compiling all of the standard library takes long under a sanitizer: --help makes that step do nothing, and
    # what is used is compiled by the first import.
    step("make", "-s", "install", f"DESTDIR={work / 'image'}", "COMPILEALL_OPTS=--help", *link)
    image = work / "image" / home.relative_to("/")
    image.rename(home)
    for archive in home.rglob("libpython*.a"):
        archive.unlink()
    programs = [home / "bin" / "python3", *home.rglob("lib-dynload/*.so")]
    subprocess.run(["strip", "--strip-debug", *(program.resolve() for program in programs)], check=False)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run([*prefix, home / "bin" / "python3", "-c", WARM], capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise Unsuitable(f"the interpreter that was built does not import what the tests need: {done.stderr[-800:]}")
    version = sources.version_of(tree)
    shutil.rmtree(work)
    log(f"built in {time.monotonic() - started:.0f} s")
    return {"seconds": round(time.monotonic() - started), "version": version, "flags": flags}


def main() -> None:
    for kind in sys.argv[1:] or NAMED:
        interpreter = find(kind)
        log(f"{kind}: {interpreter}")
        print(interpreter.program)


if __name__ == "__main__":
    main()

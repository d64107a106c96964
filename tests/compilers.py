"""The C and C++ compilers of this machine, and the one that needs no installing.

`zig()` is always there: it is clang with the headers and C libraries of several
targets, from the ziglang wheel.  `system()` lists what is on PATH.  Whatever
takes a Compiler works with any of them, so a machine without a compiler runs the
same tests as one with gcc and clang.

What was found out about zig 0.17 as a compiler:
- `-fsyntax-only` fails; `-c x.c -o x.o` works.
- The first link for a target builds its C library start-up and compiler runtime
  (40 s on two cores), the first C++ link also libc++ (60 s more): Cython's C++
  needs nothing of it, so C++ objects are linked as C.  Compiling alone needs
  neither.  What is built stays in ZIG_GLOBAL_CACHE_DIR.
- It turns UndefinedBehaviorSanitizer on unless told otherwise (-fno-sanitize).
- Its MSVC target has no C library: `msvc_target()` needs a plain clang.
- None of sysconfig's flags are needed to build an extension module; the ones of
  some distributions (-specs=, -flto=auto, -fcf-protection) are not understood.
"""

import functools
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ZIG_TARGETS = ("x86_64-linux-gnu", "aarch64-linux-gnu", "x86_64-windows-gnu")

WARNING = re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):(?:\d+:)? warning: (?P<text>.*?)(?: \[(?P<flag>-W[^\]]*)\])?$", re.M)


class CompileError(Exception):
    """A compiler refused; the message is its command and what it printed."""


@dataclass(frozen=True)
class Warning:
    file: str
    line: int
    text: str
    flag: str


@dataclass(frozen=True)
class Compiler:
    name: str  # in test names: gcc, clang, zig
    cc: tuple[str, ...]
    cxx: tuple[str, ...]
    family: str  # whose warnings: gcc or clang
    link_cxx: tuple[str, ...]

    @functools.cached_property
    def version(self):
        return run([*self.cc, "--version"]).splitlines()[0]

    def compile(self, source, output, flags=(), language=None):
        """Compile one file to an object; return the warnings."""
        language = language or ("c" if Path(source).suffix == ".c" else "c++")
        driver = self.cc if language == "c" else self.cxx
        return warnings_in(run([*driver, "-c", str(source), "-o", str(output), *flags]))

    def link(self, objects, output, language="c", flags=()):
        driver = self.cc if language == "c" else self.link_cxx
        run([*driver, "-shared", *map(str, objects), "-o", str(output), *flags])

    def shared_library(self, source, output, flags=()):
        """Build a shared library from one C file, e.g. a stand-in for libcuda.so.1."""
        output = Path(output)
        output.parent.mkdir(parents=True, exist_ok=True)
        made = output.with_name(f"{output.name}.{os.getpid()}.o")
        self.compile(source, made, ("-fPIC", "-O1", *flags), "c")
        self.link([made], output)
        made.unlink()
        return output


def run(command):
    """What the command prints; CompileError if it fails."""
    environment = {**os.environ, "LC_ALL": "C"}
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=environment)
    if done.returncode != 0:
        raise CompileError(" ".join(command) + "\n" + done.stdout[:4000])
    return done.stdout


def warnings_in(printed):
    return [Warning(Path(m["file"]).name, int(m["line"]), m["text"], m["flag"] or "") for m in WARNING.finditer(printed)]


@functools.cache
def zig(target=ZIG_TARGETS[0]):
    """clang from the ziglang wheel, compiling for one of ZIG_TARGETS."""
    import ziglang  # in the tests' environment only

    program = str(Path(ziglang.__file__).parent / "zig")
    tail = ("-target", target, "-fno-sanitize=all")
    cc, cxx = (program, "cc", *tail), (program, "c++", *tail)
    return Compiler("zig", cc, cxx, "clang", cc)


@functools.cache
def system():
    """The compilers on PATH: gcc, then clang; possibly none."""
    found = []
    for name, cxx in (("gcc", "g++"), ("clang", "clang++")):
        if shutil.which(name) and shutil.which(cxx):
            found.append(Compiler(name, (name,), (cxx,), name, (cxx,)))
    return tuple(found)


def default():
    """The compiler for what only has to be compiled: the first on PATH, or zig."""
    return (*system(), zig())[0]


def every():
    """Every compiler that warnings are judged by."""
    return (*system(), zig())


def msvc_target(arch="x86_64"):
    """clang in its MSVC mode for Windows, or None where there is no plain clang."""
    if not shutil.which("clang"):
        return None
    cc = ("clang", f"--target={arch}-pc-windows-msvc")
    return Compiler("clang-msvc", cc, cc, "clang", cc)


if __name__ == "__main__":
    for compiler in every():
        print(f"{compiler.name:6} {compiler.version}", file=sys.stdout)

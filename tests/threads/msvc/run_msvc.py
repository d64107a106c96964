"""The emitted loader's atomics for Windows, compiled as Microsoft's compiler and as clang would see them.

    python tests/threads/msvc/run_msvc.py

clang in its MSVC mode compiles the C of both packages' Windows loaders for x64 and for
Arm64, word for word: once as itself, once told not to call itself clang (-U__clang__), so
that it takes the branch that only Microsoft's compiler sees.  The vendor's headers are
replaced by ours in include/.  What is asserted is the instructions of the load and of the
publication; mutants of each branch have to be seen by them.  Nothing is run, and
Microsoft's own compiler is not asked: see what is said about Windows in the docs.

zig, from the tests' environment, is the clang that is used, and a plain clang where there
is one.  Exit 1 if anything is not as it should be.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parent)]

import mutants

EMITTED = Path(os.environ.get("CYBINDGO_GENERATED", ROOT / "generated"))
LIMIT = 120  # seconds of one compilation
FLAGS = ("-O2", "-g0", "-S", "-x", "c", "-Wall", "-Werror", "-Wno-unused-function", "-Wno-unused-command-line-argument", f"-I{HERE / 'include'}")
USES = """
cyb_table_t *use_get(void) { return cyb_get(); }
int use_publish(cyb_table_t *table) { return cyb_publish(table); }
"""


@dataclass(frozen=True)
class Expected:
    flags: tuple[str, ...]
    load: str  # a pattern of all instructions of the load
    publication: str  # a pattern of those of the publication


ARCHES = {"x86_64": "x64", "aarch64": "Arm64"}
SWAP_X64 = r".*lock cmpxchgq %rcx, cyb_current\(%rip\);.*"
AS_MICROSOFT, AS_CLANG = "Microsoft's branch", "clang's branch"

# _ReadBarrier leaves no instruction: clang marks in a comment where it stands. On Arm64 an
# acquiring load is ldar or, from armv8.3, ldapr; a releasing swap is a loop of exclusive
# accesses or, from armv8.1, one instruction.
EXPECTED = {
    (AS_MICROSOFT, "x86_64"): Expected(("-U__clang__",), r"movq cyb_current\(%rip\), %rax; MEMBARRIER; retq", SWAP_X64),
    (AS_MICROSOFT, "aarch64"): Expected(("-U__clang__",), r"adrp x(\d+), cyb_current; add x0, x\1, :lo12:cyb_current; b __ldar64",
                                        r".*(?:ldaxr x\d+, \[x\d+\];.*stlxr w\d+, x0, \[x\d+\];|casal x\d+, x0, \[x\d+\];).*"),
    (AS_CLANG, "x86_64"): Expected((), r"movq cyb_current\(%rip\), %rax; retq", SWAP_X64),
    (AS_CLANG, "aarch64"): Expected((), r"adrp x(\d+), cyb_current; add x\1, x\1, :lo12:cyb_current; lda(?:r|pr) x0, \[x\1\]; ret",
                                    r".*(?:lda?xr x\d+, \[x\d+\];.*stlxr w\d+, x0, \[x\d+\];|casa?l x\d+, x0, \[x\d+\];).*"),
}

# Mutants of the guard's list, and where each is seen: x64 orders loads and stores by itself.
SEEN_ON = {
    "relaxed-load/volatile with a compiler barrier on Arm64": (AS_MICROSOFT, "aarch64"),
    "relaxed-load/no barrier with Microsoft's compiler": (AS_MICROSOFT, "x86_64"),
    "relaxed-load/barrier before the read": (AS_MICROSOFT, "x86_64"),
    "relaxed-publication/Microsoft's swap without a fence": (AS_MICROSOFT, "aarch64"),
    "relaxed-load/relaxed builtin": (AS_CLANG, "aarch64"),
    "relaxed-load/volatile is no order": (AS_CLANG, "aarch64"),
    "relaxed-publication/relaxed swap": (AS_CLANG, "aarch64"),
    "relaxed-publication/acquire is no release": (AS_CLANG, "aarch64"),
}
OWN = {
    "publication without a swap": [(
        "return _InterlockedCompareExchangePointer((void *volatile *)&cyb_current, table, &cyb_none) == &cyb_none;",
        "if (cyb_current != &cyb_none)\n          return 0;\n        *(cyb_table_t *volatile *)&cyb_current = table;\n        return 1;")],
}


def clangs() -> dict[str, tuple[str, ...]]:
    """{name: command} of what there is; the one of the tests' environment has to be there."""
    zig = os.environ.get("CYBINDGO_ZIG", "")
    if not Path(zig).is_file():
        sys.exit("msvc: CYBINDGO_ZIG does not name a zig: run in the environment that `python tests/setup_env.py --print-env` prints, as make does")
    found = {"zig": (zig, "cc", "-fno-sanitize=all", "-fomit-frame-pointer", "-target", "{arch}-windows-msvc")}
    if shutil.which("clang"):
        found["clang"] = ("clang", "--target={arch}-pc-windows-msvc")
    return found


def block(text: str) -> str:
    """The C of a loader."""
    match = re.search(r'^cdef extern from \* nogil:\n    """\n(.*?)^    """', text, re.M | re.S)
    assert match and "_MSC_VER" in match[1], "the loader has no block of C with a branch for Microsoft's compiler"
    return match[1]


def assembly(command: tuple[str, ...], arch: str, flags: tuple[str, ...], text: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder) / "loader.c", Path(folder) / "loader.s"
        source.write_text(block(text) + USES)
        done = subprocess.run([*(word.format(arch=arch) for word in command), *FLAGS, *flags, source, "-o", made],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT)
        if done.returncode != 0:
            raise RuntimeError(f"does not compile: {done.stdout[:1500]}")
        return made.read_text()


def instructions(text: str, function: str) -> str:
    """The instructions of a function, one space within and "; " between, and the barrier that only the compiler sees."""
    match = re.search(rf"^{function}:.*?\n(.*?)^\s*(#|//) -- End function", text, re.M | re.S)
    assert match, f"no {function} in the assembly"
    comment = match[2]
    found = []
    for line in match[1].splitlines():
        if line.strip() == f"{comment}MEMBARRIER":
            found.append("MEMBARRIER")
        elif re.match(r"\s+[a-z]", line):
            found.append(" ".join(line.split(comment)[0].split()))
    return "; ".join(found)


def judge(command: tuple[str, ...], branch: str, arch: str, text: str) -> tuple[bool, str]:
    """(whether load and publication are as they have to be, the instructions)."""
    expected = EXPECTED[branch, arch]
    made = assembly(command, arch, expected.flags, text)
    load, publication = instructions(made, "use_get"), instructions(made, "use_publish")
    good = bool(re.fullmatch(expected.load, load) and re.fullmatch(expected.publication, publication))
    return good, f"load         {load}\n     publication  {publication}"


def main() -> None:
    os.nice(10)
    started, failed, checks = time.monotonic(), 0, 0
    emitted = sorted(EMITTED.glob("*/cuda/bindings/_internal/*_windows.pyx"))
    if not emitted:
        sys.exit(f"msvc: no Windows loader below {EMITTED}: run `go run ./cmd/cybindgo generate`")
    sheet = mutants.edits()
    edits = {name: sheet[name] for name in SEEN_ON} | OWN

    def report(good: bool, name: str, detail: str) -> None:
        nonlocal failed, checks
        checks, failed = checks + 1, failed + (not good)
        print(f"{'ok  ' if good else 'FAIL'} {name}" + (f"\n     {detail}" if detail else ""), flush=True)

    for clang, command in clangs().items():
        for branch, arch in EXPECTED:
            for number, path in enumerate(emitted):
                good, detail = judge(command, branch, arch, path.read_text())
                name = path.relative_to(EMITTED).parts[0]
                report(good, f"{clang}, {ARCHES[arch]}, {branch}: {name} {path.name}", detail if not number or not good else "")
        for name, changes in edits.items():
            text = mutants.apply(name, emitted[0].read_text(), changes)
            for branch, arch in (SEEN_ON[name],) if name in SEEN_ON else [(AS_MICROSOFT, arch) for arch in ARCHES]:
                good, detail = judge(command, branch, arch, text)
                report(not good, f"{clang}, {ARCHES[arch]}, {branch}: the mutant `{name}` is seen", detail if good else "")
    print(f"{checks} checks, {failed} failed, {time.monotonic() - started:.0f} s")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()

"""Relacy: every schedule of three threads that make their first call, for the protocol and its mutants."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

import edits
from edits import Case

LIMIT = 600  # seconds of the compilation, and of one test

# C++11: Relacy replaces the operators of its time, and not delete with a size.
FLAGS = ("-std=c++11", "-O1", "-w")

MAIN = """
template <class Test> static void run() {{
    rl::test_params how;
    how.search_type = rl::fair_full_search_scheduler_type;
    how.iteration_count = 1000000000;
    bool fine = rl::simulate<Test>(how);
    std::printf("\\nsays %s after %llu\\n", fine ? "proved" : rl::test_result_str(how.test_result), (unsigned long long)how.stop_iteration);
}}
int main(int, char **names) {{
    switch (std::atoi(names[1])) {{
{calls}
    }}
}}
"""


def program(cases: Iterable[Case]) -> str:
    """One program for all, so that Relacy's headers are compiled once: the argument is the number of the case."""
    text, pieces, calls = edits.RELACY.read_text(), ["#include <relacy/relacy.hpp>\n#include <cstdio>\n#include <cstdlib>\nusing namespace rl;\n"], []
    for number, case in enumerate(cases):
        pieces.append(f"namespace case{number} {{\n{edits.edited(case.name, text, case.texts.get('relacy', []))}}}\n")
        calls.append(f"    case {number}: run<case{number}::publish_once>(); break;")
    return "".join(pieces) + MAIN.format(calls="\n".join(calls))


def compile(cxx: tuple[str, ...], include: Path, cases: Iterable[Case], folder: Path) -> Path:
    source, made = folder / "relacy.cpp", folder / "relacy"
    source.write_text(program(cases))
    done = subprocess.run([*cxx, *FLAGS, f"-I{include}", source, "-o", made], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT)
    if done.returncode != 0:
        raise RuntimeError(f"what Relacy is given does not compile:\n{done.stdout[:2000]}")
    return made


def run(program: Path, number: int) -> tuple[str, int]:
    """(what Relacy says, the number of executions until then)."""
    done = subprocess.run([program, str(number)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=LIMIT)
    seen = re.search(r"^says (.*) after (\d+)$", done.stdout, re.M)
    if done.returncode != 0 or not seen:
        return f"failed, exit {done.returncode}: {done.stdout.strip()[-600:]}", 0
    return seen[1], int(seen[2])

"""herd7 with the model RC11: every execution of the litmus test, for the protocol and its mutants."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

import edits
from edits import Case

LIMIT = 600  # seconds of one test; a dozen are needed by an idle machine


def parts(text: str) -> tuple[str, dict[str, str], str]:
    """(head, {thread: text}, condition) of the committed litmus test."""
    threads = dict(re.findall(r"^(P\d) (\(.*?^\}\n)\n", text, re.M | re.S))
    assert sorted(threads) == ["P0", "P1", "P2"], "the litmus test has the threads P0, P1 and P2"
    assert threads["P1"] == twin(threads["P0"]), "P1 of the litmus test does the same as P0, with a table of its own"
    return text[:text.index("P0 (")], threads, text[text.index("exists ("):]


def twin(text: str) -> str:
    return re.sub(r"\b(table|expected)0\b", r"\g<1>1", text)


def litmus(case: Case) -> str:
    """The litmus test of the protocol, or that of a mutant: its two threads, one of them as it was or both mutated."""
    text = edits.LITMUS.read_text()
    head, threads, condition = parts(text)
    if case.name == edits.PROTOCOL:
        return text
    head = edits.edited(case.name, head, case.texts.get("start", []))
    threads["P0"] = edits.edited(case.name, threads["P0"], case.texts.get("herd", []))
    threads["P1"] = twin(threads["P0"])
    threads["P2"] = edits.edited(case.name, threads["P2"], case.texts.get("reader", []))
    dropped = "1" if "reader" in case.texts else "2"
    del threads[f"P{dropped}"]
    # herd7 numbers threads as they come; a condition of a thread that is gone goes, too.
    condition = "".join(line for line in condition.splitlines(keepends=True) if f"{dropped}:" not in line)
    if dropped == "1":
        threads["P1"], condition = threads.pop("P2"), condition.replace("2:", "1:")
    return head + "\n".join(f"{name} {text}" for name, text in threads.items()) + "\n" + condition


def run(herd7: Path, case: Case) -> tuple[str, int]:
    """(what herd7 says, the number of executions)."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "test.litmus"
        path.write_text(litmus(case))
        done = subprocess.run([herd7, "-model", "rc11.cat", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT)
    seen = re.search(r"^Observation \S+ (Never|Sometimes|Always) (\d+) (\d+)$", done.stdout, re.M)
    if done.returncode != 0 or not seen or "Warning" in done.stdout:
        return f"failed: {done.stdout.strip()[-600:]}", 0
    says = (["race"] if "*undef*" in done.stdout else []) + (["wrong"] if seen[1] != "Never" else [])
    return ", ".join(says) or "proved", int(seen[2]) + int(seen[3])

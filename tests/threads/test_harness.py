"""The parts of the harness that decide what counts as seen, on texts and folders made here.

Collected by `make test-python`; nothing is raced and nothing is built.
"""

from __future__ import annotations

import ast
import os
import platform
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import controls
import interpreters
import lock_styles
import mutants
import sources
from controls import Result
from modules import ROOT, Subject
from run import chunks, merged
from trials import Outcome, Plan, Report, reports_in

DEMO = "/t/demo/_internal/demo.cpython-313t-x86_64-linux-gnu.so"
COPY0, COPY12 = "/t/copy0/demo/_internal/demo.cpython-313t.so", "/t/copy12/demo/_internal/demo.cpython-313t.so"
OPENER = "/t/opener.cpython-313t-x86_64-linux-gnu.so"
PYTHON = "/p/bin/python3.13"
SUBJECT = Subject("emitted", Path("/t"), "demo._internal.demo", "demo._internal.demo", Path("/l/libdemo.so.1"), ("__demoAdd",), (1000,))


def stack(*modules: str) -> str:
    """Frames as trials.SANITIZER has them written."""
    return "\n".join(f"    #{n} ({module}+0x{n}f1)" for n, module in enumerate(modules)) + "\n"


def warning(*parts: tuple[str, tuple[str, ...]], what: str = "data race") -> str:
    """What ThreadSanitizer prints of one race: headings with their stacks."""
    body = "\n".join(f"  {heading}:\n{stack(*modules)}" for heading, modules in parts)
    line = "=" * 18
    return f"{line}\nWARNING: ThreadSanitizer: {what} (pid=12837)\n{body}\nSUMMARY: ThreadSanitizer: {what} ({DEMO}+0x1) (BuildId: 16)\n{line}\n"


WRITE, READ = "Write of size 8 at 0x7ffff59a7bb8 by thread T9", "Previous read of size 8 at 0x7ffff59a7bb8 by thread T3"
ATOMIC = "Previous atomic write of size 8 at 0x7ffff59a7bb8 by thread T3 (mutexes: write M0)"


def seen(printed: str) -> list[tuple[str, set[str], set[str]]]:
    return [(report.what, set(report.top), set(report.anywhere)) for report in reports_in(printed)]


def test_a_report_is_read_with_the_tops_of_both_stacks():
    printed = "noise\n" + warning((WRITE, (DEMO,)), (READ, (OPENER, DEMO, PYTHON))) + "ThreadSanitizer: reported 1 warnings\n"
    assert seen(printed) == [("data race", {DEMO, OPENER}, {DEMO})]


def test_only_the_accesses_count_not_where_memory_and_threads_come_from():
    printed = warning((WRITE, (OPENER,)), (READ, (OPENER,)), ("As if synchronized via sleep", (PYTHON, DEMO)),
                      ("Location is heap block of size 24 at 0x7b08 allocated by thread T9", (DEMO,)),
                      ("Thread T9 (tid=13243, running) created by main thread at", (DEMO, PYTHON)))
    assert seen(printed) == [("data race", {OPENER}, {OPENER})]


def test_below_a_frame_of_the_interpreter_its_caller_is_at_the_top_too():
    # The sanitizer's free() stands in the interpreter: who called it is who races.
    assert seen(warning((WRITE, (PYTHON, DEMO, OPENER)), (READ, (PYTHON,)))) == [("data race", {PYTHON, DEMO}, {PYTHON})]
    assert seen(warning((WRITE, (OPENER, DEMO)), (READ, (PYTHON,)))) == [("data race", {OPENER, PYTHON}, set())]


def test_each_report_is_read_for_itself():
    printed = warning((WRITE, (DEMO,)), (ATOMIC, (PYTHON,))) + warning((WRITE, (OPENER,)), (READ, (OPENER,)), what="heap-use-after-free")
    assert seen(printed) == [("data race", {DEMO, PYTHON}, set()), ("heap-use-after-free", {OPENER}, {OPENER})]


def test_what_python_code_does_is_not_its_callers():
    # The module calls a finder: what stands above the interpreter's loop was done by that.
    printed = warning((WRITE, (PYTHON, PYTHON, DEMO)), (READ, (PYTHON, DEMO)))
    assert seen(printed) == [("data race", {PYTHON, DEMO}, {PYTHON, DEMO})]
    (report,) = reports_in(printed, lambda path, offset: (path, offset) == (PYTHON, 0x1F1))
    assert (report.top, report.anywhere) == ({PYTHON, DEMO}, {PYTHON})
    (report,) = reports_in(printed, lambda path, offset: (path, offset) == (PYTHON, 0xF1))
    assert (report.top, report.anywhere) == (frozenset(), frozenset())


def test_a_stack_that_was_not_restored_says_nothing():
    printed = warning((WRITE, (DEMO,)), (READ, ()))
    assert seen(printed) == [("data race", {DEMO}, {DEMO})]


def test_a_run_without_a_report_has_none():
    assert reports_in("") == []
    assert reports_in(f"Traceback of {DEMO}\n{stack(DEMO)}") == []


def outcome(*reports: tuple[set[str], set[str]]) -> Outcome:
    return Outcome("", tuple(Report("data race", frozenset(top), frozenset(anywhere), "") for top, anywhere in reports), (), "")


def test_copies_with_a_report_are_known_by_their_number():
    found = outcome(({COPY0}, {COPY0, PYTHON}), ({COPY12}, {COPY12}), ({COPY12, PYTHON}, {COPY12, PYTHON}))
    assert found.reported(SUBJECT) == {0, 12}
    assert outcome(({DEMO}, {DEMO})).reported(SUBJECT) == {0}


def test_a_frame_further_down_counts_only_where_anywhere_is_asked_for():
    found = outcome(({PYTHON}, {PYTHON, COPY12}))
    assert found.reported(SUBJECT) == set()
    assert found.reported(SUBJECT, anywhere=True) == {12}


def test_other_modules_are_not_the_one_under_test():
    beside = {OPENER, PYTHON, "/t/copy3/demo/_internal/demo_more.so", "/t/copy4/other_demo/_internal.so", "/t/copy5/demo/cydemo.so"}
    assert outcome((beside, beside)).reported(SUBJECT, anywhere=True) == set()


def test_a_plan_that_is_written_out_reads_back():
    plan = Plan(SUBJECT, ("nogil", "all", "one"), seed=4, copies=2)
    facts = ast.literal_eval(plan.literal())
    assert (facts["kinds"], facts["span"], facts["copies"], facts["probe"]) == (("all", "one", "nogil"), 3_000_000, 2, "demo._internal.demo")


def test_parts_of_a_test_become_one_result():
    parts = [Result("a", True, 0, 25, "", "races", "3.13.15t"), Result("b", True, 1, 1, "", "races", "3.13.15t"),
             Result("a", False, 2, 25, "seed 30", "races", "3.13.15t"), Result("a", True, 0, 10, "late", "races", "3.13.15t")]
    assert merged(parts) == [Result("a", False, 2, 60, "seed 30; late", "races", "3.13.15t"), Result("b", True, 1, 1, "", "races", "3.13.15t")]


def test_another_interpreter_or_group_is_another_result():
    parts = [Result("a", True, 0, 5, "", "races", "3.13.15t"), Result("a", False, 1, 5, "", "races", "3.11.7"), Result("a", True, 5, 5, "", "control", "3.11.7")]
    assert merged(parts) == parts
    assert merged([]) == []


def test_trials_are_cut_into_chunks_that_leave_none_out():
    assert chunks(60, 1000) == [range(1000, 1025), range(1025, 1050), range(1050, 1060)]


def test_a_mutant_is_the_text_with_each_edit_made():
    assert mutants.apply("rule/m", "load(acquire); publish(release)", [("acquire", "relaxed"), ("publish(", "store(")]) == "load(relaxed); store(release)"


@pytest.mark.parametrize(("text", "changes", "says"), [
    ("load(acquire)", [("consume", "relaxed")], "rule/m: expected once in the emitted loader, found 0 times:\nconsume"),
    ("load(acquire); load(acquire)", [("acquire", "relaxed")], "rule/m: expected once in the emitted loader, found 2 times:\nacquire"),
    ("load(acquire)", [("acquire", "relaxed"), ("acquire", "consume")], "rule/m: expected once in the emitted loader, found 0 times:\nacquire"),
    ("load(acquire)", [], "rule/m: no edits"),
], ids=["absent", "doubled", "gone after an edit before", "none"])
def test_an_edit_whose_place_is_not_known_is_refused(text, changes, says):
    with pytest.raises(mutants.BrokenMutant) as refused:
        mutants.apply("rule/m", text, changes)
    assert str(refused.value) == says


def test_mutants_are_read_from_a_file_for_each_rule(tmp_path, monkeypatch):
    (tmp_path / "relaxed-load.txtar").write_text(
        "What is wrong.\n-- a name --\n<<<<\none\ntwo\n====\nthree\n>>>>\n<<<<\nfour\n====\n>>>>\n-- another --\n<<<<\nfive\n====\nsix\n>>>>\n")
    monkeypatch.setattr(mutants, "REJECT", tmp_path)
    assert mutants.edits() == {"relaxed-load/a name": [("one\ntwo", "three"), ("four", "")], "relaxed-load/another": [("five", "six")]}


@pytest.fixture
def table(tmp_path, monkeypatch):
    """controls.table() of these texts, with the mutants r/one and r/two."""
    monkeypatch.setattr(mutants, "edits", lambda: {"r/one": [("a", "b")], "r/two": [("a", "c")]})

    def read(text: str, models: str = ""):
        for name, content in (("TABLE", text), ("MODELS", models)):
            (tmp_path / name).write_text(content)
            monkeypatch.setattr(controls, name, tmp_path / name)
        return controls.table()

    return read


ONE, TWO = 'one = {by = "sanitizer"}\n', 'two = {by = "value", kinds = ["all", "one"], wants = {one = "7"}, language = "c++"}\n'


def test_controls_are_read_with_what_they_say(table):
    one, two = table("[r]\n" + ONE + TWO)
    assert (one.name, one.by, one.kinds, one.language) == ("r/one", "sanitizer", controls.KINDS, "c")
    assert (two.name, two.by, two.kinds, two.wants, two.language) == ("r/two", "value", ("all", "one"), {"one": "7"}, "c++")


MODELLED = 'two = {by = "model", why = "no processor shows it"}\n'


@pytest.mark.parametrize(("text", "models", "says"), [
    (ONE, "", r"no entry for \['r/two'\], no mutant for \[\]"),
    (ONE + TWO + 'three = {by = "value"}\n', "", r"no entry for \[\], no mutant for \['r/three'\]"),
    (ONE + 'two = {by = "looking"}\n', "", "r/two: by is one of sanitizer, value"),
    (ONE + 'two = {by = "text"}\n', "", "r/two: say why it is not run"),
    (ONE + MODELLED, "", "r/two: by model here, and not in MODELS"),
    (ONE + TWO, '[m]\ncontrols = ["r/two"]\n', "r/two: by model here, and not in MODELS, or the reverse"),
    (ONE + 'two = {by = "model"}\n', '[m]\ncontrols = ["r/two"]\n', "r/two: say why it is not run"),
], ids=["mutant without entry", "entry without mutant", "unknown way", "text without why", "model that no checker has", "checker's, seen by value", "model without why"])
def test_a_table_that_leaves_something_open_is_refused(table, text, models, says):
    with pytest.raises(AssertionError, match=says):
        table("[r]\n" + text, models)


def test_a_mutant_that_the_model_checkers_refute_is_accepted(table):
    assert [control.by for control in table("[r]\n" + ONE + MODELLED, '[m]\ncontrols = ["r/two"]\n[other]\n')] == ["sanitizer", "model"]


@pytest.fixture
def program(tmp_path):
    """A program that answers, as an interpreter would, what it is."""
    def write(place: str, version: str = "3.13.15", free_threaded: bool = True, tsan: bool = False, header: bool = True) -> Path:
        path, include = tmp_path / place, tmp_path / "include"
        path.parent.mkdir(parents=True, exist_ok=True)
        include.mkdir(exist_ok=True)
        if header:
            (include / "Python.h").touch()
        facts = (f'{{"version": "{version}", "free_threaded": {str(free_threaded).lower()}, "tsan": {str(tsan).lower()}, '
                 f'"include": "{include}", "suffix": ".so", "compiler": "gcc"}}')
        path.write_text(f"#!/bin/sh\necho '{facts}'\n")
        path.chmod(0o755)
        return path

    return write


def refusal(program: str | Path, **needs: bool) -> str:
    with pytest.raises(interpreters.Unsuitable) as refused:
        interpreters.inspect(program, "named", **needs)
    return str(refused.value)


def test_the_interpreter_that_runs_this_is_described():
    found = interpreters.inspect(sys.executable, "runs the tests", need_free_threaded=False)
    assert (found.version, found.program, found.origin) == (platform.python_version(), Path(sys.executable), "runs the tests")
    assert (found.include / "Python.h").exists() and found.suffix.endswith(".so")
    assert found.short() == platform.python_version() + ("t" if found.free_threaded else "")


def test_what_an_interpreter_lacks_is_said(program, tmp_path):
    with_gil, free = program("gil", free_threaded=False), program("free")
    assert refusal(with_gil) == f"{with_gil} is CPython 3.13.15 with the GIL, not a free-threaded one"
    assert refusal(free, need_tsan=True) == f"{free} is not built with ThreadSanitizer (configure --with-thread-sanitizer)"
    assert refusal(tmp_path / "none") == f"{tmp_path / 'none'} is no program"
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho 'cannot find its library' >&2\nexit 1\n")
    broken.chmod(0o755)
    assert refusal(broken) == f"{broken} does not run: cannot find its library"
    (tmp_path / "include" / "Python.h").unlink()
    assert refusal(free) == f"{free}: {tmp_path / 'include' / 'Python.h'} is missing; install its development files"


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Nothing is named, on PATH or built."""
    monkeypatch.setenv("CYBINDGO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("PYTHON_FT", raising=False)
    return tmp_path


def test_no_interpreter_at_hand_is_none(machine):
    assert interpreters.at_hand("ft") is None


def test_the_last_that_was_built_is_at_hand(machine, program):
    for place, version, age in (("ft-a", "3.13.15", 100), ("ft-b", "3.14.2", 50), ("ft-c", "3.13.9", 200), ("gil-d", "3.15.0", 0)):
        program(f"cache/interpreters/{place}/bin/python3", version)
        note = machine / "cache" / "interpreters" / place / "built.json"
        note.touch()
        os.utime(note, (1_700_000_000 - age,) * 2)
    found = interpreters.at_hand("ft")
    assert (found.version, found.origin) == ("3.14.2", "built earlier")


def test_what_is_installed_goes_before_what_was_built(machine, program, monkeypatch):
    program("cache/interpreters/ft-a/bin/python3")
    (machine / "cache" / "interpreters" / "ft-a" / "built.json").touch()
    program("bin/python3.15t", "3.15.0", free_threaded=False)  # its name promises what it is not
    on_path = program("bin/python3.14t", "3.14.1")
    found = interpreters.at_hand("ft")
    assert (found.program, found.version, found.origin) == (on_path, "3.14.1", "on PATH")
    named = program("named", "3.13.7")
    monkeypatch.setenv("PYTHON_FT", str(named))
    found = interpreters.at_hand("ft")
    assert (found.program, found.version, found.origin) == (named, "3.13.7", "PYTHON_FT")


def test_a_named_interpreter_that_will_not_do_is_not_passed_over(machine, program, monkeypatch):
    program("bin/python3.14t", "3.14.1")
    named = program("named", free_threaded=False)
    monkeypatch.setenv("PYTHON_FT", str(named))
    with pytest.raises(interpreters.Unsuitable, match=f"{named} is CPython 3.13.15 with the GIL"):
        interpreters.at_hand("ft")
    with pytest.raises(SystemExit, match="(?s)with the GIL, not a free-threaded one.*PYTHON_SOURCE="):
        interpreters.find("ft")


@pytest.mark.parametrize(("names", "newest"), [
    (["python3.13_3.13.9.orig.tar.xz", "python3.13_3.13.15.orig.tar.xz", "python3.13_3.13.2.orig.tar.xz"], "python3.13_3.13.15.orig.tar.xz"),
    (["python3.9_3.9.20.orig.tar.xz", "python3.14_3.14.0.orig.tar.xz"], "python3.14_3.14.0.orig.tar.xz"),
])
def test_the_newest_source_is_by_number_not_by_letter(names, newest):
    assert sources.newest([Path(name) for name in names]) == Path(newest)
    assert sources.newest([Path(name) for name in reversed(names)]) == Path(newest)


def test_of_no_sources_none_is_newest():
    assert sources.newest([]) is None


def test_a_source_tree_says_its_version(tmp_path):
    (tmp_path / "Include").mkdir()
    (tmp_path / "Include" / "patchlevel.h").write_text('#define PY_MAJOR_VERSION 3\n#define PY_VERSION      "3.14.2+"\n')
    assert sources.version_of(tmp_path) == "3.14.2"


def test_entries_of_the_archive_are_read_in_both_formats_without_suites(tmp_path):
    (tmp_path / "sources.list.d").mkdir()
    (tmp_path / "sources.list.d" / "base.sources").write_text(
        "Types: deb\n# URIs: http://commented\nURIs: http://archive/debian\nSuites: stable stable-updates\nComponents: main contrib\nSigned-By: /k/a.gpg\n\n"
        "Types: deb\nURIs: http://archive/debian-security\nSuites: stable-security\nComponents: main\n\n"
        "Types: deb\nURIs: http://elsewhere/tools\nSuites: any\nComponents: extra\n")
    (tmp_path / "sources.list").write_text(
        "deb [arch=amd64 signed-by=/k/b.gpg] http://mirror/debian stable main\ndeb http://mirror/debian stable-security main\n# deb http://off/debian stable main\n")
    (tmp_path / "sources.list.d" / "more.list").write_text("deb http://mirror/other stable main non-free\ndeb http://mirror/other stable-updates main non-free\n")
    assert sources.archive_entries(tmp_path) == (
        "Types: deb-src\nURIs: http://archive/debian\nSuites: SUITE\nComponents: main contrib\nSigned-By: /k/a.gpg\n\n"
        "Types: deb-src\nURIs: http://mirror/debian\nSuites: SUITE\nComponents: main\nSigned-By: /k/b.gpg\n\n"
        "Types: deb-src\nURIs: http://mirror/other\nSuites: SUITE\nComponents: main non-free\n")


def test_a_machine_without_entries_has_none(tmp_path):
    assert sources.archive_entries(tmp_path) == ""


@pytest.mark.parametrize("style", lock_styles.STYLES)
def test_the_locks_that_are_measured_are_edits_of_what_is_emitted(style):
    loaders = sorted((ROOT / "generated").glob("*/cuda/bindings/_internal/driver_linux.pyx"))
    assert len(loaders) == 2
    for loader in loaders:
        edited = mutants.apply(style, loader.read_text(), lock_styles.STYLES[style])
        assert edited.count("cdef int _cyb_initialise() except -1 nogil:") == edited.count("cdef int _cyb_once() except -1 nogil:") == 1

"""The page on thread safety says what the tests said, and the results are whole."""

import json
import tomllib

import document
import scenario_names


def results():
    return json.loads(document.RESULTS.read_text())


def test_the_page_has_the_tables_of_the_results():
    page = document.PAGE.read_text()
    assert document.filled(page, results()) == page, "run python tests/threads/document.py"


def test_what_is_emitted_was_never_seen_to_go_wrong():
    rows = [row for row in results()["threads"] if row["group"] in ("races", "contract", "as-control", "imports", "leaks")]
    assert [row for row in rows if row["seen"]] == []
    sanitized = {row["name"]: row["trials"] for row in rows if row["name"].startswith("ThreadSanitizer, emitted")}
    assert sanitized == {f"ThreadSanitizer, emitted driver: {kind}": 200 for kind in ("functions", "inspectors", "mixed")}
    assert sum(row["trials"] for row in rows if row["name"].startswith("no sanitizer")) >= 1000
    for name in scenario_names.NAMES:
        assert [row["on"] for row in rows if row["name"].startswith(name.replace("_", " ") + ", emitted")] == ["3.11.7", "3.13.15", "3.13.15t"], name


def test_every_control_that_is_run_was_seen():
    controls = {f"{rule}/{name}": entry["by"] for rule, entries in tomllib.loads(document.CONTROLS.read_text()).items() for name, entry in entries.items()}
    rows = [row for row in results()["threads"] if row["group"] == "control"]
    seen = {row["name"].removeprefix("leak: ") for row in rows}
    run = {name for name, by in controls.items() if by not in ("text", "model")}
    assert run - seen == set()
    for row in rows:
        by = controls.get(row["name"].removeprefix("leak: "), "leak")
        # A leak of one allocation of many is a leak; the sanitizer sees a race by chance.
        least = {"sanitizer": 0.8 * row["trials"], "leak": 1}.get(by, row["trials"])
        assert row["seen"] >= least, row
    published = [row for row in results()["threads"] if row["group"] == "published"]
    assert len(published) == 1 and published[0]["seen"] >= 16


def test_a_failed_run_is_not_written_down():
    row = {"group": "races", "name": "ours", "on": "3.13", "seen": 1, "trials": 20, "ok": False, "detail": "a report"}
    try:
        document.kept({"interpreters": {}, "results": [row]}, [])
    except SystemExit as ended:
        assert "ours" in str(ended)
    else:
        raise AssertionError("a failed run was taken")


def test_machines_leave_no_trace():
    kept = document.kept({"interpreters": {"ft": "CPython 3.13.15 free-threaded (built from python3.13.tar.xz in 90 s)"}, "results": []}, [])
    assert kept["interpreters"] == {"ft": "CPython 3.13.15 free-threaded"}

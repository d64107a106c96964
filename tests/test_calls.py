"""Every function, called through cimport from a second module, reaches the right symbol with the right arguments."""

import dataclasses

import consumers
import package
import pxd
import pytest

import build

# Arguments: gil or nogil, and whether to set the per-thread default stream: after
# the import of all modules and before the first call.
CODE = f"""
import json, os, sys
import calls
if sys.argv[2] == "True":
    os.environ[{package.PER_THREAD!r}] = "1"
result = [calls.call(index, sys.argv[1] == "nogil") for index in range(len(calls.NAMES))]
print(json.dumps([calls.NAMES, result, calls.RECORD_SIZES]))
"""

LOOK_UPS = ("cuGetProcAddress ", "cuGetProcAddress_v2 ")


@pytest.fixture(scope="session")
def calls(target, way, built):
    """(our functions by name, the package with the calling module on its path)."""
    described = pxd.describe(consumers.CYDRIVER, built.source, "3.3.1")
    module = build.build_module("calls", consumers.calls_everything(described), target.settings(*way), built.source)
    return consumers.called_functions(described), package.built(built).with_path(module.path)


def call_all(ours, gil="nogil", per_thread=False):
    return ours.python(CODE, gil, str(per_thread))


def check(target, functions, answer, per_thread=False):
    """The log is the calls that were made: in order, each to its symbol, with its arguments."""
    names, results, sizes = answer.json
    assert names == list(functions) and len(names) > 400
    assert set(results) == {0}
    symbols = [target.symbol(name, per_thread) for name in names]
    lines = [line for line in answer.log if not line.startswith(LOOK_UPS)]
    assert [line.split()[0] for line in lines] == symbols
    for name, symbol, line in zip(names, symbols, lines):
        expected = consumers.expected_line(symbol, functions[name], sizes.get(name, []))
        assert consumers.logged_line(line, functions[name]) == expected


@pytest.mark.parametrize("gil", ["gil", "nogil"])
def test_every_function_reaches_its_symbol_with_its_arguments(target, calls, stub, gil):
    functions, ours = calls
    check(target, functions, call_all(ours.on(stub), gil))


def test_per_thread_default_stream_reaches_the_per_thread_symbols(target, calls, stub):
    functions, ours = calls
    check(target, functions, call_all(ours.on(stub), per_thread=True), per_thread=True)


@pytest.mark.parametrize("per_thread", [False, True], ids=["legacy-stream", "per-thread-stream"])
def test_a_driver_without_cuGetProcAddress_v2_is_called_by_name(target, calls, old_stub, per_thread):
    functions, ours = calls
    check(target, functions, call_all(ours.on(old_stub), per_thread=per_thread), per_thread)


def test_look_up_through_cydriver(calls, stub):
    _, ours = calls
    code = "import calls; print(calls.look_up(b'cuInit', 12000), calls.look_up(b'cuNonsense', 12000)[1])"
    answer = ours.on(stub).python(code)
    assert answer.stdout.split() == ["(0,", "True)", "False"]
    assert [line.split()[1] for line in answer.log][-2:] == ["cuInit", "cuNonsense"]


def test_a_wrong_argument_would_be_seen(target, calls, stub):
    """The control of these tests: one changed digit in the log fails them."""
    functions, ours = calls
    answer = call_all(ours.on(stub))
    check(target, functions, answer)
    place = next(index for index, line in enumerate(answer.log) if line.startswith("cuMemcpyDtoH_v2 "))
    line = answer.log[place]
    changed = line[:-1] + ("0" if line[-1] != "0" else "1")
    with pytest.raises(AssertionError):
        check(target, functions, dataclasses.replace(answer, log=(*answer.log[:place], changed, *answer.log[place + 1:])))


def test_a_call_of_another_symbol_would_be_seen(target, calls, stub):
    """The other control: the legacy stream's symbols where the per-thread ones are wanted."""
    functions, ours = calls
    with pytest.raises(AssertionError):
        check(target, functions, call_all(ours.on(stub)), per_thread=True)

"""What goes wrong raises what the published package raises, and says what is missing."""

import consumers
import explained
import package
import pxd
import pytest

import build

PUBLIC_CALLS = ("driver.cuInit(0)", "driver.cuDriverGetVersion()", "driver.cuDeviceGetCount()", "driver.cuMemAlloc(16)",
                "driver.cuCtxSynchronize()")
INSPECTORS = ("sorted(loader._inspect_function_pointers())[:3]", "loader._inspect_function_pointer('__cuInit') == 0",
              "loader._inspect_function_pointer('nonsense')", "loader._inspect_function_pointer('cuInit')",
              "loader._inspect_function_pointer(5)")
NOT_FOUND = "cuda.bindings._internal.utils.FunctionNotFoundError"


@pytest.fixture(scope="session")
def calling(target, one_built, one_settings):
    """Our package with a module that calls every function."""
    described = pxd.describe(consumers.CYDRIVER, one_built.source, "3.3.1")
    module = build.build_module("calls", consumers.calls_everything(described), one_settings, one_built.source)
    return package.built(one_built).with_path(module.path)


def call(name, without_gil=True):
    return f"__import__('calls').call(__import__('calls').NAMES.index({name!r}), {without_gil})"


def test_missing_library_raises_what_the_published_package_raises(drop_in, published, tmp_path):
    expressions = (*PUBLIC_CALLS, *INSPECTORS)
    answer = drop_in.on(tmp_path).probe("raises", *expressions).json
    assert answer == published.on(tmp_path).probe("raises", *expressions).json
    assert {kind for kind, *_ in answer} == {"raises"}
    assert all('"cuda"' in said[-1] for said in answer[:len(PUBLIC_CALLS)])


@pytest.mark.parametrize("without_gil", [False, True], ids=["gil", "nogil"])
def test_missing_library_is_named_by_a_bare_package(calling, tmp_path, without_gil):
    (kind, error, bases, message), again = calling.on(tmp_path).probe(
        "raises", call("cuInit", without_gil), call("cuMemAlloc", without_gil)).json
    assert kind == "raises" and "builtins.RuntimeError" in bases and '"cuda"' in message
    assert again == [kind, error, bases, message]


def test_missing_function_raises_what_the_published_package_raises(drop_in, published, stub):
    lacking = {"CYBINDGO_STUB_LACK": "cuInit,cuMemAlloc_v2"}
    expressions = (*PUBLIC_CALLS, *INSPECTORS)
    answer = drop_in.on(stub).probe("raises", *expressions, **lacking).json
    assert answer == published.on(stub).probe("raises", *expressions, **lacking).json
    said = dict(zip(expressions, answer))
    for expression, symbol in (("driver.cuInit(0)", "cuInit"), ("driver.cuMemAlloc(16)", "cuMemAlloc_v2")):
        kind, error, bases, message = said[expression]
        assert (kind, error, message) == ("raises", NOT_FOUND, f"function {symbol} is not found")
        assert "builtins.RuntimeError" in bases
    assert said["driver.cuDriverGetVersion()"][0] == "value"
    assert said["loader._inspect_function_pointer('__cuInit') == 0"] == ["value", "True"]


@pytest.mark.parametrize("without_gil", [False, True], ids=["gil", "nogil"])
def test_every_missing_function_is_named(target, calling, one_built, stub, without_gil):
    """All functions lacking but those that are called in between: each error names its own symbol."""
    names = list(consumers.called_functions(pxd.describe(consumers.CYDRIVER, one_built.source, "3.3.1")))
    symbols = [target.symbol(name) for name in names]
    lack = ",".join(symbol for symbol in symbols if symbol != "cuDriverGetVersion")
    answer = calling.on(stub).probe("raises", *(call(name, without_gil) for name in names), CYBINDGO_STUB_LACK=lack).json
    for name, symbol, said in zip(names, symbols, answer, strict=True):
        if name == "cuDriverGetVersion":
            assert said == ["value", "0"]
        else:
            assert (said[1], said[3]) == (NOT_FOUND, f"function {symbol} is not found")


def test_the_sentinel_is_a_legal_result(calling, drop_in, published, stub):
    """500 is CUDA_ERROR_NOT_FOUND, the value after `except?`: returned by the driver it is no exception."""
    returning = {"CYBINDGO_STUB_RETURN": "cuInit=500;cuMemAlloc_v2=500;cuDeviceGetCount=500"}
    answer = calling.on(stub).probe("raises", call("cuInit", True), call("cuInit", False), call("cuMemAlloc"), **returning).json
    assert answer == [["value", "500"]] * 3
    through = drop_in.on(stub).probe("raises", *PUBLIC_CALLS, **returning).json
    assert through == published.on(stub).probe("raises", *PUBLIC_CALLS, **returning).json
    assert through[0] == ["value", "(<CUresult.CUDA_ERROR_NOT_FOUND: 500>,)"]


def test_other_results_come_through(calling, stub):
    answer = calling.on(stub).probe("raises", call("cuInit"), call("cuMemFree"),
                                    CYBINDGO_STUB_RETURN="cuInit=100;cuMemFree_v2=1").json
    assert answer == [["value", "100"], ["value", "1"]]


@pytest.mark.parametrize("value", ["0", "1", "2", "-1", " 1 ", "", "true"])
def test_per_thread_setting_is_read_as_the_published_package_reads_it(drop_in, published, logging_library, value):
    answers = []
    for one in (drop_in, published):
        said = one.on(logging_library).probe("raises", "len(loader._inspect_function_pointers()) > 400", **{package.PER_THREAD: value})
        answers.append((said.json, {line.split()[3] for line in said.log}))
    assert answers[0] == answers[1]


def test_failed_initialisation_is_tried_again(ours, stub):
    """Nothing of a failure is kept: the next call starts anew and works."""
    setting = f"__import__('os').environ.__setitem__('{package.PER_THREAD}', {{!r}})"
    ask = "loader._inspect_function_pointer('__cuInit') != 0"
    answer = ours.on(stub).probe("raises", setting.format("x"), ask, ask, setting.format("0"), ask)
    kinds = [said[:2] for said in answer.json]
    assert kinds == [["value", "None"], ["raises", "builtins.ValueError"], ["raises", "builtins.ValueError"],
                     ["value", "None"], ["value", "True"]]


def test_inspectors_agree_with_each_other_and_the_published_keys(target, ours, published, stub):
    keys, agree, same = ours.on(stub).probe(
        "raises",
        "sorted(loader._inspect_function_pointers())",
        "all(loader._inspect_function_pointer(name) == address != 0 for name, address in loader._inspect_function_pointers().items())",
        "loader._inspect_function_pointers() == loader._inspect_function_pointers()").json
    assert agree == same == ["value", "True"]
    names = {name.replace("_", "__", 1) for name in ours.on(stub).capi()["cuda.bindings._internal.driver"]}
    assert keys == ["value", repr(sorted(names))]
    more = {"__" + name.rpartition("._")[2] for kind, name in explained.listed("capi", target.major)
            if kind == "more" and name.startswith("_internal")}
    assert set(published.on(stub).probe("pointers").json) == names - more


def test_inspector_gives_each_caller_its_own_dict(ours, stub):
    answer = ours.on(stub).probe("raises", "loader._inspect_function_pointers() is loader._inspect_function_pointers()",
                                 "loader._inspect_function_pointers().clear()", "len(loader._inspect_function_pointers()) > 400").json
    assert answer == [["value", "False"], ["value", "None"], ["value", "True"]]

"""The published wheel with our two modules in it behaves as it does with its own."""

import explained
import pytest

# Calls each public function with as many zeros as it takes, and where it says that it
# wants something else, with that; each in a child process, because some read from NULL:
# that is an answer too.
SWEEP = r"""
import json, os, re, sys
import cuda.bindings.driver as driver

def called(function, values):
    try:
        return repr(function(*values))
    except Exception as error:
        return f"{type(error).__name__}: {error}"

def better(said):
    # What a message asks for instead of a zero.
    if wanted := re.search(r"expected cuda\.bindings\.driver\.(\w+), got int", said):
        return getattr(driver, wanted[1])()
    if "expected bytes" in said:
        return b"name"
    if "is not iterable" in said:
        return []

def answer(function):
    for count in range(16):
        values = [0] * count
        said = called(function, values)
        if "positional argument" not in said:
            break
    for _ in range(count):
        other = better(said)
        if other is None:
            break
        for place in range(count):
            changed = [*values[:place], other, *values[place + 1:]]
            if values[place] == 0 and called(function, changed) != said:
                values, said = changed, called(function, changed)
                break
        else:
            break
    return [count, said]

driver.cuDriverGetVersion()
answers = {}
for name in sorted(vars(driver)):
    function = getattr(driver, name)
    if not name.startswith("cu") or isinstance(function, type) or not callable(function):
        continue
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, json.dumps(answer(function)).encode())
        os._exit(0)
    os.close(write)
    said = b""
    while part := os.read(read, 65536):
        said += part
    os.close(read)
    _, status = os.waitpid(child, 0)
    answers[name] = json.loads(said) if status == 0 else [None, f"signal {os.WTERMSIG(status)}"]
print(json.dumps(answers))
"""


@pytest.fixture(scope="session")
def swept(drop_in, published, stub):
    """(answers, symbols called) of the drop-in copy, and of the wheel as it is, twice: what
    differs between those two (an address, memory that nobody set) says nothing."""
    runs = [one.on(stub).python(SWEEP, CYBINDGO_STUB_OUTPUTS="1") for one in (drop_in, published, published)]
    return [(run.json, [line.split()[0] for line in run.log if not line.startswith("cuGetProcAddress")]) for run in runs]


def test_the_copy_runs_our_modules(drop_in, one_built, stub):
    code = "import cuda.bindings._internal.driver as it, os; print(os.path.realpath(it.__file__))"
    expected = one_built.module_file("cuda.bindings._internal.driver").resolve()
    assert drop_in.on(stub).python(code).stdout.strip() == str(expected)


@pytest.fixture(scope="session")
def found_by_ours_only(target):
    """Functions for which the published module asks for an older version than the one that has them."""
    versions = explained.expected("requests", target.major)
    return {name.removeprefix("__") for (_, name), (theirs, mine) in versions.items() if theirs < mine}


def test_every_public_function_answers_the_same(swept, found_by_ours_only):
    (mine, _), (theirs, _), (again, _) = swept
    steady = {name for name in theirs if theirs[name] == again[name]} - found_by_ours_only
    assert len(steady) > 0.9 * len(theirs) > 400
    assert sum(theirs[name][1].startswith("(<CUresult.CUDA_SUCCESS") for name in steady) > 350
    assert mine.keys() == theirs.keys()
    assert {name: mine[name] for name in steady} == {name: theirs[name] for name in steady}
    for name in found_by_ours_only:
        assert "is not found" in theirs[name][1] and "is not found" not in mine[name][1]


def test_every_public_function_calls_the_same_symbols(swept, found_by_ours_only):
    (_, mine), (_, theirs), _ = swept
    assert len(set(theirs)) > 350
    assert [symbol for symbol in mine if symbol not in found_by_ours_only] == theirs
    assert found_by_ours_only <= set(mine)


def test_outputs_arrive(drop_in, stub):
    """What the stand-in writes through an output pointer is what the caller gets."""
    answer = drop_in.on(stub).probe("raises", "driver.cuDriverGetVersion()", "driver.cuDeviceGetCount()", "driver.cuMemAlloc(64)",
                                    "int(driver.cuMemAlloc(64)[1])", CYBINDGO_STUB_OUTPUTS="1").json
    assert answer[0] == ["value", "(<CUresult.CUDA_SUCCESS: 0>, 4096)"]
    assert answer[1] == ["value", "(<CUresult.CUDA_SUCCESS: 0>, 4096)"]
    assert answer[3] == ["value", "4096"]


@pytest.mark.parametrize("module", ["driver", "runtime", "nvrtc", "nvjitlink", "nvvm", "nvml"])
def test_every_published_module_still_imports(drop_in, stub, module):
    drop_in.on(stub).python(f"import cuda.bindings.{module}")

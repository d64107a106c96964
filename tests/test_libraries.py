"""The libraries beside the driver: what other modules see is what they see of the published package, and calls arrive."""


import consumers
import explained
import package
import pxd
import pytest

import build
import conftest

# Functions of each published package; a change means that another wheel was installed.
PUBLISHED = {"13": {"nvrtc": 29, "nvvm": 14, "nvfatbin": 12, "nvjitlink": 16, "nvml": 378},
             "12": {"nvrtc": 24, "nvvm": 14, "nvfatbin": 12, "nvjitlink": 16, "nvml": 370}}

# What cuda.pathfinder looks for, and the newest release of the range that the package covers.
SONAMES = {"nvrtc": {"13": "libnvrtc.so.13", "12": "libnvrtc.so.12"}, "nvvm": {"13": "libnvvm.so.4", "12": "libnvvm.so.4"},
           "nvfatbin": {"13": "libnvfatbin.so.13", "12": "libnvfatbin.so.13"}, "nvjitlink": {"13": "libnvJitLink.so.13", "12": "libnvJitLink.so.13"},
           "nvml": {"13": "libnvidia-ml.so.1", "12": "libnvidia-ml.so.1"}}
NEWEST = {"nvrtc": {"13": "13.5.0", "12": "12.9.0"}, **dict.fromkeys(("nvvm", "nvfatbin", "nvjitlink", "nvml"), {"13": "13.5.0", "12": "13.4.1.0"})}

# A question to the published Python module, and the symbol that it calls.
QUESTIONS = {"nvrtc": ("nvrtc.nvrtcVersion()", "nvrtcVersion"), "nvvm": ("nvvm.version()", "nvvmVersion"),
             "nvfatbin": ("nvfatbin.version()", "nvFatbinVersion"), "nvjitlink": ("nvjitlink.version()", "nvJitLinkVersion"),
             "nvml": ("nvml.init_v2()", "nvmlInit_v2")}

CALLS = """
import json
import calls
for index in range(len(calls.NAMES)):
    calls.call(index)
print(json.dumps(calls.NAMES))
"""


@pytest.fixture(scope="session", params=package.LIBRARIES)
def library(request):
    return request.param


def modules(library):
    return [f"cuda.bindings.cy{library}", f"cuda.bindings._internal.{library}"]


@pytest.fixture(scope="session")
def library_stub(target, library):
    """The folder of a stand-in of the library."""
    return conftest.stand_in(conftest.stub_source(NEWEST[library][target.major], library), name=SONAMES[library][target.major])


def test_capi_signatures_are_identical(target, library, published, ours):
    theirs, mine = (it.probe("capi", *modules(library)).json for it in (published, ours))
    assert {module: len(names) for module, names in theirs.items()} == dict.fromkeys(modules(library), PUBLISHED[target.major][library])
    found = {}
    for module in modules(library):
        short = module.removeprefix("cuda.bindings.")
        found |= {(kind, f"{short}.{name}"): values for (kind, name), values in explained.by_kind(theirs[module], mine[module]).items()}
    listed = {key: why for key, why in explained.listed("capi", target.major).items() if f"{library}." in key[1]}
    print(f"cuda{target.major} {library}: {len(listed)} explained differences of __pyx_capi__")
    assert {key: values for key, values in found.items() if key not in listed} == {}
    assert set(listed) - set(found) == set(), "explained.json lists what is no difference"


def more(target, library):
    """The functions that ours has and the published package has not."""
    prefix = f"cy{library}."
    return {name.removeprefix(prefix) for kind, name in explained.listed("capi", target.major) if kind == "more" and name.startswith(prefix)}


def test_inspectors_have_the_published_keys(target, library, published, ours, library_stub):
    theirs, mine = (it.on(library_stub).probe("pointers", library).json for it in (published, ours))
    assert set(mine) - {f"__{name}" for name in more(target, library)} == set(theirs)
    assert {key for key, address in theirs.items() if not address} == set()
    # What a release of the range had and its newest one has not is not found in that one's library.
    gone = {key for key, address in mine.items() if not address}
    assert gone <= {f"__{name}" for name in more(target, library)}


def test_every_function_reaches_its_symbol_with_its_arguments(target, way, built, library, library_stub):
    described = pxd.describe(f"cuda.bindings.cy{library}", built.source, "3.3.1")
    module = build.build_module("calls", consumers.calls_library(library, described), target.settings(*way), built.source)
    answer = package.built(built).with_path(module.path).on(library_stub).python(CALLS)
    functions = described["functions"]
    assert answer.json == list(functions) and len(functions) == PUBLISHED[target.major][library] + len(more(target, library))
    for name, line in zip(functions, answer.log, strict=True):
        assert consumers.logged_line(line, functions[name]) == consumers.expected_line(name, functions[name], [])


def test_a_missing_library_raises_and_a_missing_function_too(target, library, ours, library_stub, tmp_path):
    answer = ours.python(f"""
import cuda.bindings._internal.{library} as loader
try:
    loader._inspect_function_pointers()
except Exception as error:
    print(type(error).__name__)
""")
    assert answer.stdout.split() == ["DynamicLibNotFoundError"]
    name = sorted(ours.on(library_stub).probe("pointers", library).json)[0]
    empty = conftest.stand_in("int nothing;", name=SONAMES[library][target.major])
    addresses = ours.on(empty).probe("pointers", library).json
    assert set(addresses.values()) == {0} and name in addresses


def test_published_python_modules_run_on_ours(target, library, drop_in, library_stub):
    """The wheel's own Python module of the library, on our low-level ones and a stand-in."""
    question, symbol = QUESTIONS[library]
    answer = drop_in.on(library_stub).python(f"from cuda.bindings import {library}\nprint({question})")
    assert [line.split()[0] for line in answer.log] == [symbol]


OLD_NVJITLINK = """
int __nvJitLinkVersion_12_6(unsigned *major, unsigned *minor) { *major = 12; *minor = 6; return 0; }
int __nvJitLinkVersion_12_5(unsigned *major, unsigned *minor) { *major = 12; *minor = 5; return 0; }
"""


def test_an_older_nvjitlink_is_asked_for_names_of_releases(drop_in):
    """It exports functions under the names of its release alone; the newest that there is counts."""
    old = conftest.stand_in(OLD_NVJITLINK, name="libnvJitLink.so.12")
    answer = drop_in.on(old).python("from cuda.bindings import nvjitlink\nprint(nvjitlink.version())")
    assert answer.stdout.strip() == "(12, 6)"

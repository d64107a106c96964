"""What other Cython modules see of ours is what they see of the published package."""

import consumers
import explained
import package
import pxd
import pytest

import build
from conftest import ONE_BUILD

# Of the published packages; a change means that another wheel was installed.
PUBLISHED_FUNCTIONS = {"13": 526, "12": 483}


def test_published_packages_are_the_expected_ones(target, published):
    assert {module: len(names) for module, names in published.capi().items()} == dict.fromkeys(
        package.MODULES, PUBLISHED_FUNCTIONS[target.major])


def test_capi_signatures_are_identical(target, published, ours, stub):
    theirs, mine = published.capi(), ours.on(stub).capi()
    found = {}
    for module in package.MODULES:
        short = module.removeprefix("cuda.bindings.")
        found |= {(kind, f"{short}.{name}"): values
                  for (kind, name), values in explained.by_kind(theirs[module], mine[module]).items()}
    listed = {key: why for key, why in explained.listed("capi", target.major).items() if "driver." in key[1]}
    print(f"cuda{target.major}: {len(listed)} explained differences of __pyx_capi__")
    assert {key: values for key, values in found.items() if key not in listed} == {}
    assert set(listed) - set(found) == set(), "explained.json lists what is no difference"


@pytest.mark.parametrize("per_thread", [False, True], ids=["legacy-stream", "per-thread-stream"])
def test_requests_are_the_published_ones(target, published, ours, logging_library, per_thread):
    theirs, _ = published.on(logging_library).requests(per_thread)
    mine, made = ours.on(logging_library).requests(per_thread)
    assert None not in theirs.values()
    found = explained.by_kind(theirs, mine)
    listed = explained.listed("requests", target.major)
    print(f"cuda{target.major}: {len(listed)} explained differences of requests, {len(found)} found")
    assert {key: values for key, values in found.items() if key not in listed} == {}
    assert set(listed) - set(found) == set(), "explained.json lists what is no difference"
    for key, versions in explained.expected("requests", target.major).items():
        old, new = found[key]
        assert (old[1], new[1]) == versions
        assert (old[0], old[2]) == (new[0], new[2]), "only the version may differ"
    assert all(by == "cuGetProcAddress_v2" for by, *_ in made)
    assert len(made) == len(mine), "one request a function"


def test_requests_name_the_versions_of_the_typedefs(target, ours, logging_library):
    """An explained version is the header's own: PFN_<name>_v<version>."""
    text = "".join(path.read_text(errors="replace") for path in sorted(target.include.glob("cuda*Typedefs.h")))
    mine, _ = ours.on(logging_library).requests()
    for entry in explained.EXPLAINED["requests"][target.major]:
        base, version, _ = mine[entry["name"]]
        assert f"PFN_{base}_v{version}" in text
        assert f"PFN_{base}_v{entry['published']}" not in text


@pytest.fixture(scope="session")
def described(target, published, tmp_path_factory):
    """The published cydriver.pxd, and the folder of its sources."""
    source = tmp_path_factory.mktemp(f"published{target.major}") / "source"
    build.copy_source(published.paths[0].resolve(), source)
    return pxd.describe(consumers.CYDRIVER, source, "3.3.1"), source


def facts(built):
    """What a built uses_everything module says of its types."""
    code = "import json, used; print(json.dumps([used.constants(), used.sizes(), used.fields()]))"
    return package.Package((built.path,)).python(code).json


def test_every_enumerator_constant_and_field_is_there_and_the_same(target, way, built, described):
    """A module that uses all of the published cydriver.pxd compiles against ours and sees the same values and layout."""
    theirs, source = described
    settings, gone = target.settings(*way), dict(target.gone)
    mine = build.build_module("used", consumers.uses_everything(theirs, target.nameless), settings, built.source)
    # The published .pxd of 13 is C++ only, and its headers lack what is gone.
    usable = {**theirs, "constants": [name for name in theirs["constants"] if name not in gone]}
    reference = build.build_module("used", consumers.uses_everything(usable, target.nameless), target.settings(way[0], "c++"), source)
    constants, sizes, fields = facts(mine)
    assert len(constants) > 900 and len(sizes) > 400 and len(fields) > 500
    expected = facts(reference)
    assert explained.by_kind(expected[0] | gone, constants) == explained.expected("constants", target.major)
    assert explained.by_kind(expected[1], sizes) == {}
    assert explained.by_kind(expected[2], fields) == {}


def test_our_pxd_declares_all_published_types(target, one_built, described):
    theirs, _ = described
    mine = pxd.describe(consumers.CYDRIVER, one_built.source, "3.3.1")
    for section in ("types", "constants"):
        missing = set(theirs[section]) - set(mine[section])
        assert {name for name in missing if not consumers.ANONYMOUS.match(name)} == set()
    assert set(theirs["functions"]) == set(mine["functions"]) - {
        name.removeprefix("cydriver.") for kind, name in explained.listed("capi", target.major) if kind == "more"}


def published_pxds(one_built, published):
    """The published .pxd files to put beside ours: {path: content}."""
    root = published.paths[0].resolve()
    files = {str(path.relative_to(root)): path.read_bytes()
             for pattern in ("*.pxd", "*.pxi") for path in (root / "cuda" / "bindings").rglob(pattern)}
    if any("/_v2/" in path for path in files):
        files["cuda/bindings/_v2/__init__.pxd"] = b""
    return {path: content for path, content in files.items() if not (one_built.source / path).exists()}


@pytest.fixture(scope="session")
def cxx(target):
    """(settings, our package built with them): the published .pxd files include <type_traits>."""
    way = ONE_BUILD[target.major][0], "c++"
    return target.settings(*way), target.build(*way)


def test_published_driver_pxd_compiles_against_ours(published, cxx, described):
    """Every C attribute of every cdef class of the published driver.pxd has the type it had."""
    _, source = described
    settings, ours = cxx
    files = published_pxds(ours, published)
    classes = pxd.describe("cuda.bindings.driver", source, "3.3.1")
    text = consumers.uses_classes("cuda.bindings.driver", classes)
    assert text.count("\ndef ") > 300
    built = build.build_module("classes", text, settings, ours.source, files)
    assert built.module_file("classes").exists()


@pytest.fixture(scope="session")
def v2_functions(described):
    """The functions that the published _v2/driver.pxd itself declares."""
    _, source = described
    if not (source / "cuda/bindings/_v2/driver.pxd").exists():
        return None
    (source / "cuda/bindings/_v2/__init__.pxd").touch()
    every = pxd.describe("cuda.bindings._v2.driver", source, "3.3.1")["functions"]
    return sorted(set(every) - set(pxd.describe(consumers.CYDRIVER, source, "3.3.1")["functions"]))


def test_published_v2_driver_pxd_works_on_ours(target, published, cxx, v2_functions, drop_in, stub):
    """All functions of _v2/driver.pxd are imported, by signature, from the wheel's own module running on ours."""
    if target.major == "12":
        assert v2_functions is None, "12.9.10 has no _v2"
        return
    settings, ours = cxx
    text = consumers.takes_functions("cuda.bindings._v2.driver", v2_functions)
    built = build.build_module("taken", text, settings, ours.source, published_pxds(ours, published))
    answer = drop_in.on(stub).with_path(built.path).python("import json, taken; print(json.dumps(taken.addresses()))")
    assert len(answer.json) == len(v2_functions) > 400
    assert 0 not in answer.json.values()

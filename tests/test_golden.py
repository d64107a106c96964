"""What the golden cases emit, compiled and run.

`go test ./golden -write` writes it: each case by itself, and all of them together
as one library `kiln`, with extern and with inline types, for C and for C++. The
numbers here are those of the acceptance cases (golden/README.md).
"""

import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import compilers
import explained
import package
import pytest
from conftest import DATA, ROOT
from golden_library import Library, library

import build

MODULE = "kiln.bindings.cykiln"

# All cases together: (type mode, language, Cython).
WAYS = (
    ("extern", "c", "3.2.9"), ("extern", "c", "3.3.1"), ("extern", "c++", "3.3.1"), ("inline", "c", "3.3.1"), ("inline", "c++", "3.2.9"),
)

# What Cython 3.3.1 makes of a wrapper of the loader, comments included.
LINES_A_FUNCTION = 53

ZIG = {"linux-amd64": "x86_64-linux-gnu", "linux-arm64": "aarch64-linux-gnu", "windows-amd64": "x86_64-windows-gnu"}


@pytest.fixture(scope="session")
def golden(tmp_path_factory):
    """The folder that the golden cases are written to."""
    folder = tmp_path_factory.mktemp("golden")
    done = subprocess.run(["go", "test", "./golden", "-count=1", "-run", "^TestWrite$", "-write", str(folder)],
                          cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout[-8000:]
    return folder


@pytest.fixture(scope="session", params=WAYS, ids="-".join)
def together(request, golden):
    mode, language, cython = request.param
    return Library(golden / "together" / f"{mode}-{language}", language, cython)


@pytest.fixture(scope="session")
def one(golden):
    """All cases together, in one way, for what does not depend on it."""
    return Library(golden / "together" / "inline-c", "c", "3.3.1")


def probe_text(language):
    """The module that uses the bindings. Some headers are no C++."""
    return (DATA / "golden_probe.pyx").read_text()


@pytest.mark.parametrize("target", ZIG)
def test_compilers_confirm_the_model(golden, tmp_path, target):
    """Functions, values, sizes and offsets of every case, asserted by clang about the case's headers."""
    sources = sorted(golden.glob(f"*/*/assert/{target}/*.c"))
    assert len(sources) > 45
    compiler = compilers.zig(ZIG[target])

    def check(source):
        folder = source.parents[3]
        command = source, tmp_path / f"{folder.name}-{source.stem}.o", ("-O1", "-I", str(folder)), "c"
        if target.startswith("windows") and re.search("KILN_M_ALL|KILN_L_HI", source.read_text()):
            # B87: an int for every enum is Microsoft's rule, which this compiler does not follow.
            with pytest.raises(compilers.CompileError, match="KILN_M_ALL is -1|KILN_L_HI is 0"):
                compiler.compile(*command)
        else:
            compiler.compile(*command)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(check, sources))


def test_a_wrong_number_is_refused(golden, tmp_path):
    """The assertions can fail."""
    source = golden / "cases/B05_array_members/assert/linux-amd64/B05_array_members.c"
    wrong = tmp_path / "wrong.c"
    wrong.write_text(source.read_text().replace("656", "657"))
    with pytest.raises(compilers.CompileError, match="657"):
        compilers.zig(ZIG["linux-amd64"]).compile(wrong, tmp_path / "wrong.o", ("-I", str(source.parents[3])), "c")


def test_builds_without_unexplained_warnings(together):
    assert together.cythonized.warnings == []
    assert explained.unexplained(together.build().warnings) == []


@pytest.mark.parametrize("compiler", compilers.every(), ids=lambda compiler: compiler.name)
def test_pointers_are_never_converted_implicitly(golden, compiler):
    """B54: C++17 without -fpermissive, and C in which a wrong pointer is an error."""
    plus = Library(golden / "together/extern-c++", "c++", "3.3.1").build(compiler, ("-O0", "-std=c++17"))
    assert explained.unexplained(plus.warnings) == []
    strict = ("-O0", "-Werror=incompatible-pointer-types", "-Werror=int-conversion")
    plain = Library(golden / "together/extern-c", "c", "3.3.1").build(compiler, strict)
    assert explained.unexplained(plain.warnings) == []


def test_values_and_layouts(together):
    """What Cython code sees of the cases' types and constants."""
    using = together.package(probe_text(together.language)).on(together.stub())
    names = ("B05", "B13", "B23", "B25", "B27", "B52", "B58", "B67", "B69", "B77", "B79", "B83", "B85", "B87", "B91", "B93", "B101")
    got = using.python("import golden_probe as p, sys, json\n"
                       "print(json.dumps({n: [v.decode() if isinstance(v, bytes) else v for v in getattr(p, n)()]"
                       " for n in sys.argv[1:]}))", *names).json
    assert got == {
        "B05": [24, 656, 256, 264, 648, 7, 8, 9],
        "B13": [8, 8, 8],
        "B23": [2097176, 2097176],
        "B25": [40, 8, 24, 32, 2**64 - 1],
        "B27": [42],
        "B52": [28, 4, 3, 5],
        "B58": [5, 1, 2, 3, 3, 4],
        "B67": [5, "two parts"],
        "B69": [1, 2, 3],
        "B77": [4, 1, 2, 3, 0, 5, 16, 12],
        "B79": [16, 48, 26, 17, 8],
        "B83": [11, 11, 14, 8, 2, 6],
        "B85": [43968, 17, 18, 1, -7, "kilnlib", 1500.0, 65],
        "B87": [-2, -1, 0, 122, 489, 8, 6, 4294967295, 2147483648, 2147483616, 10, 11, 2**32, 8, 4],
        "B91": [7],
        "B93": [24, 40, 8, True],
        "B101": [24, 2**63 + 5, 8],
    }


def test_calls_arrive(together):
    """B01, B97, B101: arguments as they were passed, whatever their type."""
    using = together.package(probe_text(together.language)).on(together.stub())
    answer = using.python("import golden_probe as p\nprint(*p.B01())\np.B97(); p.B101(); print(p.B60())")
    count, slots, text = answer.stdout.split(maxsplit=2)
    assert text == repr("µ".encode()) + "\n"
    assert answer.log[0] == f"kilnRackGetSlots 0x1234 {count} {slots}"
    assert [line.split()[0] for line in answer.log[1:5]] == ["kilnOnce", "kilnUnnamed", "kilnKandR", "kilnSync"]
    assert answer.log[3] == "kilnKandR"
    chain = answer.log[5].split()
    assert chain[:5] == ["kilnUseChain", "0x0", "0x10", "0x20", "0x0"] and chain[6:] == ["0xffffffff", "0x0"]


def test_the_error_value_is_a_legal_result(together):
    """B56: a status equal to the value after `except?` reaches the caller."""
    using = together.package(probe_text(together.language)).on(together.stub(), CYBINDGO_STUB_RETURN="kilnFind=500")
    assert using.python("import golden_probe as p; print(p.B56())").stdout == "500\n"


def test_without_the_question_mark_it_is_not(one):
    """What B56 is about: the same module with `except VALUE` turns the status into an error."""
    text = "from kiln.bindings.cykiln cimport *\n" \
           "cdef kilnFindStatus_t find(int key) except KILN_FIND_NOT_FOUND nogil:\n    return kilnFind(key)\n" \
           "def go():\n    return <int>find(1)\n"
    using = one.package(text, "golden_except").on(one.stub(), CYBINDGO_STUB_RETURN="kilnFind=500")
    failed = using.python("import golden_except; golden_except.go()", check=False)
    assert failed.returncode != 0 and "SystemError" in failed.stderr


def test_signatures_do_not_depend_on_how_types_are_declared(golden):
    """B56, B71: the strings that importing modules are checked against."""
    strings = {}
    for mode, language, cython in WAYS:
        made = Library(golden / "together" / f"{mode}-{language}", language, cython)
        if language == "c":
            strings[mode, cython] = package.Package((made.build().path,)).on(made.stub()).probe("capi", MODULE).json[MODULE]
    first, *others = strings.values()
    assert len(first) > 60 and all(other == first for other in others)
    assert first["kilnBatch"] == "int (void *const *, void const *const *, size_t const *, size_t)"
    assert first["kilnGetFlags"] == "int (void *, kilnU64 *)"
    assert first["kilnTransfer"] == "int (float (*)[17], uint8_t const *, double (*)[8], kilnInfo_t *)"
    assert first["kilnFind"] == "kilnFindStatus_t (int)"


def test_a_function_of_another_platform_is_not_found(together):
    """B36: it is there to be cimported, and says so when it is called."""
    using = together.package(probe_text(together.language)).on(together.stub())
    failed = using.python("import golden_probe as p\ntry:\n    p.missing()\nexcept Exception as e:\n    print(type(e).__module__, type(e).__name__, e)")
    assert failed.stdout == "kiln.bindings._internal.utils FunctionNotFoundError function kilnWindow is not found\n"


def test_packing_that_cython_writes(golden):
    """B83: records that Cython itself defines are packed where the header's are."""
    text = "from kiln.bindings.cykiln cimport *\n" \
           "def go():\n    cdef kilnPkA a\n    cdef kilnTight_t t\n" \
           "    return sizeof(a), <size_t>&a.k - <size_t>&a, sizeof(t), sizeof(kilnLoose_t)\n"
    for cython in ("3.2.9", "3.3.1"):
        made = Library(golden / "cases/B83_packing_by_cython", "c", cython)
        assert made.package(text, "golden_packed").python("import golden_packed; print(golden_packed.go())").stdout == "(11, 9, 5, 8)\n"


SLOW = """
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int loads;
__attribute__((constructor)) static void up(void) { usleep(50000); loads++; }
__attribute__((destructor)) static void down(void) { printf("down\\n"); fflush(stdout); }
int kilnOpenHatch(void) { return loads; }
int kilnBestShelf(int *shelf, void *fn) { (void)shelf; (void)fn; return 0; }
int kilnFind(int key) { (void)key; return 0; }
int kilnOnce(void *a, void *b) { (void)a; (void)b; return 0; }
int kilnUnnamed(int a, const char *b, void *c, void *d) { (void)a; (void)b; (void)c; (void)d; return 0; }
int kilnKandR(void) { return 0; }
int kilnSync(void *a) { (void)a; return 0; }
void kilnReset(void) {}
int kilnGetFlags(void *a, void *b) { (void)a; (void)b; return 0; }
int kilnGetFlagsToo(void *a, void *b) { (void)a; (void)b; return 0; }
"""


def test_first_calls_from_many_threads(one):
    """B28, B40: one load, no half-filled table, and nothing is closed before the process ends."""
    using = one.package(probe_text("c")).on(one.stub(SLOW))
    for _ in range(8):
        answer = using.python("import golden_probe as p\nprint(p.first_calls(32), p.hatch(), p.hatch())")
        assert answer.stdout == "[] 1 1\ndown\n"


def test_a_child_of_a_fork_in_mid_first_use(one):
    """B44: forked while another thread is inside its first call, the child makes its own."""
    using = one.package(probe_text("c")).on(one.stub(SLOW))
    for delay in (0.0, 0.01, 0.03):
        answer = using.python(f"""
import os, threading, time
import golden_probe as p
thread = threading.Thread(target=p.hatch)
thread.start()
time.sleep({delay})
child = os.fork()
if child == 0:
    import signal
    signal.alarm(5)
    os._exit(p.hatch() * 10 + 1)
_, status = os.waitpid(child, 0)
thread.join()
print(os.waitstatus_to_exitcode(status), p.hatch())
""")
        assert answer.stdout.splitlines()[0] == "11 1"


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_children_of_multiprocessing(one, method):
    """B44: each start method."""
    using = one.package(probe_text("c")).on(one.stub(SLOW))
    answer = using.python("import multiprocessing, sys, golden_probe as p\n"
                          "if __name__ == '__main__':\n"
                          "    p.hatch()\n"
                          "    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:\n"
                          "        print(pool.apply(p.hatch), pool.apply(p.hatch), flush=True)\n", method)
    assert answer.stdout.splitlines()[0] == "1 1"


def test_the_soname_is_opened(one, tmp_path):
    """B34: not the stub of the bare name, and the error lists what was tried."""
    using = one.package(probe_text("c"))
    bare = library("int kilnOpenHatch(void) { return 34; }\n", "libkiln.so")
    real = one.stub(SLOW)
    folder = tmp_path / "both"
    folder.mkdir()
    (folder / "libkiln.so").symlink_to(bare / "libkiln.so")
    (folder / "libkiln.so.1").symlink_to(real / "libkiln.so.1")
    assert using.on(folder).python("import golden_probe as p; print(p.hatch())").stdout.startswith("1\n")
    failed = using.on(bare).python("import golden_probe as p; p.hatch()", check=False)
    assert "cannot load the library kiln: tried libkiln.so.1" in failed.stderr


@pytest.fixture(scope="session")
def windows_python(tmp_path_factory):
    """{bits: this Python's headers with a pyconfig.h that says Windows}."""
    folders = {}
    for bits in (32, 64):
        folder = tmp_path_factory.mktemp("python") / f"include{bits}"
        shutil.copytree(build.PYTHON_INCLUDE, folder)
        text = (DATA / "windows" / "pyconfig.h").read_text()
        if bits == 32:
            text = re.sub(r"#define MS_WIN64\n", "", text)
            text = re.sub(r"(SIZEOF_VOID_P|SIZEOF_SIZE_T|ALIGNOF_SIZE_T|SIZEOF_HKEY) 8", r"\1 4", text)
            text = text.replace("LLONG_MAX", "INT_MAX").replace("typedef long long Py_ssize_t", "typedef int Py_ssize_t")
        (folder / "pyconfig.h").write_text(text)
        folders[bits] = folder
    return folders


def for_windows(made, stem, python, output, target, flags=()):
    """Compile one module of a library for Windows; the warnings."""
    flags = ["-O0", "-fwrapv", *build.WARNINGS, "-isystem", str(python), "-isystem", str(made.include), *flags]
    return compilers.zig(target).compile(made.cythonized.file(stem), output, flags, made.language)


@pytest.mark.parametrize("tree", ["extern-c", "inline-c++"])
def test_compiles_for_windows(golden, windows_python, tmp_path, tree):
    """B25, B36, B99: headers whose names are macros there, and functions of either platform."""
    language = tree.partition("-")[2]
    made = Library(golden / "together" / tree, language, "3.3.1")
    for stem in ("kiln.bindings._internal.kiln_windows", MODULE):
        warned = for_windows(made, stem, windows_python[64], tmp_path / "x.o", "x86_64-windows-gnu")
        assert explained.unexplained(warned) == []


def test_conventions_on_32_bit_windows(golden, windows_python, tmp_path):
    """B91: the call goes out as stdcall where the header says so and only there; on Linux nothing is left of it."""
    made = Library(golden / "cases/B91_conventions", "c", "3.3.1")
    loader, output = "kiln.bindings._internal.kiln_windows", tmp_path / "loader.ll"
    strict = ("-Werror=incompatible-function-pointer-types", "-S", "-emit-llvm")
    for_windows(made, loader, windows_python[32], output, "x86-windows-gnu", strict)
    calls = {name: body for name, body in re.findall(r"^define [^\n]*_(kiln\w+)\([^\n]*\n(.*?)^}", output.read_text(), re.M | re.S)}
    through = {name: [bool(re.search(r"\bx86_stdcallcc\b", line)) for line in body.splitlines() if re.search(r"call [^@]*%\w+\(", line)]
               for name, body in calls.items() if name in ("kilnEnqueue", "kilnChoose", "kilnPlainCall")}
    assert through == {"kilnEnqueue": [True], "kilnChoose": [True], "kilnPlainCall": [False]}
    for_windows(made, MODULE, windows_python[32], tmp_path / "module.o", "x86-windows-gnu", strict[:1])

    text = (DATA / "golden_probe.pyx").read_text()
    callback = text[text.index("cdef void __stdcall host"):text.index("def B93")]
    head = "from kiln.bindings.cykiln cimport *\n\n"
    consumer = build.build_module("golden_callback", head + callback, made.settings(), made.cythonized.source)
    compile_one = ["-O0", "-w", "-isystem", str(windows_python[32]), "-isystem", str(made.include), strict[0]]
    compilers.zig("x86-windows-gnu").compile(consumer.cythonized.file("golden_callback"), tmp_path / "c.o", compile_one, "c")
    # Without the convention Cython itself refuses the callback.
    with pytest.raises(build.CythonError, match="Cannot assign type"):
        build.build_module("golden_callback", head + callback.replace("__stdcall ", ""), made.settings(), made.cythonized.source)
    # On Linux the preprocessor leaves nothing of the word, but for strings.
    here = made.cythonized.file("kiln.bindings._internal.kiln_linux")
    text = compilers.run([*compilers.default().cc, "-E", "-P", "-I", build.PYTHON_INCLUDE, "-I", str(made.include), str(here)])
    assert "__stdcall" in here.read_text() and "stdcall" not in re.sub(r'"(\\.|[^"\\])*"', "", text)


def test_size_of_a_module_grows_with_its_functions(golden):
    """B64: lines of C for each function, which build times follow. A Cython or a template that
    makes half as many again fails here; raise the number only with a reason."""
    def size(folder):
        made = Library(golden / folder, "c", "3.3.1")
        module = made.cythonized.source / "kiln/bindings/_internal/kiln_linux.pyx"
        lines = made.cythonized.file("kiln.bindings._internal.kiln_linux").read_text().count("\n")
        return len(re.findall(r"^cdef .* nogil:$", module.read_text().partition("# Functions")[2], re.M)), lines

    few, lines_few = size("cases/B34_names_to_open")
    many, lines_many = size("together/extern-c")
    assert few == 1 and many > 60
    assert (lines_many - lines_few) / (many - few) < 1.5 * LINES_A_FUNCTION



RESOLVES = """
#include <stdint.h>
#include <string.h>
static int queries;
int kilnStart(unsigned int flags) { (void)flags; return queries; }
int kilnCount(int *n) { *n = 5; return 0; }
int kilnGetEntry(const char *name, void **fn, int version, uint64_t flags, int *why) {
    (void)flags; (void)why;
    __atomic_fetch_add(&queries, 1, __ATOMIC_RELAXED);
    *fn = 0;
    if (strcmp(name, "kilnStart") == 0 && version == 1000)
        *fn = (void *)kilnStart;
    if (strcmp(name, "kilnCount") == 0 && version == 1010)
        *fn = (void *)kilnCount;
    return *fn == 0;
}
"""


def test_the_library_resolves_its_own_symbols(golden):
    """B32: the function that resolves symbols is one of them; nobody waits for himself."""
    made = Library(golden / "cases/B32_entry_query", "c", "3.3.1")
    text = "from kiln.bindings.cykiln cimport kilnCount, kilnStart\n" \
           "def count():\n    cdef int n = 0\n    kilnCount(&n)\n    return n\n" \
           "def start():\n    return kilnStart(0)\n"
    using = made.package(text, "golden_query").on(made.stub(RESOLVES))
    one = using.python("import signal, golden_query as q\nsignal.alarm(5)\nprint(q.count(), q.start())")
    assert one.stdout == "5 3\n"
    many = using.python("import signal, threading, golden_query as q\nsignal.alarm(5)\ngot = []\nbarrier = threading.Barrier(8)\n"
                        "threads = [threading.Thread(target=lambda: (barrier.wait(), got.append(q.count()))) for _ in range(8)]\n"
                        "for t in threads: t.start()\nfor t in threads: t.join()\nprint(got)")
    assert many.stdout == f"{[5] * 8}\n"

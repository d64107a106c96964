"""Cython modules that use a binding package as downstream code does, written from its .pxd.

Each function takes what `pxd.describe` says and gives the text of a module.
"""

import re

# Counter-numbered names of anonymous types: reached through their parent, never by name.
ANONYMOUS = re.compile(r"(?:.*__)?anon_(?:pod|struct|union|enum)\d+$")

CYDRIVER = "cuda.bindings.cydriver"


def field_paths(described, nameless=frozenset()):
    """Every field of every named record, through anonymous members: ["Record.field.inner", ...].

    `nameless` are further records that have no name in C or C++.
    """
    records = described["records"]

    def without_name(record):
        return record in nameless or ANONYMOUS.match(record)

    def walk(prefix, record, seen):
        for name, type_ in records[record]["fields"]:
            path = f"{prefix}.{name}"
            yield path
            inner = type_
            while inner["kind"] == "array":
                inner, path = inner["element"], path + "[0]"
            inside = inner["of"]
            if inner["kind"] == "record" and without_name(inside) and inside not in seen:
                yield from walk(path, inside, {*seen, inside})

    return [path for record in records if not without_name(record) for path in walk(record, record, {record})]


def uses_everything(described, nameless=frozenset()):
    """A module with constants(), sizes() and fields(): every enumerator, constant and record field of a .pxd."""
    types = [name for name in described["types"] if name not in nameless and not ANONYMOUS.match(name)]
    lines = [f"from {CYDRIVER} cimport *", "", "", "def constants():", "    return {"]
    lines += [f"        {name!r}: <object><long long>{name}," for name in described["constants"]]
    lines += ["    }", "", "", "def sizes():", "    return {"]
    lines += [f"        {name!r}: sizeof({name})," for name in types]
    lines += ["    }", "", "", "def fields():", "    return {"]
    for path in field_paths(described, nameless):
        record, _, rest = path.partition(".")
        lines.append(f"        {path!r}: (<size_t>&(<{record}*>NULL).{rest}, sizeof((<{record}*>NULL).{rest})),")
    return "\n".join([*lines, "    }", ""])


def uses_classes(module, described):
    """A module that touches every C attribute of every cdef class, and every C function, of a .pxd."""
    lines = [f"cimport {module} as used", "", ""]
    for name, attributes in described["classes"].items():
        typed = [attribute for attribute, type_ in attributes.items() if type_["kind"] != "object"]
        lines += [f"def size_of_{name}(used.{name} it):", f"    return [{', '.join(f'sizeof(it.{attribute})' for attribute in typed)}]", "", ""]
    return "\n".join(lines)


def takes_functions(module, functions):
    """A module that imports C functions of another by their signatures and says their addresses."""
    lines = [f"cimport {module} as used", "", "", "def addresses():", "    return {"]
    lines += [f"        {name!r}: <size_t><void*>used.{name}," for name in functions]
    return "\n".join([*lines, "    }", ""])


# What each argument of a call is, by its place, so that no two arguments of a function look alike.
WIDE, INTEGER, SHORT, BYTE, ENUM, POINTER = 0x1122334455667700, 0x11223300, 0x1100, 0x10, 3, 0x7F0000001000
RECORD = 0x40


def argument_value(type_, place):
    """What is passed in this place: an int, a float, or for a record the byte it is filled with."""
    kind, of = type_["kind"], type_["of"]
    if kind in ("pointer", "function"):
        return POINTER + 16 * place
    if kind == "enum":
        return ENUM + place
    if kind == "float":
        return 1.5 + place
    if kind == "record":
        return RECORD + place
    if kind == "integer":
        if "char" in of:
            return BYTE + place
        if "short" in of:
            return SHORT + place
        if "long" in of or "size_t" in of or "64" in of:
            return WIDE + place
        return INTEGER + place
    raise ValueError(f"an argument of kind {kind} cannot be passed: {type_}")


# The stand-in library looks names up for it, so it is not called with any arguments.
LOOK_UP = "cuGetProcAddress"


def called_functions(described):
    """The functions that calls_everything calls, by name."""
    return {name: function for name, function in described["functions"].items() if name != LOOK_UP}


def calls_everything(described):
    """A module that calls each function of cydriver, with or without the GIL.

    NAMES lists them; `call(i, without_gil)` calls one and returns its result as an
    int; RECORD_SIZES are the sizes of by-value record arguments.  `look_up(name,
    version)` is a call of cuGetProcAddress: (result, whether something was found).
    """
    functions = called_functions(described)
    lines = [f"from {CYDRIVER} cimport *", "from libc.string cimport memset", "",
             "ctypedef CUresult (*caller)() except? CUDA_ERROR_NOT_FOUND nogil", ""]
    for name, function in functions.items():
        passed, before = [], []
        for place, (_, type_) in enumerate(function["arguments"]):
            value, decl = argument_value(type_, place), type_["name"]
            if type_["kind"] == "record":
                before += [f"    cdef {decl} record{place}", f"    memset(&record{place}, {value}, sizeof(record{place}))"]
                passed.append(f"record{place}")
            elif type_["kind"] in ("pointer", "function"):
                passed.append(f"<{decl}><void*><size_t>{value:#x}")
            else:
                passed.append(f"<{decl}>{value}")
        lines += [f"cdef CUresult _call_{name}() except? CUDA_ERROR_NOT_FOUND nogil:", *before,
                  f"    return {name}({', '.join(passed)})", ""]
    lines += [f"NAMES = {list(functions)!r}", f"cdef caller[{len(functions)}] CALLERS"]
    lines += [f"CALLERS[{index}] = _call_{name}" for index, name in enumerate(functions)]
    sizes = {name: [type_["name"] for _, type_ in function["arguments"] if type_["kind"] == "record"]
             for name, function in functions.items()}
    lines += ["RECORD_SIZES = {"]
    lines += [f"    {name!r}: [{', '.join(f'sizeof({record})' for record in records)}]," for name, records in sizes.items() if records]
    lines += ["}", "", "", "def call(int index, bint without_gil):", "    cdef CUresult result", "    if without_gil:",
              "        with nogil:", "            result = CALLERS[index]()", "    else:", "        result = CALLERS[index]()",
              "    return <int>result", ""]
    lines += ["", "def look_up(bytes name, int version):", "    cdef void* found = NULL",
              "    cdef CUdriverProcAddressQueryResult status",
              f"    result = {LOOK_UP}(name, &found, version, 0, &status)", "    return <int>result, found != NULL", ""]
    return "\n".join(lines)


def calls_library(library, described):
    """A module that calls each function of cy<library> without the GIL: NAMES lists them, `call(i)` calls one."""
    functions = described["functions"]
    lines = [f"from cuda.bindings.cy{library} cimport *", "", "ctypedef int (*caller)() except -1 nogil", ""]
    for name, function in functions.items():
        passed = []
        for place, (_, type_) in enumerate(function["arguments"]):
            value, decl = argument_value(type_, place), type_["name"]
            passed.append(f"<{decl}><void*><size_t>{value:#x}" if type_["kind"] in ("pointer", "function") else f"<{decl}>{value}")
        lines += [f"cdef int _call_{name}() except -1 nogil:", f"    {name}({', '.join(passed)})", "    return 0", ""]
    lines += [f"NAMES = {list(functions)!r}", f"cdef caller[{len(functions)}] CALLERS"]
    lines += [f"CALLERS[{index}] = _call_{name}" for index, name in enumerate(functions)]
    return "\n".join([*lines, "", "", "def call(int index):", "    with nogil:", "        CALLERS[index]()", ""])


def expected_line(symbol, function, record_sizes):
    """What the stand-in library logs for a call of calls_everything: [symbol, argument...]."""
    line, sizes = [symbol], list(record_sizes)
    for place, (_, type_) in enumerate(function["arguments"]):
        value = argument_value(type_, place)
        if type_["kind"] == "record":
            line.append(bytes([value]) * sizes.pop(0))
        else:
            line.append(value)
    return line


def logged_line(line, function):
    """The same of a line that was logged: `symbol arg0 arg1 ...`."""
    symbol, *words = line.split()
    values = []
    for word, (_, type_) in zip(words, function["arguments"], strict=True):
        if type_["kind"] == "record":
            values.append(bytes.fromhex(word.removeprefix("0x")))
        elif type_["kind"] == "float":
            values.append(float.fromhex(word))
        else:
            values.append(int(word, 16))
    return [symbol, *values]

"""What a text says about the publication, in a form that can be compared.

`of_loader` reads the loader's template or an emitted loader, `of_litmus` and
`of_relacy` what the model checkers are given.  Each gives the same few lines:

    starts  what the shared pointer points to, and what is in a table, before the first call
    fast    what a call does that finds a function
    slow    what it does otherwise; the inspectors do the same

A step that a reader does not know stands in the form as it is written, so that it
differs from what the others say: nothing is passed over but what NEUTRAL lists.
"""

from __future__ import annotations

import re

Form = dict[str, str]
Tree = list["str | tuple[str, Tree]"]  # statements; (head, body) is a compound one

STARTS = "current is none; none is zero; a new table is zero"

# Statements that publication does not depend on.
NEUTRAL = re.compile(r"""
      cdef\ [\w*\ ]+?( = 0)? | with\ gil | per_thread\ =\ bool\(.*\) | library\ =\ _cyb_open_library\(\)
    | raise\ .* | return\ 0 | return\ function | key\ =\ name\.encode\(\) | i\ =\ cyb_find\(key\)
    | cdef\ bytes\ key\ =\ name\.encode\(\) | if\ (table|function)\ ==\ NULL | if\ i\ <\ 0
""".replace(" = 0", r"\ =\ 0"), re.X)


class Unreadable(Exception):
    """A text that lacks a function or a declaration that the form is taken from."""


def found(pattern: str, text: str, what: str) -> re.Match[str]:
    match = re.search(pattern, text, re.M | re.S)
    if not match:
        raise Unreadable(f"no {what} is found; if it was renamed, rename it in protocol.py, too")
    return match


def by_indent(lines: list[str]) -> Tree:
    """Statements of Cython, nested as they are indented; comments and docstrings left out."""
    tree: Tree = []
    lines = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    while lines:
        head, depth = lines[0].strip(), len(lines[0]) - len(lines[0].lstrip())
        end = next((n for n, line in enumerate(lines) if n and len(line) - len(line.lstrip()) <= depth), len(lines))
        tree.append((head.removesuffix(":"), by_indent(lines[1:end])) if end > 1 else head)
        lines = lines[end:]
    return tree


def by_brace(text: str) -> Tree:
    """Statements of C, nested in braces."""
    stack: list[Tree] = [[]]
    for statement, end in re.findall(r"\s*([^;{}]*?)\s*([;{}])", text):
        if end == "{":
            body: Tree = []
            stack[-1].append((statement, body))
            stack.append(body)
        elif end == "}":
            stack.pop()
        else:
            stack[-1].append(" ".join(statement.split()))
    return stack[0]


def told(tree: Tree, words: dict[str, str]) -> str:
    """A tree in the words of the form; what has none stays as it is."""
    steps = []
    for node in tree:
        head, body = (node, None) if isinstance(node, str) else node
        if NEUTRAL.fullmatch(head):
            steps.append(told(body or [], words))
            continue
        known = [re.sub(pattern, lambda match, word=word: match.expand(word).lower(), head)
                 for pattern, word in words.items() if re.fullmatch(pattern, head)]
        step = known[0] if known else f"`{head}`"
        steps.append(step if body is None else f"{step} [{told(body, words)}]")
    return ", ".join(filter(None, steps))


def common_branch(text: str) -> str:
    """C text without the branch that only Microsoft's compiler sees: run_msvc.py has that one."""
    kept, depth, inside = [], 0, False
    for line in text.splitlines():
        word = line.strip()
        if word.startswith("#if defined(_MSC_VER)"):
            inside, depth = True, 0
        elif inside and word.startswith("#if"):
            depth += 1
        elif inside and word == "#else" and depth == 0:
            inside = False
        elif inside and word == "#endif":
            depth -= 1
        if not inside and (not word.startswith("#") or word.startswith("#define")):
            kept.append(line)
    return "\n".join(kept)


def c_functions(text: str) -> dict[str, str]:
    """{name: body} of the functions in C text, each of which ends with a brace as far in as its head."""
    heads = r"^( +)(?:static |inline )*[\w ]+?[ *](\w+)\([^()]*\) \{\n(.*?)^\1\}"
    return {name: " ".join(body.split()) for _, name, body in re.findall(heads, text, re.M | re.S)}


def of_loader(text: str) -> Form:
    """The form of the loader's template, or of a loader that was emitted from it."""
    text = re.sub(r"\{\{-? */\*.*?\*/ *-?\}\}", "", text, flags=re.S)
    text = re.sub(r"^ *\{\{[^{}]*\}\} *\n", "", text, flags=re.M)  # lines that are a directive and nothing else
    block = found(r'^cdef extern from \* nogil:\n    """\n(.*?)^    """\n(?:    [^\n]*\n)*', text, "block of C")
    cython = text[:block.start()] + text[block.end():]
    c = re.sub(r"/\*.*?\*/", "", common_branch(block[1]), flags=re.S)
    functions = c_functions(c)

    def c_says(name: str, words: dict[str, str]) -> str:
        if name not in functions:
            raise Unreadable(f"no C function {name} is found; if it was renamed, rename it in protocol.py, too")
        body = functions[name]
        return next((match.expand(word).lower() for pattern, word in words.items() if (match := re.fullmatch(pattern, body))), f"`{body}`")

    load = c_says("cyb_get", {r"return __atomic_load_n\(&cyb_current, __ATOMIC_(\w+)\);": r"load \1"})
    swap = c_says("cyb_publish", {
        r"cyb_table_t \*expected = &cyb_none; return __atomic_compare_exchange_n\(&cyb_current, &expected, table, 0, __ATOMIC_(\w+), __ATOMIC_(\w+)\);":
            r"swap from none \1 \2"})
    ready = c_says("cyb_ready", {r"return cyb_get\(\) != &cyb_none;": "if none"})
    read = c_says("cyb_function", {r"return cyb_get\(\)->fn\[i\];": "read"})

    declared = r"^ *static cyb_table_t (?:cyb_none|\*cyb_current = &cyb_none);$"
    zeroed = "<cyb_table_t*>calloc(1, sizeof(cyb_table_t))" in text

    words = {
        r"if not cyb_ready\(\)": f"{load}, {ready}",
        r"table = <cyb_table_t\*>calloc\(1, sizeof\(cyb_table_t\)\)": "",
        r"cyb_fill\(table, library, per_thread\)": "fill",
        r"if not cyb_publish\(table\)": f"{swap}, if lost",
        r"free\(table\)": "free",
        r"(?:(?:cdef void\* )?function = |return <intptr_t>)cyb_function\(i\)": f"{load}, {read}",
        r"return \{cyb_key\(i\)\.decode\(\): <intptr_t>cyb_function\(i\) for i in range\(CYB_COUNT\)\}": f"{load}, {read}",
    }

    def says(name: str, more: dict[str, str]) -> str:
        match = found(rf"^(?:cdef|def) [^\n]*\b{name}\([^\n]*:\n((?:    [^\n]*\n|\n)+)", text, f"function {name}")
        read_too.append(match[0])
        body = re.sub(r'^ *""".*?"""\n', "", match[1], flags=re.S)
        return told(by_indent(body.splitlines()), words | more)

    read_too: list[str] = []
    initialise = says("_cyb_initialise", {})
    called = {r"_cyb_initialise\(\)": initialise}
    slow = {name: says(name, called) for name in ("_cyb_slow", "_inspect_function_pointers", "_inspect_function_pointer")}
    form = {
        "starts": STARTS if len(re.findall(declared, c, re.M)) == 2 and zeroed else "not as it was",
        "fast": says("_cyb_fn", {"if function != NULL": "if found", r"return _cyb_slow\(i\)": "slow"}).replace("if found [], slow", "or slow"),
        "slow": slow.pop("_cyb_slow"),
    }
    form |= {name: way for name, way in slow.items() if way != form["slow"]}

    # What has been read is taken away: nothing else may use the table that is published.
    rest = re.sub(declared, "", c, flags=re.M) + cython
    for part in read_too:
        rest = rest.replace(part, "")
    rest = re.sub(r"^ *(?:static |inline )+[\w ]+[ *]cyb_(?:get|publish|ready|function)\(.*?^ *\}$", "", rest, flags=re.M | re.S)
    if used := re.findall(r"^.*\b(?:cyb_current|cyb_none|cyb_get|cyb_publish|cyb_ready|cyb_function|_cyb_initialise)\b.*$|^ *#define (?!WIN32).*$", rest, re.M):
        form["elsewhere"] = "; ".join(line.strip() for line in used)
    return form


def of_litmus(text: str) -> Form:
    """The form of the litmus test, whose P0 is the slow way and whose P2 is the fast one."""
    words = {
        r"int\* (?:first|used) = atomic_load_explicit\(current, memory_order_(\w+)\)": r"load \1",
        r"if \(first == none\)": "if none",
        r"\*table0 = 7": "fill",
        r"int won = atomic_compare_exchange_strong_explicit\(current, expected0, table0, memory_order_(\w+), memory_order_(\w+)\)": r"swap from none \1 \2",
        r"if \(won == 0\)": "if lost",
        r"\*table0 = 9": "free",
        r"int function = \*used": "read",
    }

    def says(thread: str) -> str:
        return told(by_brace(found(rf"^{thread} \([^)]*\) \{{\n(.*?)^\}}", text, f"thread {thread}")[1]), words)

    begin = " ".join(found(r"^\{\n(.*?)^\}", text, "initial state")[1].split())
    good = begin == "none = 0; table0 = 0; table1 = 0; int* current = none; int* expected0 = none; int* expected1 = none;"
    return {"starts": STARTS if good else begin, "fast": f"{says('P2')}, or slow", "slow": says("P0")}


def of_relacy(text: str) -> Form:
    """The form of what Relacy runs."""
    functions = {name: by_brace(body) for name, body in c_functions(text).items()}
    for name in ("before", "get", "publish", "initialise", "read", "slow", "call"):
        if name not in functions:
            raise Unreadable(f"no function {name} in what Relacy is given")

    def says(name: str, words: dict[str, str]) -> str:
        return told(functions[name], words)

    load = says("get", {r"return current\(\$\)\.load\(mo_(\w+)\)": r"load \1"})
    swap = says("publish", {
        r"table \*expected = &none": "",
        r"return current\(\$\)\.compare_exchange_strong\(expected, own, mo_(\w+), mo_(\w+)\)": r"swap from none \1 \2"})
    read = says("read", {r"return get\(\)->function\(\$\)": f"{load}, read"})
    initialise = says("initialise", {
        r"table \*own = new table": "", r"own->function\(\$\) = 0": "", r"own->function\(\$\) = 7": "fill",
        r"if \(!publish\(own\)\)": f"{swap}, if lost", "delete own": "free"})
    slow = says("slow", {r"if \(get\(\) == &none\)": f"{load}, if none", r"initialise\(\)": initialise, r"return read\(\)": read})
    fast = says("call", {r"int function = read\(\)": read, r"if \(function != 0\)": "if found", r"return slow\(\)": "slow"})
    good = functions["before"] == ["none.function($) = 0", "current($) = &none"] and functions["initialise"][:2] == ["table *own = new table", "own->function($) = 0"]
    return {"starts": STARTS if good else "not as it was", "fast": fast.replace("if found [], slow", "or slow"), "slow": slow}


def differences(one: Form, other: Form) -> list[str]:
    """The lines in which two forms differ."""
    return [f"{key}: {one.get(key, 'nothing')}\n  and not {other.get(key, 'nothing')}" for key in sorted(one.keys() | other.keys())
            if one.get(key) != other.get(key)]

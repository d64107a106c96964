"""Questions to a binding package, answered as JSON on standard output.

Run by package.py in a process of its own; not a module of the tests.

    capi MODULE...   {module: {name: signature}} of each module's __pyx_capi__
    pointers [LIB]   _inspect_function_pointers()
    raises EXPR...   for each expression, its value's repr or what it raises
"""

import importlib
import json
import sys


def capi(*modules):
    import ctypes

    name_of = ctypes.pythonapi.PyCapsule_GetName
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    return {
        module: {name: name_of(capsule).decode() for name, capsule in importlib.import_module(module).__pyx_capi__.items()}
        for module in modules
    }


def pointers(library="driver"):
    return importlib.import_module(f"cuda.bindings._internal.{library}")._inspect_function_pointers()


def raises(*expressions):
    """[["value", repr] or ["raises", class, its bases, message]]; the names `driver`
    (cuda.bindings.driver) and `loader` (cuda.bindings._internal.driver) are imported when used."""

    class Names(dict):
        def __missing__(self, name):
            modules = {"driver": "cuda.bindings.driver", "loader": "cuda.bindings._internal.driver"}
            if name not in modules:
                raise KeyError(name)
            return importlib.import_module(modules[name])

    answers = []
    for expression in expressions:
        try:
            answers.append(["value", repr(eval(expression, Names()))])
        except Exception as error:
            kind = type(error)
            bases = [f"{base.__module__}.{base.__qualname__}" for base in kind.__mro__]
            answers.append(["raises", bases[0], bases[1:], str(error)])
    return answers


def main():
    questions = {"capi": capi, "pointers": pointers, "raises": raises}
    json.dump(questions[sys.argv[1]](*sys.argv[2:]), sys.stdout)


main()

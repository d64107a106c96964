"""What a .pxd declares, as Cython itself understands it, as JSON on standard output.

    PYTHONPATH=<a Cython> python pxd.py MODULE FOLDER

MODULE is looked for in FOLDER.  Types are resolved: for a function argument the
answer says what the type comes down to, not only how it is written.  Run in a
process of its own (`describe` does), because Cython is not in the tests'
environment.

    constants   names of enumerators and of typed constants
    types       names of all types but records of which only the name is known
    records     {name: {"kind": "struct" or "union", "fields": [[name, type]]}}
    functions   {name: {"result": type, "arguments": [[name, type]]}}
    classes     {name: {attribute: type}} of cdef classes

A type is {"name": as Cython writes it, "kind": one of integer, enum, float,
pointer, function, record, array, object, void, "of": what it comes down to}.
"""

import functools
import json
import os
import subprocess
import sys
from pathlib import Path


@functools.cache
def describe(module, folder, cython):
    """Describe a module's .pxd; the paths are a build's source folder and a Cython version."""
    environment = {**os.environ, "PYTHONPATH": str(Path(os.environ["CYBINDGO_CYTHON"]) / cython)}
    done = subprocess.run([sys.executable, __file__, module, str(folder)], capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise RuntimeError(f"Cython cannot read {module} in {folder}:\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def type_of(type_):
    """A Cython type as JSON."""
    if getattr(type_, "is_reference", False) or getattr(type_, "is_cv_qualified", False):
        bare = type_.cv_base_type if getattr(type_, "is_cv_qualified", False) else type_.ref_base_type
    else:
        bare = type_
    final = bare.resolve() if bare.is_typedef else bare
    while getattr(final, "is_cv_qualified", False):
        final = final.cv_base_type.resolve()
    if final.is_ptr:
        kind = "function" if final.base_type.is_cfunction else "pointer"
    elif final.is_array:
        kind = "array"
    elif final.is_struct_or_union:
        kind = "record"
    elif final.is_enum:
        kind = "enum"
    elif final.is_float:
        kind = "float"
    elif final.is_int:
        kind = "integer"
    elif final.is_void:
        kind = "void"
    else:
        kind = "object"
    answer = {"name": type_.declaration_code("", for_display=1).strip(), "kind": kind, "of": final.declaration_code("", for_display=1).strip()}
    if kind == "array":
        answer["element"] = type_of(final.base_type)
    return answer


def main(module, folder):
    from Cython.Compiler import Errors, Main, Options

    Errors.init_thread()
    options = Options.CompilationOptions(Options.default_options, include_path=[folder], language_level=3, cplus=True)
    scope = Main.Context.from_options(options).find_module(module, need_pxd=1)
    found = {"constants": [], "types": [], "records": {}, "functions": {}, "classes": {}}
    for name, entry in scope.entries.items():
        type_ = entry.type
        if entry.is_type and type_.is_extension_type:
            found["classes"][name] = {field.name: type_of(field.type) for field in type_.scope.var_entries}
        elif entry.is_type:
            if type_.is_struct_or_union and not type_.is_typedef:
                fields = type_.scope.var_entries if type_.scope else []
                found["records"][name] = {"kind": type_.kind, "fields": [[field.name, type_of(field.type)] for field in fields]}
                if not fields:
                    continue
            found["types"].append(name)
        elif entry.is_cfunction:
            found["functions"][name] = {
                "result": type_of(type_.return_type),
                "arguments": [[argument.name, type_of(argument.type)] for argument in type_.args],
            }
        elif entry.is_const or (entry.is_variable and getattr(type_, "is_cv_qualified", False)):
            found["constants"].append(name)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""A library `kiln` that `go test ./golden -write` wrote, and what is built of it."""

import functools
import hashlib
import os
import shutil
from pathlib import Path

import compilers
import package

import build


class Library:
    """One library `kiln`: its files, its headers, and what is built of it."""

    def __init__(self, folder, language, cython):
        self.folder, self.language, self.cython = folder, language, cython
        headers = build.tree_digest(folder / "include")
        self.include = folder / headers[:16]  # builds are cached by the name of the include folder
        if not self.include.exists():
            self.include.symlink_to("include")
            self.include = self.include.parent / headers[:16]

    @functools.cached_property
    def cythonized(self):
        def lay(source):
            shutil.copytree(self.folder / "tree" / "kiln", source / "kiln")
            (source / "kiln" / "__init__.pxd").touch()

        return build.cythonize_all(("golden", build.tree_digest(self.folder / "tree")), self.cython, self.language, lay)

    def settings(self, compiler=None, flags=("-O0",)):
        return build.Settings(self.cython, self.language, self.include, compiler or compilers.default(), flags)

    def build(self, compiler=None, flags=("-O0",)):
        return build.compile_all(self.cythonized, self.settings(compiler, flags))

    def package(self, text, name="golden_probe"):
        """The built library with a module that uses it."""
        built = self.build()
        module = build.build_module(name, text, self.settings(), built.source)
        return package.Package((module.path, built.path))

    def stub(self, source=None):
        """The folder of a libkiln.so.1: the stand-in, or one made from C text."""
        return library(source or (self.folder / "stub.c").read_text(), "libkiln.so.1")


def library(source, name):
    """The folder of a shared library made from C text, in the cache."""
    compiler = compilers.default()
    key = hashlib.sha256("\0".join([source, name, *compiler.cc, compiler.version]).encode()).hexdigest()[:24]
    made = Path(os.environ["CYBINDGO_CACHE"]) / "build" / f"golden-{key}" / name
    if not made.exists():
        made.parent.mkdir(parents=True, exist_ok=True)
        text = made.with_name(f"stub-{os.getpid()}.c")
        text.write_text(source)
        compiler.shared_library(text, made.with_name(f"{name}.{os.getpid()}")).rename(made)
    return made.parent

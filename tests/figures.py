"""What the benchmarks of emitted code share: making a module step by step, and numbers of several rounds.

A `Making` is a driver loader on its way from .pyx to a stripped library.  Each of its
steps is one run and gives one number; a step needs what the one before it left.
"""

import statistics
import time

import build

MODULE = "cuda.bindings._internal.driver"
FLAGS = ("-O3", "-DNDEBUG")


class Making:
    def __init__(self, tree, folder, settings):
        self.folder, self.settings = folder, settings
        self.source = folder / "source"
        self.made = folder / f"driver.{'c' if settings.language == 'c' else 'cpp'}"
        build.copy_source(tree, self.source)

    def cython(self):
        """Milliseconds of Cython."""
        started = time.perf_counter()
        build.cythonize(self.source / "cuda/bindings/_internal/driver_linux.pyx", MODULE, self.made,
                        self.settings.cython, self.settings.language, [self.source])
        return (time.perf_counter() - started) * 1e3

    def lines(self):
        """Lines of what Cython made."""
        return self.made.read_bytes().count(b"\n")

    def compile(self):
        """Milliseconds of the compiler."""
        flags = ["-fPIC", "-fwrapv", *FLAGS, "-isystem", build.PYTHON_INCLUDE, "-isystem", str(self.settings.include)]
        started = time.perf_counter()
        self.settings.compiler.compile(self.made, self.folder / "driver.o", flags, self.settings.language)
        return (time.perf_counter() - started) * 1e3

    def size(self):
        """Bytes of the library without symbols."""
        library = self.folder / "driver.so"
        self.settings.compiler.link([self.folder / "driver.o"], library, self.settings.language, ["-Wl,-s"])
        return library.stat().st_size


def quartiles(values):
    """(lower quartile, median, upper quartile); of one value, that value."""
    return tuple(statistics.quantiles(values, n=4, method="inclusive")) if len(values) > 1 else tuple(values) * 3


def ratios(values, others):
    """(lower quartile, median, upper quartile) of the rounds' ratios."""
    return quartiles([one / other for one, other in zip(values, others, strict=True)])

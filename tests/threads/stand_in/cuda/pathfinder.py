"""Stand-in for cuda.pathfinder: opens a library by its name, and tests can act inside of it."""

import opener

hook = None  # called with the library's name before it is opened
calls = 0


class Loaded:
    def __init__(self, handle):
        self._handle_uint = handle


def load_nvidia_dynamic_lib(name):
    global calls
    calls += 1
    if hook is not None:
        hook(name)
    return Loaded(opener.open_library(f"lib{name}.so.1"))

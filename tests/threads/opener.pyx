# cython: language_level=3
# cython: freethreading_compatible=True
"""dlopen for the stand-in of cuda.pathfinder; ctypes is no part of every interpreter that is built."""
from libc.stdint cimport uintptr_t

cdef extern from "<dlfcn.h>" nogil:
    enum: RTLD_NOW
    void* dlopen(const char* name, int flags)
    char* dlerror()


def open_library(str name):
    cdef bytes path = name.encode()
    cdef void* handle = dlopen(path, RTLD_NOW)
    if handle == NULL:
        raise RuntimeError(dlerror().decode())
    return <uintptr_t>handle

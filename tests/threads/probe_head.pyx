
cdef extern from "gate.h" nogil:
    void gate_wait(long long offset)
    void gate_open(int threads)
    int gate_foreign(void* (*f)(void*) noexcept nogil, void* argument)


cdef extern from "<dlfcn.h>" nogil:
    enum: RTLD_NOW
    void* dlopen(const char* name, int flags)
    void* dlsym(void* library, const char* name)
    char* dlerror()


from cpython.exc cimport PyErr_Clear, PyErr_Occurred
from libc.stdint cimport intptr_t

ctypedef int (*gate_call_t)(int) except? -1 nogil
cdef gate_call_t gate_calls[3]


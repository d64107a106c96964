# What a test adds to a module under test, or puts beside it: ways to make a first call.
# `gate_calls` is an array of functions of one kind, filled by what stands before this.

cdef struct gate_job_t:
    long long offset
    gate_call_t call
    int x
    int result
    bint failed


cdef void* _foreign(void* argument) noexcept nogil:
    cdef gate_job_t* job = <gate_job_t*>argument
    gate_wait(job.offset)
    job.result = job.call(job.x)
    if job.result == -1:
        with gil:
            job.failed = PyErr_Occurred() != NULL
            PyErr_Clear()
    return NULL


def call(int i, int x):
    cdef int result
    with nogil:
        result = gate_calls[i](x)
    return result


def open_gate(int threads):
    with nogil:
        gate_open(threads)


def first_nogil(long long offset, int i, int x):
    """From code that does not hold the interpreter."""
    cdef int result
    with nogil:
        gate_wait(offset)
        result = gate_calls[i](x)
    return result


def first_held(long long offset, int i, int x):
    """A function that is declared nogil, from a thread that holds the interpreter."""
    with nogil:
        gate_wait(offset)
    return gate_calls[i](x)


def first_foreign(long long offset, int i, int x):
    """From a thread of C that Python does not know."""
    cdef gate_job_t job
    cdef int failed
    job.offset, job.call, job.x, job.result, job.failed = offset, gate_calls[i], x, 0, False
    with nogil:
        failed = gate_foreign(_foreign, &job)
    if failed or job.failed:
        raise RuntimeError("the call from a thread of C failed")
    return job.result


def first_python(long long offset, function, arguments):
    """A function of Python."""
    with nogil:
        gate_wait(offset)
    return function(*arguments)


def library_address(str library, str symbol):
    """Where the dynamic linker says that a symbol is: 0 if it is not there."""
    cdef bytes path = library.encode(), name = symbol.encode()
    cdef void* handle = dlopen(path, RTLD_NOW)
    if handle == NULL:
        raise OSError(dlerror().decode())
    return <intptr_t>dlsym(handle, name)

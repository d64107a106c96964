"""The Cython module of gpu.py: it uses the bindings as downstream code does, without the GIL."""

from cuda.bindings.cydriver cimport *
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memset

cdef extern from * nogil:
    """
    #include <time.h>
    static int gpu_arrived;
    /* Returns once so many threads are here; needs no interpreter. */
    static void gpu_meet(int threads) {
        __atomic_add_fetch(&gpu_arrived, 1, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&gpu_arrived, __ATOMIC_SEQ_CST) < threads) {}
    }
    static long long gpu_now(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return now.tv_sec * 1000000000LL + now.tv_nsec;
    }
    """
    void gpu_meet(int threads)
    long long gpu_now()


def name_of(int result):
    cdef const char* name = NULL
    return name.decode() if cuGetErrorName(<CUresult>result, &name) == CUDA_SUCCESS else None


cdef int ok(CUresult result, const char* what) except -1 nogil:
    if result != CUDA_SUCCESS:
        with gil:
            raise RuntimeError(f"{what.decode()}: {name_of(<int>result)}")
    return 0


cdef int enter(CUdevice* device) except -1 nogil:
    """Make the primary context of the first GPU current in this thread."""
    cdef CUcontext context = NULL
    ok(cuInit(0), b"cuInit")
    ok(cuDeviceGet(device, 0), b"cuDeviceGet")
    ok(cuDevicePrimaryCtxRetain(&context, device[0]), b"cuDevicePrimaryCtxRetain")
    ok(cuCtxSetCurrent(context), b"cuCtxSetCurrent")
    return 0


cdef int leave(CUdevice device) except -1 nogil:
    ok(cuCtxSetCurrent(NULL), b"cuCtxSetCurrent")
    ok(cuDevicePrimaryCtxRelease(device), b"cuDevicePrimaryCtxRelease")
    return 0


def retain():
    """Keep the primary context alive until the process ends."""
    cdef CUdevice device
    with nogil:
        enter(&device)


def facts():
    cdef CUdevice device
    cdef int version = 0, count = 0, major = 0, minor = 0, processors = 0
    cdef size_t memory = 0
    cdef char[256] name
    with nogil:
        ok(cuInit(0), b"cuInit")
        ok(cuDriverGetVersion(&version), b"cuDriverGetVersion")
        ok(cuDeviceGetCount(&count), b"cuDeviceGetCount")
        ok(cuDeviceGet(&device, 0), b"cuDeviceGet")
        ok(cuDeviceGetName(name, sizeof(name), device), b"cuDeviceGetName")
        ok(cuDeviceTotalMem(&memory, device), b"cuDeviceTotalMem")
        ok(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device), b"cuDeviceGetAttribute")
        ok(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device), b"cuDeviceGetAttribute")
        ok(cuDeviceGetAttribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device), b"cuDeviceGetAttribute")
    return {"driver": version, "devices": count, "name": (<bytes>name).decode(), "compute capability": [major, minor],
            "multiprocessors": processors, "memory": memory}


def round_trip(int seed, size_t size):
    """Bytes to the GPU and back, then with their second half set there, over a stream: whether each came back right."""
    cdef unsigned char* sent = <unsigned char*>malloc(size)
    cdef unsigned char* received = <unsigned char*>malloc(size)
    cdef unsigned char mark = <unsigned char>(0xA5 ^ seed)
    cdef CUdevice device
    cdef CUdeviceptr memory = 0
    cdef CUstream stream = NULL
    cdef size_t i, half = size // 2
    cdef bint copied, changed
    try:
        if sent == NULL or received == NULL:
            raise MemoryError()
        with nogil:
            for i in range(size):
                sent[i] = <unsigned char>(i * 31 + (i >> 8) + <size_t>seed * 7)
                received[i] = <unsigned char>~sent[i]
            enter(&device)
            ok(cuMemAlloc(&memory, size), b"cuMemAlloc")
            ok(cuMemcpyHtoD(memory, sent, size), b"cuMemcpyHtoD")
            ok(cuMemcpyDtoH(received, memory, size), b"cuMemcpyDtoH")
            copied = memcmp(sent, received, size) == 0
            ok(cuMemsetD8(memory + half, mark, size - half), b"cuMemsetD8")
            ok(cuCtxSynchronize(), b"cuCtxSynchronize")
            memset(sent + half, mark, size - half)
            memset(received, <unsigned char>~mark, size)
            ok(cuStreamCreate(&stream, 0), b"cuStreamCreate")
            ok(cuMemcpyDtoHAsync(received, memory, size, stream), b"cuMemcpyDtoHAsync")
            ok(cuStreamSynchronize(stream), b"cuStreamSynchronize")
            changed = memcmp(sent, received, size) == 0
            ok(cuStreamDestroy(stream), b"cuStreamDestroy")
            ok(cuMemFree(memory), b"cuMemFree")
            leave(device)
    finally:
        free(sent)
        free(received)
    return copied, changed


def launch(bytes image, unsigned int count):
    """Run the kernel on `count` numbers: (how many are wrong, the result of asking for a kernel that is not there)."""
    cdef unsigned int* numbers = <unsigned int*>malloc(count * sizeof(unsigned int))
    cdef const char* text = image
    cdef CUdevice device
    cdef CUmodule module = NULL
    cdef CUfunction function = NULL, nothing = NULL
    cdef CUdeviceptr memory = 0
    cdef void* arguments[2]
    cdef unsigned int i, wrong = 0
    cdef CUresult absent
    arguments[0], arguments[1] = &memory, &count
    try:
        if numbers == NULL:
            raise MemoryError()
        with nogil:
            enter(&device)
            ok(cuModuleLoadData(&module, text), b"cuModuleLoadData")
            ok(cuModuleGetFunction(&function, module, b"add_index"), b"cuModuleGetFunction")
            absent = cuModuleGetFunction(&nothing, module, b"no_such_kernel")
            ok(cuMemAlloc(&memory, count * sizeof(unsigned int)), b"cuMemAlloc")
            ok(cuMemsetD32(memory, 7, count), b"cuMemsetD32")
            ok(cuLaunchKernel(function, (count + 255) // 256, 1, 1, 256, 1, 1, 0, NULL, arguments, NULL), b"cuLaunchKernel")
            ok(cuMemcpyDtoH(numbers, memory, count * sizeof(unsigned int)), b"cuMemcpyDtoH")
            for i in range(count):
                wrong += numbers[i] != 7 + i
            ok(cuMemFree(memory), b"cuMemFree")
            ok(cuModuleUnload(module), b"cuModuleUnload")
            leave(device)
    finally:
        free(numbers)
    return wrong, <int>absent


def no_such_device():
    cdef CUdevice device
    with nogil:
        ok(cuInit(0), b"cuInit")
        ok(cuDeviceGet(&device, 100000), b"cuDeviceGet")


def stream_identities():
    """The identity of this thread's default stream, of the legacy one and of the per-thread one."""
    cdef unsigned long long mine = 0, legacy = 0, per_thread = 0
    cdef CUdevice device
    with nogil:
        enter(&device)
        ok(cuStreamGetId(NULL, &mine), b"cuStreamGetId")
        ok(cuStreamGetId(<CUstream><void*>1, &legacy), b"cuStreamGetId")
        ok(cuStreamGetId(<CUstream><void*>2, &per_thread), b"cuStreamGetId")
        leave(device)
    return mine, legacy, per_thread


def look_up(bytes base, int version):
    """What cuGetProcAddress answers: [name of the result, status, address]."""
    cdef void* found = NULL
    cdef CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS
    cdef CUresult result = cuGetProcAddress(base, &found, version, 0, &status)
    return name_of(<int>result), <int>status, <size_t>found


def first_call(int place, int threads):
    """Wait for the other threads, then call: [start in ns, end in ns, result]."""
    cdef long long started, ended
    cdef int version = 0
    cdef CUresult result
    with nogil:
        gpu_meet(threads)
        started = gpu_now()
        result = cuDriverGetVersion(&version) if place % 2 else cuInit(0)
        ended = gpu_now()
    return started, ended, <int>result

"""A published wheel with our driver modules in it, on a real GPU: part of gpu.py.

The same program runs on the wheel as it is and on a copy in which `_internal/driver` and
`cydriver` are ours.  It uses the wheel's own Python layer (`cuda.bindings.driver` and,
where there is one, `cuda.bindings.nvrtc`): what it answers has to be the same in both.
"""

import shutil
import tempfile
from pathlib import Path

OURS = ("cydriver", "_internal/driver")  # below cuda/bindings

# What is the same in every process is compared as it is; what may differ, addresses say, is not printed.
USES = r"""
import json, sys
import cuda.bindings.driver as d

ptx, said = sys.argv[1].encode() + b"\0", {}

def called(code):
    return f"{type(code).__name__}.{code.name}"

def ask(name, function, *arguments):
    try:
        code, *values = function(*arguments)
        said[name] = [called(code), [int(v) if isinstance(v, int) else v.decode() if isinstance(v, bytes) else type(v).__name__ for v in values]]
        return values[0] if values else None
    except Exception as error:
        said[name] = [type(error).__name__, str(error)]

# Before initialisation.
ask("early cuDeviceGetCount", d.cuDeviceGetCount)
ask("cuDriverGetVersion", d.cuDriverGetVersion)
ask("cuInit(1)", d.cuInit, 1)
ask("cuInit", d.cuInit, 0)

# Queries.
count = ask("cuDeviceGetCount", d.cuDeviceGetCount)
device = ask("cuDeviceGet", d.cuDeviceGet, 0)
ask("cuDeviceGetName", d.cuDeviceGetName, 256, device)
ask("cuDeviceTotalMem", d.cuDeviceTotalMem, device)
for attribute in ("MAX_THREADS_PER_BLOCK", "COMPUTE_CAPABILITY_MAJOR", "COMPUTE_CAPABILITY_MINOR", "MULTIPROCESSOR_COUNT", "WARP_SIZE"):
    ask(attribute, d.cuDeviceGetAttribute, getattr(d.CUdevice_attribute, "CU_DEVICE_ATTRIBUTE_" + attribute), device)
for number in (0, 1, 2, 100, 500, 999):
    ask(f"name of {number}", d.cuGetErrorName, d.CUresult(number))
ask("no context", d.cuCtxSynchronize)

# Memory, there and back, over a stream.
context = ask("cuDevicePrimaryCtxRetain", d.cuDevicePrimaryCtxRetain, device)
ask("cuCtxSetCurrent", d.cuCtxSetCurrent, context)
stream = ask("cuStreamCreate", d.cuStreamCreate, 0)
size = 1 << 20
memory = ask("cuMemAlloc", d.cuMemAlloc, size)
sent, back = bytearray(i * 7 % 251 for i in range(size)), bytearray(size)
ask("cuMemcpyHtoDAsync", d.cuMemcpyHtoDAsync, memory, bytes(sent), size, stream)
ask("cuMemcpyDtoHAsync", d.cuMemcpyDtoHAsync, (__import__("ctypes").c_char * size).from_buffer(back), memory, size, stream)
ask("cuStreamSynchronize", d.cuStreamSynchronize, stream)
said["round trip"] = back == sent
ask("cuMemsetD32", d.cuMemsetD32, memory, 7, size // 4)

def launch(name, image, symbol, add):
    module = ask(f"{name}: cuModuleLoadData", d.cuModuleLoadData, image)
    function = ask(f"{name}: cuModuleGetFunction", d.cuModuleGetFunction, module, symbol)
    import ctypes
    pointer, number = ctypes.c_uint64(int(memory)), ctypes.c_uint32(size // 4)
    parameters = (ctypes.c_void_p * 2)(ctypes.addressof(pointer), ctypes.addressof(number))
    ask(f"{name}: cuLaunchKernel", d.cuLaunchKernel, function, size // 4 // 256, 1, 1, 256, 1, 1, 0, stream, ctypes.addressof(parameters), 0)
    ask(f"{name}: cuStreamSynchronize", d.cuStreamSynchronize, stream)
    ask(f"{name}: cuMemcpyDtoH", d.cuMemcpyDtoH, (ctypes.c_char * size).from_buffer(back), memory, size)
    words = memoryview(back).cast("I")
    said[f"{name}: right"] = all(words[i] == add(i) for i in range(len(words)))
    ask(f"{name}: no such kernel", d.cuModuleGetFunction, module, b"nothing")
    ask(f"{name}: too many threads", d.cuLaunchKernel, function, 1, 1, 1, 4096, 1, 1, 0, stream, ctypes.addressof(parameters), 0)
    ask(f"{name}: cuModuleUnload", d.cuModuleUnload, module)

launch("ptx", ptx, b"add_index", lambda i: 7 + i)

# A kernel that nvrtc compiles, where there is one.
try:
    import cuda.bindings.nvrtc as rtc
    code, program = rtc.nvrtcCreateProgram(b'extern "C" __global__ void twice(unsigned *p, unsigned n)\n'
        b"{ unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] *= 2; }", b"twice.cu", 0, [], [])
    options = [b"--gpu-architecture=compute_" + str(said["COMPUTE_CAPABILITY_MAJOR"][1][0] * 10 + said["COMPUTE_CAPABILITY_MINOR"][1][0]).encode()]
    (compiled,) = rtc.nvrtcCompileProgram(program, len(options), options)
    (_, length), image = rtc.nvrtcGetPTXSize(program), None
    image = b" " * length
    rtc.nvrtcGetPTX(program, image)
    said["nvrtc"] = called(compiled)
    launch("nvrtc", image, b"twice", lambda i: 2 * (7 + i))
except Exception as error:
    said["nvrtc"] = f"{type(error).__name__}: {error}"

# Failures.
ask("no such device", d.cuDeviceGet, 99)
ask("too much memory", d.cuMemAlloc, 1 << 60)
ask("no image", d.cuModuleLoadData, b"this is no module\0")
ask("not allocated", d.cuMemFree, 12345)
ask("wrong type", lambda: d.cuDeviceGet("0"))
ask("wrong copy", d.cuMemcpyDtoD, 0, 0, 16)
for name in sys.argv[2:]:  # what this driver lacks
    if hasattr(d, name):
        for count in range(12):  # until the number of arguments is right
            ask(f"lacks {name}", getattr(d, name), *[0] * count)
            if not (said[f"lacks {name}"][0] == "TypeError" and "argument" in said[f"lacks {name}"][1]):
                break
ask("cuMemFree", d.cuMemFree, memory)
ask("cuStreamDestroy", d.cuStreamDestroy, stream)
ask("cuDevicePrimaryCtxRelease", d.cuDevicePrimaryCtxRelease, device)
print(json.dumps(said))
"""

# What has to have come out, so that two that fail alike do not pass.
EXPECTED = {
    "cuInit": "CUresult.CUDA_SUCCESS", "cuInit(1)": "CUresult.CUDA_ERROR_INVALID_VALUE", "cuMemAlloc": "CUresult.CUDA_SUCCESS",
    "early cuDeviceGetCount": "CUresult.CUDA_ERROR_NOT_INITIALIZED", "no context": "CUresult.CUDA_ERROR_INVALID_CONTEXT",
    "no such device": "CUresult.CUDA_ERROR_INVALID_DEVICE", "too much memory": "CUresult.CUDA_ERROR_OUT_OF_MEMORY",
    "no image": "CUresult.CUDA_ERROR_INVALID_IMAGE", "ptx: no such kernel": "CUresult.CUDA_ERROR_NOT_FOUND",
    "ptx: too many threads": "CUresult.CUDA_ERROR_INVALID_VALUE", "not allocated": "CUresult.CUDA_ERROR_INVALID_VALUE",
}


def copy_with_ours(published, ours, folder):
    """A copy of the wheel's folder with the modules of ours in it."""
    shutil.copytree(published / "cuda", folder / "cuda")
    for module in OURS:
        place = folder / "cuda" / "bindings" / module
        for old in place.parent.glob(f"{place.name}.*so"):
            old.unlink()
        (new,) = (ours / "cuda" / "bindings" / module).parent.glob(f"{place.name}.*so")
        shutil.copyfile(new, place.with_name(new.name))
    return folder


def dropin(report, published, built, lacking, kernel, seconds):
    """`published`: (version, Package) as it is; `built`: the folder of ours."""
    version, theirs = published
    with tempfile.TemporaryDirectory() as scratch:
        mixed = copy_with_ours(theirs.paths[0], built, Path(scratch))
        both = [package.python(USES, kernel, *lacking, timeout=seconds).json
                for package in (theirs, type(theirs)((mixed, *theirs.paths[1:]), theirs.library, theirs.environment))]
    before, after = both
    differ = {name: (before.get(name), after.get(name)) for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    report.check(not differ, f"cuda-bindings {version} with our modules: {len(after) - len(differ)} of {len(before)} answers are the same; others: {differ or 'none'}")
    for name, code in EXPECTED.items():
        if after.get(name, [None])[0] != code:
            report.check(False, f"{name}: {after.get(name)}, expected {code}")
    report.check(after["round trip"] and after["ptx: right"], "memory there and back, and a kernel of PTX")
    report.check(after["nvrtc"] == "nvrtcResult.NVRTC_SUCCESS" and after.get("nvrtc: right") is True, f"a kernel that nvrtc compiled: {after['nvrtc']}")
    report.figures["drop-in"] = {"version": version, "answers": len(before), "differ": differ}

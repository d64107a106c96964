/* Stands in for the header of this name, which belongs to the compiler's package
 * and is in no wheel that the tests fetch: what the runtime's headers want of it
 * when an ordinary C or C++ compiler reads them. */
#ifndef CYBINDGO_TESTS_HOST_DEFINES_H
#define CYBINDGO_TESTS_HOST_DEFINES_H
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define __host__
#define __device__
#define __global__
#define __cudart_builtin__
#define __device_builtin__
#define __device_builtin_surface_type__
#define __device_builtin_texture_type__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#endif

#pragma once
#include <stdint.h>
typedef uint32_t VdpDevice;
typedef uint32_t VdpVideoSurface;
typedef uint32_t VdpOutputSurface;
/* A function type in the VDPAU header. The published package declares a number
   in its place; only the address of one is ever passed. */
typedef unsigned long long VdpGetProcAddress;

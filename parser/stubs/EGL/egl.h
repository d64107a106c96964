#pragma once
/* Signed in the Khronos header, unsigned in the published package, which this
   follows: both are passed alike, and the name of the type is all that shows. */
typedef unsigned int EGLint;

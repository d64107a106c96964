/* Stands in for the header of this name, as host_defines.h here does: which host
 * compilers are supported is no matter. */

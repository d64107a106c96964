/* A stand-in for the vendor's header: what the emitted loader uses of it. */
#ifndef CYBINDGO_TESTS_STDIO_H
#define CYBINDGO_TESTS_STDIO_H
#include <stddef.h>
int snprintf(char *, size_t, const char *, ...);
#endif

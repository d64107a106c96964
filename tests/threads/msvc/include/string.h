/* A stand-in for the vendor's header: what the emitted loader uses of it. */
#ifndef CYBINDGO_TESTS_STRING_H
#define CYBINDGO_TESTS_STRING_H
#include <stddef.h>
void *memcpy(void *, const void *, size_t);
int strcmp(const char *, const char *);
size_t strlen(const char *);
#endif

/* A stand-in for the vendor's header: what the emitted loader uses of it. */
#ifndef CYBINDGO_TESTS_STDINT_H
#define CYBINDGO_TESTS_STDINT_H
typedef unsigned long long uint64_t;
#endif

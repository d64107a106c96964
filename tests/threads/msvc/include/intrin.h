/* A stand-in for the vendor's header: what the emitted loader uses of it, and what
 * its mutants do. What clang does not know for a target is declared and no more, so
 * that what is seen is the call: __ldar64, and _ReadBarrier on Arm64. */
#ifndef CYBINDGO_TESTS_INTRIN_H
#define CYBINDGO_TESTS_INTRIN_H
void _ReadBarrier(void);
void *_InterlockedCompareExchangePointer(void *volatile *, void *, void *);
void *_InterlockedCompareExchangePointer_nf(void *volatile *, void *, void *);
#if defined(_M_ARM64)
unsigned __int64 __ldar64(unsigned __int64 volatile *);
#else
#pragma intrinsic(_ReadBarrier)
#endif
#endif

/* A stand-in for the vendor's header: what the emitted loader uses of it. */
#ifndef CYBINDGO_TESTS_WINDOWS_H
#define CYBINDGO_TESTS_WINDOWS_H
typedef struct module *HMODULE;
typedef long long (*FARPROC)(void);
FARPROC GetProcAddress(HMODULE, const char *);
HMODULE LoadLibraryA(const char *);
#endif

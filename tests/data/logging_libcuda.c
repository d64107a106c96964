/* A stand-in libcuda.so.1 that knows no function but answers every request.
 *
 * Loaded by a binding module, it appends one line for each look-up to the file
 * named by CYBINDGO_STUB_LOG:
 *
 *     cuGetProcAddress_v2 <name> <version> <flags> <address>
 *
 * so that the requests of two modules can be compared.  Every look-up is
 * answered with an address of its own, so that it is known which request a
 * module's pointer came from.  The addresses are data: nothing can be called.
 */
#include <stdio.h>
#include <stdlib.h>

static char answers[8192];
static size_t answered;

static void *next_answer(void) { return answered < sizeof answers ? &answers[answered++] : NULL; }

static void record(const char *by, const char *name, int version, unsigned long long flags, void *out) {
    const char *path = getenv("CYBINDGO_STUB_LOG");
    FILE *log = path != NULL ? fopen(path, "a") : NULL;
    if (log == NULL)
        return;
    fprintf(log, "%s %s %d %llu %p\n", by, name, version, flags, out);
    fclose(log);
}

int cuGetProcAddress(const char *name, void **out, int version, unsigned long long flags) {
    *out = next_answer();
    record("cuGetProcAddress", name, version, flags, *out);
    return 0;
}

int cuGetProcAddress_v2(const char *name, void **out, int version, unsigned long long flags, int *status) {
    *out = next_answer();
    record("cuGetProcAddress_v2", name, version, flags, *out);
    if (status != NULL)
        *status = *out == NULL ? 1 : 0;
    return 0;
}

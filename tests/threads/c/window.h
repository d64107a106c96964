/* Included before everything else of a module under test, by the compiler's -include:
 * each look-up of a symbol takes a moment longer, so that initialisations overlap. It
 * also has the headers that mutants need; the text of the module stays as it is. */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#ifdef __cplusplus
#include <atomic>
#include <mutex>
#else
#include <stdatomic.h>
#endif

static inline void *window_dlsym(void *library, const char *name) {
    struct timespec t = {0, 20000};
    nanosleep(&t, NULL);
    return dlsym(library, name);
}
#define dlsym window_dlsym

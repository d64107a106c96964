/* For LD_PRELOAD: makes the nth allocation fail that the thread makes which armed it.
 * With PYTHONMALLOC=malloc every allocation of the interpreter passes here too.
 *
 *   fa_arm(n)     fail the nth from here, counted from 0; n < 0: only count
 *   fa_disarm()   stop; how many there were
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

static __thread int armed;
static __thread long count, nth;
static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);

#define REAL(f) (real_##f ? real_##f : (real_##f = (__typeof__(real_##f))dlsym(RTLD_NEXT, #f)))

void fa_arm(long n) {
    REAL(malloc);
    REAL(calloc);
    REAL(realloc);
    nth = n;
    count = 0;
    armed = 1;
}

long fa_disarm(void) {
    armed = 0;
    return count;
}

static int fails(void) {
    if (armed && count++ == nth) {
        errno = ENOMEM;
        return 1;
    }
    return 0;
}

void *malloc(size_t size) {
    return fails() ? NULL : REAL(malloc)(size);
}

void *realloc(void *p, size_t size) {
    return fails() ? NULL : REAL(realloc)(p, size);
}

/* dlsym itself may call calloc: what it is given then is never freed. */
void *calloc(size_t number, size_t size) {
    static char early[65536];
    static size_t used;
    static __thread int inside;
    if (real_calloc == NULL) {
        if (inside) {
            void *p = early + used;
            used += (number * size + 15) & ~(size_t)15;
            return used <= sizeof early ? p : NULL;
        }
        inside = 1;
        REAL(calloc);
        inside = 0;
    }
    return fails() ? NULL : real_calloc(number, size);
}

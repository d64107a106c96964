/* The start of a first-call race, in C: what a test needs so that it can see one.
 *
 * Every thread enters the gate before the start time is set, then spins until a start
 * time of its own. So neither the creation of threads nor a barrier orders what they
 * do next, however loaded the machine is. All accesses are relaxed on purpose: the
 * gate must not order anything either.
 */
#ifndef CYBINDGO_GATE_H
#define CYBINDGO_GATE_H

#include <pthread.h>
#include <time.h>

static int gate_ready;
static long long gate_start; /* nanoseconds of CLOCK_MONOTONIC; 0: closed */

static long long gate_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void gate_nap(long long nanoseconds) {
    struct timespec t;
    t.tv_sec = 0;
    t.tv_nsec = nanoseconds;
    nanosleep(&t, NULL);
}

/* Waits until `offset` nanoseconds after the gate was opened. */
static void gate_wait(long long offset) {
    long long start;
    __atomic_fetch_add(&gate_ready, 1, __ATOMIC_RELAXED);
    while (!(start = __atomic_load_n(&gate_start, __ATOMIC_RELAXED)))
        gate_nap(500000);
    for (start += offset; start - gate_now() > 100000;)
        gate_nap(50000);
    while (gate_now() < start) {
    }
}

/* Opens the gate once so many threads wait at it. */
static void gate_open(int threads) {
    while (__atomic_load_n(&gate_ready, __ATOMIC_RELAXED) < threads)
        gate_nap(500000);
    __atomic_store_n(&gate_start, gate_now() + 2000000, __ATOMIC_RELAXED);
}

/* Runs f(argument) in a thread that Python has never seen, and waits for it. */
static int gate_foreign(void *(*f)(void *), void *argument) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, f, argument) != 0)
        return -1;
    return pthread_join(thread, NULL);
}

#endif

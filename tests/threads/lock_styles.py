"""Ways to make initialisation safe with a lock: edits of our own emitted loader, to be measured beside it.

Each is done as well as it can be: whoever waited looks again and finds the table, and
symbols are looked up without the interpreter, as in ours.  (The lock of contract.py is
there to hang, and lets everyone who waited initialise once more.)  What docs/thread-safety.md
says against locks holds for all of them.
"""

from __future__ import annotations

IMPORTS = "from libc.stdlib cimport calloc, free"
INITIALISE = "cdef int _cyb_initialise() except -1 nogil:\n"
GET = """      static inline cyb_table_t *cyb_get(void) {
        return __atomic_load_n(&cyb_current, __ATOMIC_ACQUIRE);
"""
PUBLISH = """        cyb_table_t *expected = &cyb_none;
        return __atomic_compare_exchange_n(&cyb_current, &expected, table, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
"""

Edits = list[tuple[str, str]]


def around(head: str, body: str) -> Edits:
    """Initialisation under another name, and what takes its place: `body` calls _cyb_once()."""
    return [(IMPORTS, f"{IMPORTS}\n{head}"), (INITIALISE, f"{INITIALISE}{body}    return 0\n\n\ncdef int _cyb_once() except -1 nogil:\n")]


LOCK = around("from threading import Lock\ncdef object _cyb_lock = Lock()", """\
    with gil, _cyb_lock:
        if not cyb_ready():
            with nogil:
                _cyb_once()
""")

BUSY = around("from threading import RLock\ncdef object _cyb_lock = RLock()\ncdef bint _cyb_busy = False", """\
    global _cyb_busy
    with gil, _cyb_lock:
        if _cyb_busy:
            raise RuntimeError("initialisation was entered again")
        if not cyb_ready():
            _cyb_busy = True
            try:
                with nogil:
                    _cyb_once()
            finally:
                _cyb_busy = False
""")

# C++ alone has it. The exception leaves the flag as it was, so that the next call tries again.
CALL_ONCE = around('''\
cdef extern from * nogil:
    """
    #include <mutex>
    static int cyb_call_once(int (*initialise)(void)) {
        static std::once_flag flag;
        struct failed {};
        try {
            std::call_once(flag, [initialise] { if (initialise() < 0) throw failed(); });
        } catch (const failed &) {
            return -1;
        }
        return 0;
    }
    """
    int cyb_call_once(int (*initialise)() except -1 nogil) except -1''', "    cyb_call_once(_cyb_once)\n")

# Calls and inspectors alike read the pointer under the mutex.
EVERY_ACCESS = [
    *LOCK,
    (GET, """      #include <pthread.h>
      static pthread_mutex_t cyb_mutex = PTHREAD_MUTEX_INITIALIZER;
      static inline cyb_table_t *cyb_get(void) {
        cyb_table_t *table;
        pthread_mutex_lock(&cyb_mutex);
        table = cyb_current;
        pthread_mutex_unlock(&cyb_mutex);
        return table;
"""),
    (PUBLISH, """        int first;
        pthread_mutex_lock(&cyb_mutex);
        first = cyb_current == &cyb_none;
        if (first)
            cyb_current = table;
        pthread_mutex_unlock(&cyb_mutex);
        return first;
"""),
]

STYLES: dict[str, Edits] = {
    "Lock": LOCK,
    "RLock, busy flag": BUSY,
    "std::call_once": CALL_ONCE,
    "mutex each access": EVERY_ACCESS,
}

# cython: language_level=3
"""What other Cython code does with the golden cases' bindings: see test_golden.py.

Every function answers for one case, with plain Python values.
"""

from libc.stdint cimport intptr_t, uint64_t
from libc.stddef cimport size_t

from kiln.bindings.cykiln cimport *


def B01():
    """A handle arrives as it is, an array of handles as a pointer to them."""
    cdef unsigned int count = 3
    cdef kilnSlot_t slots[3]
    kilnRackGetSlots(<kilnRack_t><void*>0x1234, &count, slots)
    return [f"{<intptr_t>&count:#x}", f"{<intptr_t>slots:#x}"]


def B05():
    cdef kilnStats_t s
    s.curve[31], s.burner[3].burnt, s.burner[15].serial[15] = 7, 8, 9
    return [sizeof(kilnBurner_t), sizeof(s), <intptr_t>&s.n - <intptr_t>&s, <intptr_t>&s.burner - <intptr_t>&s,
            <intptr_t>&s.rest - <intptr_t>&s, s.curve[31], s.burner[3].burnt, s.burner[15].serial[15]]


def B13():
    cdef kilnCoat coat = KILN_GLAZE_OASH
    cdef kilnFinish finish = coat
    cdef kilnGlaze_enum glaze = finish
    return [<int>glaze, KILN_COAT_ASH, <int>KILN_GLAZE_ASH]


def B23():
    cdef kiln_heat_r2 heat
    return [KILN_HEAT_STAMP, 2 * 0x100000 + sizeof(heat)]


def B25():
    cdef kilnWide_t w
    return [sizeof(w), <intptr_t>&w.t - <intptr_t>&w, <intptr_t>&w.n - <intptr_t>&w, <intptr_t>&w.k - <intptr_t>&w, KILN_ALL]


cdef size_t shelf_size(int shelf) noexcept nogil:
    return 40 + shelf


def B27():
    """A plain function without the interpreter is a callback."""
    cdef kilnSizeFn fn = shelf_size
    cdef int shelf = 0
    kilnBestShelf(&shelf, fn)
    return [fn(2)]


def B52():
    cdef kilnProbes_t p
    p.count, p.probe[2].value = 2, 5
    return [sizeof(p), <intptr_t>&p.probe - <intptr_t>&p, sizeof(p.probe) // sizeof(p.probe[0]), p.probe[2].value]


def B54():
    cdef kilnU64 flags = 0
    cdef unsigned long long too = 0
    kilnGetFlags(NULL, &flags)
    kilnGetFlagsToo(NULL, &too)
    return [flags, too]


def B56():
    return <int>kilnFind(7)


def B58():
    """A variable of each type."""
    cdef kilnTagOnly a = KILN_TO_B
    cdef kilnTdOnly b = KILN_TD_A
    cdef kilnBoth c = KILN_BO_A
    cdef kilnX d = KILN_X_A
    cdef kilnX_enum e = d
    cdef kilnSTag sa
    cdef kilnSTd sb
    cdef kilnSBoth sc
    cdef kilnS sd
    cdef kilnS_st se
    cdef kilnUTag uf
    cdef kilnUTd ug
    sa.a, sb.a, sc.a, sd.a, uf.a, ug.a = 1, 2, 3, 4, 5, 6
    se = sd
    kilnUse(a, b, c, d, e)
    kilnUseRecords(&sa, &sb, &sc, &sd, &se, &uf, &ug)
    return [<int>a, <int>b, <int>c, <int>d, <int>e, se.a]


def B60():
    return KILN_MICRO


def B67():
    return [KILN_FIVE, KILN_TEXT]


def B69():
    """An enumerator that the newest header lacks, and one that changed places."""
    cdef kilnRemoved r = KILN_R_B
    return [<int>r, <int>KILN_R_C, <int>KILN_R_D]


def B77():
    """Members whose types have no name, and variables of these types."""
    cdef kilnJob job
    cdef kilnJob__range range_
    cdef kilnJob__state state = KILN_JOB_RUN
    job.state = state
    range_.lo, range_.hi = 1, 2
    job.range[1] = range_
    job.v.i = 3
    kilnSubmit(&job)
    return [<int>job.state, job.range[1].lo, job.range[1].hi, job.v.i, <int>KILN_JOB_NEW, <int>KILN_JOB_END, sizeof(job),
            <intptr_t>&job.v - <intptr_t>&job]


def B79():
    cdef kilnInfo_t info
    cdef float out[5][17]
    cdef unsigned char head[6]
    cdef double m[3][8]
    kilnTransfer(out, head, m, &info)
    return [sizeof(info.fill), sizeof(info), <intptr_t>info.fill - <intptr_t>&info, KILN_ROWS, <int>KILN_DIM]


def B83():
    cdef kilnPk2_t two
    return [sizeof(kilnPkA), sizeof(kilnPkB), sizeof(kilnPk2_t), sizeof(kilnLoose_t), <intptr_t>&two.i - <intptr_t>&two,
            <intptr_t>&two.d - <intptr_t>&two]


def B85():
    return [KILN_EDGE, KILN_BASE, KILN_CAST, KILN_STREAM_L, KILN_NEG, KILN_NAME, KILN_RATE, KILN_CH]


def B87():
    return [int(KILN_V_NEG), int(KILN_V_NEXT), int(KILN_V_ZERO), int(KILN_V_CHAR), int(KILN_V_EXPR), int(KILN_V_SIZE),
            int(KILN_V_TERN), <unsigned int>KILN_M_ALL, <unsigned int>KILN_M_TOP, int(KILN_P_B), int(KILN_ANON_A), int(KILN_ANON_B),
            <unsigned long long>KILN_L_HI, sizeof(kilnLong_t), sizeof(kilnMask_t)]


cdef void __stdcall host(void* data) noexcept nogil:
    (<int*>data)[0] = 7


def B91():
    """A callback is written with the convention, and works where there is none."""
    cdef kilnHostFn fn = host
    cdef int seen = 0
    kilnEnqueue(NULL, fn, &seen)
    fn(&seen)
    return [seen]


def B93():
    cdef kilnA a
    cdef kilnB b
    cdef kilnC c
    a.b, a.next, b.peer, b.c, c.u.pb = &b, &a, &b, &c, &b
    kilnJoin(&a, &b, a.b, NULL)
    return [sizeof(kilnA), sizeof(kilnB), sizeof(kilnC), a.next.b.c.u.pb == &b]


cdef void sync() noexcept nogil:
    pass


def B97():
    cdef unsigned int table[4]
    kilnOnce(sync, NULL)
    kilnUnnamed(1, b"two", NULL, &table)
    kilnKandR()
    return kilnSync(sync)


def B101():
    """A number of 64 bits and a negative one survive; a handle is an address."""
    cdef kilnAddr_t addr = <uint64_t>1 << 63
    cdef kilnHolder_t holder
    addr += 5
    holder.addr = addr
    kilnUseChain(NULL, <kilnArena_t>0x10, <kilnYc_t><void*>0x20, NULL, &addr, -1, NULL)
    return [sizeof(holder), holder.addr, sizeof(kilnY_t)]


def missing():
    """A function of the other platform."""
    return kilnWindow(NULL, KILN_SHADE_DARK)


def quit():
    kilnReset()


def hatch():
    return kilnOpenHatch()


def first_calls(int threads):
    """Threads that wait for each other, and each call another function first."""
    import threading

    calls = [hatch, B27, B56, B97, quit, B54]
    barrier = threading.Barrier(threads)
    failed = []

    def run(i):
        barrier.wait()
        try:
            calls[i % len(calls)]()
        except BaseException as error:
            failed.append(repr(error))

    started = [threading.Thread(target=run, args=(i,)) for i in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    return failed

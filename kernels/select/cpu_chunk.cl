/* select_count, select_move for CPUs: each thread has a chunk, which it counts and then moves element by element.
 * Parameters: the prelude, keep.cl, counts.cl, own_chunk.cl. counts has a ulong for each group. */

#define BUFFERED 128 /* elements: a branch that the data decide costs more than a few moves */

/* How many of in[begin .. end), not many, are kept: in 32 bits, which vectorises better. */
static inline uint count_few(const __global ELEMENT *in, ulong begin, ulong end FLAGS_PARAMETERS)
{
    uint few = 0;
    for (ulong i = begin; i < end; i++)
        few += keep(ELEMENT_AT(in, i), i, in FLAGS_ARGUMENTS);
    return few;
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
select_count(const __global ELEMENT *in, ulong in_offset, ulong n, __global ulong *counts FLAGS_PARAMETERS)
{
    ulong i;
    ulong end;
    own_chunk(&i, &end, CALL_COUNT_0(n));
    ulong count = 0;
#if HEADS
    if (i == 0 && i < end)
        count = ++i; /* the first one */
#endif
    for (ulong stop; i < end; i = stop) {
        stop = min(end, i + 4096);
        count += count_few(in + in_offset, i, stop FLAGS_ARGUMENTS);
    }
    counts[get_group_id(0)] = count;
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
select_move(const __global ELEMENT *in, ulong in_offset, ulong n, __global OUTPUT *out, ulong out_offset,
            __global COUNT_TYPE *out_count, ulong out_count_offset, const __global ulong *counts
            FLAGS_PARAMETERS PAYLOADS_PARAMETERS)
{
    __local ulong sums[2];
    ulong i;
    ulong end;
    ulong at;
    ulong all;
    n = CALL_COUNT_0(n);
    sum_counts(&at, &all, counts, sums);
    if (get_group_id(0) == 0)
        out_count[out_count_offset] = (COUNT_TYPE)all;
    own_chunk(&i, &end, n);
    const __global ELEMENT *from = in + in_offset;
    __global OUTPUT *to = out + out_offset;
#if PARTITION
    ulong others = i - at;
    for (; i < end; i++) {
        const ELEMENT x = ELEMENT_AT(from, i);
        if (keep(x, i, from FLAGS_ARGUMENTS))
            to[at++] = OUTPUT_OF(x, i);
        else
            to[OTHER_PLACE(others++, all, n)] = OUTPUT_OF(x, i);
    }
#else
#if HEADS
    if (i == 0 && i < end) {
#if PAYLOAD_SIZE
        payload_move(at, 0 PAYLOADS_ARGUMENTS);
#endif
        to[at++] = OUTPUT_OF(ELEMENT_AT(from, 0), 0);
        i++;
    }
#endif
    while (i < end) { /* by way of a buffer into which each element goes, to be overwritten if it is not kept */
        const ulong stop = min(end, i + BUFFERED);
#if HEADS
        if (count_few(from, i, stop FLAGS_ARGUMENTS) == 0) { /* amid a run */
            i = stop;
            continue;
        }
#endif
        ELEMENT buffer[BUFFERED];
#if HAS_OUTPUT || PAYLOAD_SIZE /* what is kept alone has its expression computed and its value moved, which takes its place */
        uchar places[BUFFERED];
        const ulong begin = i;
#endif
        uint few = 0;
        for (; i < stop; i++) {
            const ELEMENT x = ELEMENT_AT(from, i);
            buffer[few] = x;
#if HAS_OUTPUT || PAYLOAD_SIZE
            places[few] = (uchar)(i - begin);
#endif
            few += keep(x, i, from FLAGS_ARGUMENTS);
        }
        for (uint k = 0; k < few; k++)
            to[at + k] = OUTPUT_OF(buffer[k], begin + places[k]);
#if PAYLOAD_SIZE
        for (uint k = 0; k < few; k++)
            payload_move(at + k, begin + places[k] PAYLOADS_ARGUMENTS);
#endif
        at += few;
    }
#endif
}

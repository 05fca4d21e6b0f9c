/* cpu_spans.cl: with RUNS 3 what scan_cpu_chunk does with the runs of a chunk: finds where they begin, and writes those that end in
 * it. Blocks of elements in which none begins, as there are many in long runs, are passed over.
 * Parameters: spans.cl and cpu_runs.cl come before. */
#if RUNS == 3
/* Which of the elements from `begin` to before `stop`, at most BLOCK, begin a run: returns how many, and where they are from `begin`
 * on. Without branching on the data. */
static inline uint find_heads(uchar *places, ulong begin, ulong stop HEADS_PARAMETERS)
{
    uint few = 0;
    if (begin > 0 && begin + BLOCK == stop && count_few(begin, stop HEADS_ARGUMENTS) == 0)
        return 0;
    for (ulong i = begin; i < stop; i++) {
        places[few] = (uchar)(i - begin);
        few += head_at(i HEADS_ARGUMENTS);
    }
    return few;
}

static inline VALUE runs_of_chunk(const __global ELEMENT *in, ulong i, ulong end HEADS_PARAMETERS)
{
    VALUE sum = IDENTITY;
    for (ulong stop; i < end; i = stop) {
        uchar places[BLOCK];
        stop = min(end, i + BLOCK);
        const uint few = find_heads(places, i, stop HEADS_ARGUMENTS);
        for (uint k = 0; k < few; k++)
            sum = span_with(sum, (run_count)(i + places[k] + 1));
    }
    return sum;
}

/* before: the fold of all chunks before. */
static inline void write_runs(const __global ELEMENT *in, __global OUTPUT *out, ulong i, ulong end, ulong n, VALUE before HEADS_PARAMETERS)
{
    const bool is_last = i < end && end == n;
    for (ulong stop; i < end; i = stop) {
        uchar places[BLOCK];
        stop = min(end, i + BLOCK);
        const uint few = find_heads(places, i, stop HEADS_ARGUMENTS);
        for (uint k = 0; k < few; k++) {
            const VALUE through = span_with(before, (run_count)(i + places[k] + 1));
            if (through.count != before.count)
                span_store(out, before.count, before.last, through.last - before.last HEADS_ARGUMENTS);
            before = through;
        }
    }
    if (is_last)
        span_store_last(out, before, n HEADS_ARGUMENTS);
}
#endif

/* comparison_sort_chunk, _merge for CPUs: a work-group is one work-item, that is one thread at a time. It sorts a chunk that fits a
 * core's cache; then runs are merged by two in passes, the result of each pair by several groups (merge path). Stable.
 *
 * Nothing branches on what is compared. Runs of RUN elements are sorted by odd-even transposition, LANES of them side by side,
 * so that compilers make vectors of them, also in an order of the caller's. A merge goes on at both ends at once, which are
 * independent of each other, and as long as neither run can end, without asking whether it does.
 *
 * With an order that is none the result is a permutation all the same: the ends of a merge do not meet, and the parts of a pass
 * are found each within those of a coarser division.
 *
 * Parameters: compare.cl; RUN_LOG, LANES; CHUNK_LOG of the elements of a chunk, more than RUN_LOG; GROUP_SIZE 1. */
#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif
#if !defined(RUN_LOG) || !defined(LANES) || !defined(CHUNK_LOG) || CHUNK_LOG < RUN_LOG
#error "RUN_LOG, LANES and CHUNK_LOG must be given"
#endif

#define CPU_INLINE static inline __attribute__((always_inline))
#define RUN (1u << RUN_LOG)
#define CHUNK ((INDEX)1 << CHUNK_LOG)

CPU_INLINE bool is_before(array a, ulong i, ulong j)
{
    return KEY_BEFORE(IMAGE_OF(a.keys[i]), IMAGE_OF(a.keys[j]));
}

CPU_INLINE void put(array to, ulong i, array from, ulong j)
{
    to.keys[i] = from.keys[j];
#if VALUE_SIZE
    to.values[i] = from.values[j];
#endif
}

/* Neighbours k and k + 1 of all runs. */
#if VALUE_SIZE
#define EXCHANGE(keys, values, k)                                                                                      \
    for (uint l = 0; l < LANES; l++) {                                                                                 \
        const ELEMENT a = keys[k][l], b = keys[k + 1][l];                                                              \
        const VALUE v = values[k][l], w = values[k + 1][l];                                                            \
        const bool wrong = KEY_BEFORE(b, a);                                                                           \
        keys[k][l] = wrong ? b : a;                                                                                    \
        keys[k + 1][l] = wrong ? a : b;                                                                                \
        values[k][l] = wrong ? w : v;                                                                                  \
        values[k + 1][l] = wrong ? v : w;                                                                              \
    }
#else
#define EXCHANGE(keys, values, k)                                                                                      \
    for (uint l = 0; l < LANES; l++) {                                                                                 \
        const ELEMENT a = keys[k][l], b = keys[k + 1][l];                                                              \
        const bool wrong = KEY_BEFORE(b, a);                                                                           \
        keys[k][l] = wrong ? b : a;                                                                                    \
        keys[k + 1][l] = wrong ? a : b;                                                                                \
    }
#endif

CPU_INLINE void sort_runs(array in, array to)
{
    ELEMENT keys[RUN][LANES];
#if VALUE_SIZE
    VALUE values[RUN][LANES];
#endif
    for (uint l = 0; l < LANES; l++)
        for (uint k = 0; k < RUN; k++) {
            keys[k][l] = IMAGE_OF(in.keys[l * RUN + k]);
#if VALUE_SIZE
            values[k][l] = in.values[l * RUN + k];
#endif
        }
    for (uint round = 0; round < RUN / 2; round++) {
        for (uint k = 0; k + 1 < RUN; k += 2)
            EXCHANGE(keys, values, k)
        for (uint k = 1; k + 1 < RUN; k += 2)
            EXCHANGE(keys, values, k)
    }
    for (uint l = 0; l < LANES; l++)
        for (uint k = 0; k < RUN; k++) {
            to.keys[l * RUN + k] = ELEMENT_OF(keys[k][l]);
#if VALUE_SIZE
            to.values[l * RUN + k] = values[k][l];
#endif
        }
}

/* At most RUN elements, by insertion. */
CPU_INLINE void sort_rest(array in, array to, uint count)
{
    for (uint i = 0; i < count; i++) {
        const item x = load(in, i);
        uint j = i;
        for (; j > 0 && before(x, load(to, j - 1)); j--)
            put(to, j, to, j - 1);
        store(to, j, x);
    }
}

/* A merge under way: of a .. a_end - 1 and b .. b_end - 1 to at .. end - 1. */
typedef struct {
    ulong a, a_end, b, b_end, at, end;
} merge;

CPU_INLINE merge merge_of(ulong a, ulong a_end, ulong b, ulong b_end, ulong at)
{
    return (merge){a, a_end, b, b_end, at, at + (a_end - a) + (b_end - b)};
}

/* How far it can go on at both ends before a run may end. */
CPU_INLINE ulong safe_steps(const merge *m) { return min(m->a_end - m->a, m->b_end - m->b) / 2; }

CPU_INLINE void merge_step(array to, array from, merge *m)
{
    const bool second = is_before(from, m->b, m->a);
    const bool first = is_before(from, m->b_end - 1, m->a_end - 1);
    m->end--;
    put(to, m->at, from, second ? m->b : m->a);
    put(to, m->end, from, (first ? m->a_end : m->b_end) - 1);
    m->at++;
    m->b += second;
    m->a += !second;
    m->a_end -= first;
    m->b_end -= !first;
}

CPU_INLINE void finish(array to, array from, merge m)
{
    for (ulong steps = safe_steps(&m); steps > 0; steps = safe_steps(&m))
        for (; steps > 0; steps--)
            merge_step(to, from, &m);
    while (m.a < m.a_end && m.b < m.b_end) {
        const bool second = is_before(from, m.b, m.a);
        put(to, m.at++, from, second ? m.b : m.a);
        m.b += second;
        m.a += !second;
    }
    while (m.a < m.a_end)
        put(to, m.at++, from, m.a++);
    while (m.b < m.b_end)
        put(to, m.at++, from, m.b++);
}

/* Two that have nothing to do with each other, side by side as long as both go on. */
CPU_INLINE void merge_both(array to, array from, merge m, merge o)
{
    for (ulong steps = min(safe_steps(&m), safe_steps(&o)); steps > 0; steps = min(safe_steps(&m), safe_steps(&o)))
        for (; steps > 0; steps--) {
            merge_step(to, from, &m);
            merge_step(to, from, &o);
        }
    finish(to, from, m);
    finish(to, from, o);
}

/* Sort a chunk, by way of the same places of `other`. */
SORT_KERNEL void comparison_sort_chunk(ARRAY_PARAMETERS(in), ARRAY_PARAMETERS(out), ARRAY_PARAMETERS(other), ulong n)
{
    const INDEX begin = (INDEX)get_group_id(0) << CHUNK_LOG;
    const INDEX length = min((INDEX)n - begin, CHUNK);
    const array in = array_from(ARRAY(in), begin);
    uint passes = 0;
    while ((INDEX)RUN << passes < length)
        passes++;
    array from = array_from(passes % 2 == 0 ? ARRAY(out) : ARRAY(other), begin);
    array to = array_from(passes % 2 == 0 ? ARRAY(other) : ARRAY(out), begin);
    INDEX i = 0;
    for (; length - i >= RUN * LANES; i += RUN * LANES)
        sort_runs(array_from(in, i), array_from(from, i));
    for (; i < length; i += min((INDEX)RUN, length - i))
        sort_rest(array_from(in, i), array_from(from, i), (uint)min((INDEX)RUN, length - i));
    for (INDEX run = RUN; run < length; run *= 2) {
        INDEX a = 0;
        for (; length - a >= 4 * run; a += 4 * run)
            merge_both(to, from, merge_of(a, a + run, a + run, a + 2 * run, a),
                       merge_of(a + 2 * run, a + 3 * run, a + 3 * run, a + 4 * run, a + 2 * run));
        for (; a < length; a += min(2 * run, length - a)) {
            const INDEX b = a + min(run, length - a);
            finish(to, from, merge_of(a, b, b, b + min(run, length - b), a));
        }
        const array next = from;
        from = to;
        to = next;
    }
}

/* How many of the first `cut` parts' elements of a merge, of `part` elements each, are the first run's. */
CPU_INLINE INDEX split_at(array from, INDEX first, INDEX second, ulong part, uint parts_log, uint cut)
{
    const INDEX count = first + second;
    if (cut >> parts_log != 0)
        return first;
    INDEX split = 0, end_split = first; /* of the cuts around */
    INDEX rank = 0, end_rank = count;
    for (uint bit = parts_log; bit-- > 0;) {
        const uint coarse = (cut >> bit | 1) << bit; /* in the middle of what is left */
        const INDEX middle = (INDEX)min((ulong)coarse * part, (ulong)count);
        INDEX low = max(split, middle - min(middle, end_rank - end_split));
        INDEX high = min(end_split, middle - (rank - split));
        while (low < high) {
            const INDEX tried = low + (high - low) / 2;
            if (is_before(from, first + (middle - 1 - tried), tried))
                high = tried;
            else
                low = tried + 1;
        }
        if (cut >= coarse) {
            split = low;
            rank = middle;
        } else {
            end_split = low;
            end_rank = middle;
        }
    }
    return split;
}

/* Merge runs by two; a pair's result in 2^parts_log parts of `part` elements, two for each group. */
SORT_KERNEL void comparison_sort_merge(ARRAY_PARAMETERS(in), ARRAY_PARAMETERS(out), ulong n, ulong run, ulong part,
                                       uint parts_log)
{
    const uint cut = (uint)get_group_id(0) * 2 & ((1u << parts_log) - 1);
    const INDEX begin = ((INDEX)get_group_id(0) >> (parts_log - 1)) * (2 * (INDEX)run);
    const INDEX first = min((INDEX)run, (INDEX)n - begin);
    const INDEX second = min((INDEX)run, (INDEX)n - begin - first);
    const array from = array_from(ARRAY(in), begin);
    ulong ranks[3], splits[3];
    for (uint i = 0; i < 3; i++) {
        ranks[i] = min((cut + i) * part, (ulong)first + second);
        splits[i] = split_at(from, first, second, part, parts_log, cut + i);
    }
    merge_both(array_from(ARRAY(out), begin), from,
               merge_of(splits[0], splits[1], first + (ranks[0] - splits[0]), first + (ranks[1] - splits[1]), ranks[0]),
               merge_of(splits[1], splits[2], first + (ranks[1] - splits[1]), first + (ranks[2] - splits[2]), ranks[1]));
}

/* top_k_finish: one group decides what becomes of the lists of filter.cl, and finds the result if it can. Of the elements
 * before the limit and equal to it there may be
 * - at least k before it: the lists are enough, but for those that are too long. If they have no more than FEW elements,
 *   the group finds the result among these; else the passes of the search read the lists;
 * - at least k together: the limit is the threshold, and what is left is to gather;
 * - fewer: the sample was an unlucky one, and the limit is of no use. All is read, as if there were none.
 * Of a small array the group does what is left by itself, because more launches would take longer.
 *
 * Parameters: filter.cl, and what it needs; TAKEN, the largest k of a result that the group finds; FEW_MOST: among no more
 * elements than these, for whose places there is room in local memory. */
#if !defined(TAKEN) || !defined(FEW_MOST)
#error "TAKEN and FEW_MOST must be given"
#endif

#if FILTERS
/* What the groups of top_k_filter found. */
typedef struct {
    uint less;     /* elements before the limit */
    uint equal;    /* to it */
    uint too_long; /* lists */
    uint shift;    /* elements before the limit have its bits from here on */
} filter_totals;

/* sums: 5. */
TOP_K_INLINE filter_totals totals_of(__local uint *sums, uint groups, const __global uchar *scratch, ulong chunks_at,
                                     ulong rows_at, uint capacity)
{
    const uint lid = (uint)get_local_id(0);
    if (lid < 5)
        sums[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the sums are 0 */
    for (uint g = lid; g < groups; g += GROUP_SIZE) {
        const __global COUNT *row = (const __global COUNT *)(scratch + rows_at) + g * (ulong)RADIX;
        const uint less = ((const __global COUNT *)(scratch + chunks_at))[g];
        (void)atomic_add(sums, less);
        (void)atomic_add(sums + 1, row[0]);
        (void)atomic_add(sums + 2, less > capacity);
        (void)atomic_or(sums + 3, row[1]);
        (void)atomic_or(sums + 4, row[2]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the sums */
    const uint shift = sums[4] > 0 ? 64 - clz(sums[4]) : 32 - clz(sums[3]);
    return (filter_totals){sums[0], sums[1], sums[2], min(shift, (uint)KEY_BITS)};
}

/* Bring all lists together, which have `count` elements. ends: TAKEN. */
TOP_K_INLINE void bring_lists(__local uint *places, uint count, __local COUNT *ends, __local VALUE *shared, uint groups,
                              const __global uchar *scratch, ulong chunks_at, ulong lists_at, uint capacity)
{
    const uint lid = (uint)get_local_id(0);
    const __global COUNT *lengths = (const __global COUNT *)(scratch + chunks_at);
    const __global uint *lists = (const __global uint *)(scratch + lists_at);
    for (uint g = lid; g < TAKEN; g += GROUP_SIZE)
        ends[g] = g < groups ? lengths[g] : 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the lengths */
    sum_up(ends, TAKEN, shared);
    for (uint i = lid; i < count; i += 4 * GROUP_SIZE) {
        uint own[4]; /* which are loaded side by side */
#pragma unroll
        for (uint j = 0; j < 4; j++) {
            const uint at = min(i + j * GROUP_SIZE, count - 1);
            uint g = 0;
            for (uint width = TAKEN / 2; width > 0; width /= 2)
                g += ends[g + width - 1] <= at ? width : 0;
            own[j] = lists[g * ((ulong)capacity + 1) + at - (g > 0 ? ends[g - 1] : 0)];
        }
#pragma unroll
        for (uint j = 0; j < 4; j++)
            places[min(i + j * GROUP_SIZE, count - 1)] = own[j];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all are there */
}

/* One group. groups: of top_k_filter. alone: 0 where all launches of radix_select.cl come behind this one, 1 where only that
 * of top_k_gather does, 2 where none does. */
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
top_k_finish(SEARCH_PARAMETERS, TARGET_PARAMETERS, ulong k, uint groups, uint alone, LIST_PARAMETERS)
{
    __local uint places[FEW], totals[5], found;
    __local COUNT sums[RADIX];
    __local VALUE shared[TILE_SCAN_VALUES];
    __local uint taken[TAKEN];
    __local COUNT buckets[TAKEN_BUCKETS];
    prefix_bits images[OWN_FEW];
    const uint lid = (uint)get_local_id(0);
    const __global KEY *keys = keys_in + keys_in_offset;
    filter_state f = *READ_FILTER(scratch);
    n = CALL_COUNT_0(n);
    k = CALL_COUNT_0(k);
    const filter_totals there = totals_of(totals, f.has_limit ? groups : 0, scratch, chunks_at, rows_at, capacity);
    const bool is_limit = f.has_limit && there.less < k && k <= (ulong)there.less + there.equal;
    f.has_lists = f.has_limit && there.less >= k;
    const bool are_few =
        f.has_lists && there.less <= FEW && there.too_long == 0 && groups <= TAKEN && k <= TAKEN && n <= TAKEN_EQUAL;
    const uint few = are_few ? there.less : 0;
    f.is_finished = are_few || alone == 2 || (alone == 1 && !is_limit);
    bring_lists(places, few, taken, shared, are_few ? groups : 0, scratch, chunks_at, lists_at, capacity);
#pragma unroll
    for (uint j = 0; j < OWN_FEW; j++)
        images[j] = few > 0 ? image_of(key_at(keys, places[min(j * GROUP_SIZE + lid, few - 1)], 0, true)) : 0;
#pragma unroll
    for (uint j = 0; j < OWN_FEW; j++)
        images[j] = j * GROUP_SIZE + lid < few ? images[j] : LAST_IMAGE; /* which none of the few has */
    search s = {0, k, 0, KEY_BITS, 0, 0};
    if (f.has_lists && there.shift < KEY_BITS) { /* no pass over bits that all have */
        s.prefix = f.limit >> there.shift;
        s.shift = there.shift;
    }
    if (is_limit)
        s = (search){f.limit, k - there.less, there.equal, 0, 0, 1};
    while (f.is_finished && !s.is_done && s.shift > 0) {
        clear_sums(sums);
        count_images(sums, images, OWN_FEW, s);
        count_tiles(sums, 1, s, 0, are_few ? 0 : tiles_of(keys, n), keys, n);
        barrier(CLK_LOCAL_MEM_FENCE); /* the counts */
        sum_up(sums, RADIX, shared);
        s = chosen(sums, s);
    }
    const uint less = are_few ? (uint)(k - s.needed) : 0;
    /* Too many candidates to be sorted: the first of them are found by their places, in the same way. */
    const bool are_many = are_few && less + s.equal > TAKEN;
    if (lid == 0)
        found = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* none is taken */
#pragma unroll
    for (uint j = 0; j < OWN_FEW; j++) {
        const prefix_bits bits = images[j] >> s.shift;
        const bool is_later = are_many && bits >= (prefix_bits)s.prefix;
        const uint place = j * GROUP_SIZE + lid < few ? places[j * GROUP_SIZE + lid] : UINT_MAX;
        if (place < UINT_MAX && !is_later)
            take(taken, &found, TAKEN, place, bits, s);
        images[j] = is_later && bits == (prefix_bits)s.prefix ? place : UINT_MAX;
    }
    search by_place = {0, s.needed, 0, 32, 0, !are_many};
    while (!by_place.is_done && by_place.shift > 0) {
        clear_sums(sums);
        count_images(sums, images, OWN_FEW, by_place);
        barrier(CLK_LOCAL_MEM_FENCE); /* the counts */
        sum_up(sums, RADIX, shared);
        by_place = chosen(sums, by_place);
    }
#pragma unroll
    for (uint j = 0; j < OWN_FEW; j++)
        if (are_many && images[j] < UINT_MAX && images[j] >> by_place.shift <= (prefix_bits)by_place.prefix)
            take(taken, &found, TAKEN, (uint)images[j], (prefix_bits)s.prefix, s);
    barrier(CLK_LOCAL_MEM_FENCE); /* all are done with the places */
    const uint equal = are_few ? (uint)(are_many ? s.needed : s.equal) : 0;
    sort_taken(taken, less + equal, (uint)min(n, (ulong)TAKEN_EQUAL), places, buckets, shared);
    put_taken(taken, less, equal, s.needed, 0, 0, keys, TARGET_ARGUMENTS);
    gather_tiles(0, k, s.needed, s, 0, f.is_finished && !are_few ? tiles_of(keys, n) : 0, shared, keys, n,
                 TARGET_ARGUMENTS);
    if (lid > 0)
        return;
    s.is_done |= f.is_finished;
    *(__global search *)(scratch + search_at) = s;
    *FILTER_AT(scratch) = f;
}
#endif

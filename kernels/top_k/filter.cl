/* Before the passes of the search, where k is small: top_k_sample finds a limit before which there are at least k elements,
 * most likely, and not many more; top_k_filter lists the elements before it, in one pass over all; top_k_finish finds the
 * result among these, or the passes do, which then read no more than the lists.
 *
 * One element is taken from each of SAMPLES parts of the array, at a place that looks random, so that no order of the input
 * is mistaken for its contents. Of the k elements that are wanted, k * SAMPLES / n are among the samples on average; the
 * limit is a sample that has more before it, by about 5 standard deviations and one.
 *
 * Of the elements before the limit and equal to it,
 * - at least k are before it: the lists do, but for those that are too long;
 * - at least k are so far: the limit is the threshold, and what is left is to gather;
 * - there are fewer: the limit is of no use, for the sample was an unlucky one. All is read, as if there were none.
 * Of a small array top_k_finish does what is left, alone, for launches would take longer.
 *
 * Lists are in no order, for many work-items add to each.
 * Parameters: keys.cl, search.cl, tiles.cl, and what it needs, lists.cl; FILTERS: there are such kernels, which takes COUNT
 * of 32 bits; FILTER_SHARE: k is at most one of so many elements; TAKEN: or of a result that top_k_finish finds; FEW_MOST:
 * among no more elements than these, of which there is room for the places in local memory. */
#if !defined(FILTERS) || !defined(FILTER_SHARE) || !defined(TAKEN) || !defined(FEW_MOST)
#error "FILTERS, FILTER_SHARE, TAKEN and FEW_MOST must be given"
#endif

#if FILTERS
/* What a work-item has of the samples, and of the elements among which the result is found. */
#define OWN_SAMPLES (8192 / GROUP_SIZE < 32 ? 8192 / GROUP_SIZE : 32)
#define OWN_FEW     (FEW_MOST / GROUP_SIZE < 32 ? FEW_MOST / GROUP_SIZE : 32)
#define SAMPLES     (OWN_SAMPLES * GROUP_SIZE)
#define FEW         (OWN_FEW * GROUP_SIZE)

TOP_K_INLINE void clear_sums(__local COUNT *sums)
{
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read the sums */
    for (uint d = (uint)get_local_id(0); d < RADIX; d += GROUP_SIZE)
        sums[d] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* they are 0 */
}

/* Count the digits of candidates that a work-item holds. */
static inline void count_images(__local COUNT *sums, const prefix_bits *images, uint own, search s)
{
    const digits d = digits_of(s);
#pragma unroll
    for (uint j = 0; j < own; j++) {
        const prefix_bits digit = (images[j] >> d.shift) - d.first;
        if (digit < d.end)
            (void)atomic_inc(sums + (uint)digit);
    }
}

/* How many of the samples are to be before the limit. */
static inline uint samples_wanted(uint samples, ulong k, ulong n)
{
    const uint wanted = (uint)(64 * k * samples / n); /* parts of a sample: 64ths, */
    uint deviation = 0;                               /* and 8ths */
    for (; deviation * deviation < wanted; deviation++)
        ;
    return 1 + (wanted + 5 * 8 * deviation + 63) / 64;
}

/* All samples, or half of them, which takes less long, if these do as well: so few elements are before the limit that the
 * result is found among them, or too many by either. */
static inline uint samples_taken(ulong k, ulong n)
{
    const ulong by_half = samples_wanted(SAMPLES / 2, k, n) * (n / (SAMPLES / 2));
    const ulong by_all = samples_wanted(SAMPLES, k, n) * (n / SAMPLES);
    return by_half <= FEW / 2 || (by_all > FEW && k * SAMPLES < n) ? SAMPLES / 2 : SAMPLES;
}

/* A sample's place in its part: bits that change with each part. */
static inline uint sample_place(uint i, uint part)
{
    uint x = i * 0x9e3779b9u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    return i * part + (x ^ x >> 13) % part;
}

/* One group. */
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void top_k_sample(SEARCH_PARAMETERS, ulong k)
{
    __local COUNT sums[RADIX];
    __local VALUE shared[TILE_SCAN_VALUES];
    prefix_bits images[OWN_SAMPLES];
    const uint lid = (uint)get_local_id(0);
    n = CALL_COUNT_0(n);
    k = CALL_COUNT_0(k);
    const bool helps = n >= SAMPLES && k <= n / FILTER_SHARE;
    const uint samples = helps ? samples_taken(k, n) : SAMPLES;
    const uint part = helps ? (uint)(n / samples) : 1;
#pragma unroll
    for (uint j = 0; j < OWN_SAMPLES; j++) {
        const uint i = j * GROUP_SIZE + lid;
        const uint place = sample_place(i, part);
        images[j] = i < samples && place < n ? image_of(key_at(keys_in + keys_in_offset, place, 0, true)) : LAST_IMAGE;
    }
    const uint wanted = helps ? samples_wanted(samples, k, n) : 1;
    search s = {0, wanted, 0, KEY_BITS, 0, 0};
    uint taken = SAMPLES; /* samples up to the prefix */
    while (helps && s.shift > 0 && taken > wanted + wanted / 4) {
        clear_sums(sums);
        count_images(sums, images, OWN_SAMPLES, s);
        barrier(CLK_LOCAL_MEM_FENCE); /* the counts */
        sum_up(sums, RADIX, shared);
        s = chosen(sums, s);
        taken = wanted - (uint)s.needed + (uint)s.equal;
    }
    if (lid > 0)
        return;
    filter_state f = {0, helps, 0, 0};
    f.limit = ((s.prefix + 1) << s.shift) - 1;
    *FILTER_AT(scratch) = f;
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void top_k_filter(SEARCH_PARAMETERS, ulong k,
                                                                                   LIST_PARAMETERS)
{
    __local uint length, equal_there, differing[2];
    const uint lid = (uint)get_local_id(0);
    const __global KEY *keys = keys_in + keys_in_offset;
    __global uint *list = OWN_LIST(scratch);
    const KEY limit = (KEY)READ_FILTER(scratch)->limit;
    volatile __local uint *listed = &length;
    uint tile;
    uint end;
    uint own_equal = 0;
    KEY own_differing = 0;
    if (!READ_FILTER(scratch)->has_limit)
        return;
    n = CALL_COUNT_0(n);
    k = CALL_COUNT_0(k);
    if (lid == 0)
        length = equal_there = differing[0] = differing[1] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* nothing is listed yet */
    own_tiles(&tile, &end, keys, n);
    /* Of a list that is too long it is enough to know that there are k elements before the limit. */
    for (; tile < end && (*listed <= capacity || *listed < k); tile++) {
        packet_words x[ITEMS];
        const tile_range t = tile_range_of(keys, n, tile);
        tile_load(x, t, keys, n);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            bool any = false;
#pragma unroll
            for (uint e = 0; e < PACK; e++) {
                const KEY image = image_of(packet_element(x[j], e));
                any |= image < limit;
                own_equal += image == limit && (t.is_whole || (ulong)(tile_place(t, j) + e) < n);
            }
            for (uint e = 0; any && e < PACK; e++) {
                const uint place = (uint)tile_place(t, j) + e;
                const KEY image = image_of(packet_element(x[j], e));
                if (image >= limit || (!t.is_whole && (ulong)(tile_place(t, j) + e) >= n))
                    continue;
                own_differing |= image ^ limit;
                const uint at = atomic_inc(&length);
                if (at < capacity)
                    list[at] = place;
            }
        }
    }
    if (own_equal > 0)
        (void)atomic_add(&equal_there, own_equal);
    if (own_differing > 0) {
        (void)atomic_or(differing, (uint)own_differing);
        (void)atomic_or(differing + 1, (uint)((ulong)own_differing >> 32));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all is listed and counted */
    if (lid > 0)
        return;
    __global COUNT *row = (__global COUNT *)(scratch + rows_at) + get_group_id(0) * RADIX;
    OWN_LENGTH(scratch) = length; /* and as a pass leaves it that finds the limit: */
    ((__global COUNT *)(scratch + chunks_at))[get_group_id(0)] = length;
    row[0] = equal_there;
    /* For top_k_finish. Where the list is too long, not all elements were looked at. */
    row[1] = length > capacity ? UINT_MAX : differing[0];
    row[2] = length > capacity ? UINT_MAX : differing[1];
}

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

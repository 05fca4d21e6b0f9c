/* top_k_count: a pass of the search. A group has a chunk of consecutive tiles; where these have no candidates left they are
 * not read. Counters have COPIES in local memory, of which the lanes take turns, so that equal digits do not meet in one.
 * top_k_gather: then the elements among the k, in their order: what comes before the threshold, and of what is equal to it the
 * first ones. A group knows from all rows where its own go; nobody waits for anybody.
 *
 * With FOLDS the groups of a pass add their counts up in state, and the one that finishes last chooses the digit; else
 * top_k_choose does, in a launch of its own. state is memory that only this kernel uses, TOTALS + RADIX words of 32 bits, 0
 * before the first launch and after each.
 * Parameters: keys.cl, search.cl, subgroup.cl, words.cl, subgroup_values.cl, packet.cl, tile_scan.cl, tile_load.cl; with FOLDS
 * device_scope.cl, and COUNT of 32 bits; COPIES, a power of two; GROUP_SIZE; ITEMS packets a work-item, of
 * which a tile has fewer than 2^16 elements. */
#if !defined(FOLDS) || !defined(COPIES)
#error "FOLDS and COPIES must be given"
#endif

#if GROUP_SIZE * ITEMS * 16 / (KEY_BITS / 8) >= 65536
#error "a tile's elements are counted in 16 bits"
#endif

#ifndef TOTALS /* where they begin, in words: the ticket has a cache line of its own */
#error "TOTALS must be given"
#endif
#if FOLDS
#define STATE_PARAMETERS , volatile __global uint *state
#else
#define STATE_PARAMETERS
#endif

/* Count the digits of the chunk's candidates. */
TOP_K_INLINE void count_chunk(__local uint *counters, search s, const __global KEY *keys, ulong n)
{
    const uint shift = shift_below(s.shift);
    const prefix_bits end_digit = (prefix_bits)1 << (s.shift - shift);
    const prefix_bits first = (prefix_bits)s.prefix << (s.shift - shift);
    uint tile;
    uint end;
    own_tiles(&tile, &end, keys, n);
    for (; tile < end; tile++) {
        packet_words x[ITEMS];
        const tile_range t = tile_range_of(keys, n, tile);
        tile_load(x, t, keys, n);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
#pragma unroll
            for (uint k = 0; k < PACK; k++) {
                const prefix_bits digit = bits_of(packet_element(x[j], k), shift) - first;
                if (digit < end_digit && (t.is_whole || (ulong)(tile_place(t, j) + k) < n))
                    (void)atomic_inc(counters + (uint)digit * COPIES + get_local_id(0) % COPIES);
            }
    }
}

#if FOLDS
/* The group that comes here last has the totals of all; the others get false. */
TOP_K_INLINE bool fold_totals(__local COUNT *sums, __local uint *is_last, volatile __global uint *state)
{
    const uint lid = (uint)get_local_id(0);
    barrier(CLK_GLOBAL_MEM_FENCE); /* all of the group have added theirs */
    if (lid == 0) {
        device_fence(); /* the totals before the ticket */
        *is_last = atomic_inc(state) == get_num_groups(0) - 1;
        if (*is_last)
            (void)atomic_xchg(state, 0u); /* for the next launch, which cannot begin before this one ends */
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* is_last; all are done with the sums */
    if (!*is_last)
        return false;
    device_fence(); /* the tickets before the totals */
    for (uint d = lid; d < RADIX; d += GROUP_SIZE) {
        sums[d] = device_load(state + TOTALS + d);
        device_store(state + TOTALS + d, 0u);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the totals */
    sum_up(sums);
    return true;
}
#endif

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void top_k_count(SEARCH_PARAMETERS, ulong k,
                                                                                  uint pass STATE_PARAMETERS)
{
    __local uint counters[RADIX * COPIES];
    __local COUNT sums[RADIX];
#if FOLDS
    __local uint is_last;
#endif
    n = CALL_COUNT_0(n);
    const uint lid = (uint)get_local_id(0);
    const ulong group = get_group_id(0);
    __global COUNT *row = (__global COUNT *)(scratch + rows_at) + group * RADIX;
    const search s = search_before(pass, k, scratch, search_at);
    if (s.is_done)
        return;
    share own = {0, 1};
    if (pass > 0)
        own = share_of(group, s.digit, scratch, chunks_at, rows_at);
    for (uint i = lid; i < RADIX * COPIES; i += GROUP_SIZE)
        counters[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* the counters are 0; all have read what is replaced below */
    if (lid == 0)
        ((__global COUNT *)(scratch + chunks_at))[group] = own.less;
    if (own.equal > 0)
        count_chunk(counters, s, keys_in + keys_in_offset, n);
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    for (uint d = lid; d < RADIX; d += GROUP_SIZE) {
        uint sum = 0;
        for (uint c = 0; c < COPIES; c++) /* each lane begins with another copy: no bank conflicts */
            sum += counters[d * COPIES + (c + d) % COPIES];
        sums[d] = sum;
#if FOLDS
        if (sum > 0)
            (void)atomic_add(state + TOTALS + d, sum);
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the sums */
    sum_up(sums);
    for (uint d = lid; d < RADIX; d += GROUP_SIZE)
        row[d] = sums[d];
#if FOLDS
    if (fold_totals(sums, &is_last, state))
        choose(sums, s, scratch, search_at);
#endif
}

/* The sum of all groups' shares before one's own, in every work-item. shared: 2 * GROUP_SIZE. */
TOP_K_INLINE share shares_before(uint digit, const __global uchar *scratch, ulong chunks_at, ulong rows_at,
                                 __local COUNT *shared)
{
    const uint lid = (uint)get_local_id(0);
    share sum = {0, 0};
    for (ulong g = lid; g < get_group_id(0); g += GROUP_SIZE) {
        const share theirs = share_of(g, digit, scratch, chunks_at, rows_at);
        sum.less += theirs.less;
        sum.equal += theirs.equal;
    }
    shared[lid] = sum.less;
    shared[GROUP_SIZE + lid] = sum.equal;
    for (uint width = GROUP_SIZE / 2; width > 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* the sums so far */
        if (lid < width) {
            shared[lid] += shared[lid + width];
            shared[GROUP_SIZE + lid] += shared[GROUP_SIZE + lid + width];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the sum of all */
    sum.less = shared[0];
    sum.equal = shared[GROUP_SIZE];
    return sum;
}

/* Both counts of a part of a tile in one word: elements before the threshold's prefix, and above these the candidates. */
#define ONE_EQUAL (1u << 16)
#define LESS_IN(counts) ((counts) % ONE_EQUAL)
#define EQUAL_IN(counts) ((counts) / ONE_EQUAL)

/* What an element adds to these; 0 for what comes behind the threshold, or does not exist. */
static inline uint count_of(packet_words x, uint j, uint k, tile_range t, search s, ulong n)
{
    const prefix_bits bits = bits_of(packet_element(x, k), s.shift);
    const bool exists = t.is_whole || (ulong)(tile_place(t, j) + k) < n;
    return !exists || bits > (prefix_bits)s.prefix ? 0 : bits < (prefix_bits)s.prefix ? 1 : ONE_EQUAL;
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void top_k_gather(SEARCH_PARAMETERS, TARGET_PARAMETERS)
{
    __local VALUE shared[TILE_SCAN_VALUES];
    __local COUNT sums[2 * GROUP_SIZE];
    n = CALL_COUNT_0(n);
    const __global KEY *keys = keys_in + keys_in_offset;
    const search s = search_before(1, 0, scratch, search_at);
    const share own = share_of(get_group_id(0), s.digit, scratch, chunks_at, rows_at);
    if (own.less + own.equal == 0)
        return;
    const share before = shares_before(s.digit, scratch, chunks_at, rows_at, sums);
    ulong wanted = before.equal < s.needed ? min(s.needed - before.equal, (ulong)own.equal) : 0; /* candidates */
    ulong at = before.less + min((ulong)before.equal, s.needed);
    const ulong end_at = at + own.less + wanted;
    uint tile;
    uint end;
    own_tiles(&tile, &end, keys, n);
    for (; tile < end && at < end_at; tile++) {
        packet_words x[ITEMS];
        VALUE counts[ITEMS];
        VALUE before_mine;
        const tile_range t = tile_range_of(keys, n, tile);
        tile_load(x, t, keys, n);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            counts[j] = 0;
#pragma unroll
            for (uint k = 0; k < PACK; k++)
                counts[j] += count_of(x[j], j, k, t, s, n);
        }
        const VALUE total = tile_fold(counts, &before_mine, shared);
        tile_prefixes(counts, before_mine, shared);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            uint rank = counts[j];
#pragma unroll
            for (uint k = 0; k < PACK; k++) {
                const uint one = count_of(x[j], j, k, t, s, n);
                if (one == 1 || (one != 0 && EQUAL_IN(rank) < wanted))
                    put(at + LESS_IN(rank) + min((ulong)EQUAL_IN(rank), wanted), packet_element(x[j], k),
                        (ulong)(tile_place(t, j) + k), TARGET_ARGUMENTS);
                rank += one;
            }
        }
        const ulong taken = min((ulong)EQUAL_IN(total), wanted);
        at += LESS_IN(total) + taken;
        wanted -= taken;
        barrier(CLK_LOCAL_MEM_FENCE); /* all are done with `shared` */
    }
}

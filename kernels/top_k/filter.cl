/* Before the passes of the search, where k is small: top_k_sample finds a limit that most likely has at least k
 * elements before it, and not many more. top_k_filter then lists the elements before the limit, in one pass over all.
 * finish.cl says what becomes of the lists.
 *
 * One element is taken from each of up to SAMPLES parts of the array, at a place that looks random, so that no order of
 * the input is mistaken for its contents. Of the k wanted elements, k * SAMPLES / n are among the samples on average.
 * The limit is a sample that has more samples before it than that, by about 5 standard deviations and one.
 *
 * Lists are in no order, because many work-items add to each.
 * Parameters: FILTERS: whether there are such kernels, which need COUNT of 32 bits; SAMPLES_AT_MOST, and SAMPLES_EACH
 * of a work-item; FILTER_SHARE: k is at most one of so many elements; FEW_MOST, of finish.cl. */
#include "radix_sort/parts/keys.cl"
#include "top_k/args.h"
#include "top_k/parts/search.cl"
#include "common/packet.cl"
#include "common/tile_scan.cl"
#include "common/tile_load.cl"
#include "top_k/parts/tiles.cl"
#include "top_k/parts/lists.cl"

#if !defined(FILTERS) || !defined(FILTER_SHARE) || !defined(FEW_MOST) || !defined(SAMPLES_AT_MOST) ||                  \
    !defined(SAMPLES_EACH)
#error "FILTERS, FILTER_SHARE, FEW_MOST, SAMPLES_AT_MOST and SAMPLES_EACH must be given"
#endif

#if FILTERS
#define OWN_SAMPLES (SAMPLES_AT_MOST / GROUP_SIZE < SAMPLES_EACH ? SAMPLES_AT_MOST / GROUP_SIZE : SAMPLES_EACH)
#define SAMPLES     (OWN_SAMPLES * GROUP_SIZE)

ALWAYS_INLINE void clear_sums(__local COUNT *sums)
{
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read the sums */
    for (uint d = (uint)get_local_id(0); d < RADIX; d += GROUP_SIZE)
        sums[d] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* they are 0 */
}

/* Count the digits of candidates among the samples that a work-item holds. */
static inline void count_samples(__local COUNT *sums, const prefix_bits *images, uint own, search s)
{
    const digits d = digits_of(s);
#pragma unroll
    for (uint j = 0; j < OWN_SAMPLES; j++) {
        const prefix_bits digit = (images[j] >> d.shift) - d.first;
        if (digit < d.end && j < own)
            (void)atomic_inc(sums + (uint)digit);
    }
}

/* How many of the samples are to be before the limit. */
static inline uint samples_wanted(uint samples, ulong k, ulong n)
{
    const float wanted = (float)k * (float)samples / (float)n;
    return 1 + (uint)(wanted + 5 * sqrt(wanted) + 0.5f);
}

/* The number of samples that minimises the total time, also of what they find. On an H200 a sample takes about 0.75
 * times as long as an element of the lists that one group finishes; an element of lists that other groups read takes a
 * quarter. Alone, the group reads all elements where there are more than FEW_MOST. */
static inline uint samples_taken(ulong k, ulong n, bool alone)
{
    uint best = SAMPLES;
    float least = 0;
#pragma unroll
    for (uint samples = SAMPLES; samples >= SAMPLES / 8; samples /= 2) {
        const float found = (float)samples_wanted(samples, k, n) * (float)n / (float)samples;
        const float finding = found <= FEW_MOST / 2 ? 2 * found /* else there may be more than FEW_MOST */
                              : alone               ? (float)n
                              : found <= FEW_MOST   ? 4 * found
                                                    : 4 * (float)FEW_MOST + found / 2;
        const float time = 1.5f * (float)samples + finding;
        const bool is_best = samples == SAMPLES || time < least;
        best = is_best ? samples : best;
        least = is_best ? time : least;
    }
    return best;
}

/* A sample's place in its part: bits that change with each part. */
static inline uint sample_place(uint i, uint part)
{
    uint x = i * 0x9e3779b9u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return i * part + mul_hi(x, part);
}

/* One group. */
__kernel GROUP_OF(GROUP_SIZE) void top_k_sample(ARGS_OF(TOP_K_SEARCH))
{
    const top_k_args args = ARGS(TOP_K_NUMBERS);
    __local COUNT sums[RADIX];
    __local clprim__sums_memory summing;
    prefix_bits images[OWN_SAMPLES];
    const uint lid = (uint)get_local_id(0);
    const ulong n = CALL_COUNT_0(args.n);
    const ulong k = CALL_COUNT_0(args.k);
    const bool helps = n >= SAMPLES && k <= n / FILTER_SHARE;
    const uint samples = helps ? samples_taken(k, n, args.alone > 0) : SAMPLES;
    const uint part = helps ? (uint)n / samples : 1;
#pragma unroll
    for (uint j = 0; j < OWN_SAMPLES; j++) {
        const uint i = j * GROUP_SIZE + lid;
        images[j] = LAST_IMAGE;
        if (j * GROUP_SIZE < samples) { /* the same for all */
            const uint place = sample_place(i, part);
            if (place < n)
                images[j] = image_of(key_at(keys_in + args.keys_in_offset, place, 0, true));
        }
    }
    const uint wanted = helps ? samples_wanted(samples, k, n) : 1;
    search s = {0, wanted, 0, KEY_BITS, 0, 0};
    uint taken = SAMPLES; /* samples up to the prefix */
    while (helps && s.shift > 0 && taken > wanted + wanted / 4) {
        clear_sums(sums);
        count_samples(sums, images, (samples + GROUP_SIZE - 1) / GROUP_SIZE, s);
        barrier(CLK_LOCAL_MEM_FENCE); /* the counts */
        sum_up(sums, RADIX, &summing);
        s = chosen_together(sums, s);
        taken = wanted - (uint)s.needed + (uint)s.equal;
    }
    if (lid > 0)
        return;
    filter_state f = {0, helps, 0, 0};
    f.limit = ((s.prefix + 1) << s.shift) - 1;
    *FILTER_AT(scratch) = f;
}

__kernel GROUP_OF(GROUP_SIZE) void top_k_filter(ARGS_OF(TOP_K_SEARCH))
{
    const top_k_args args = ARGS(TOP_K_NUMBERS);
    __local uint length, equal_there, differing[2];
    const uint lid = (uint)get_local_id(0);
    const __global KEY *keys = keys_in + args.keys_in_offset;
    __global uint *list = OWN_LIST(scratch);
    const KEY limit = (KEY)READ_FILTER(scratch)->limit;
    const uint capacity = args.capacity;
    volatile __local uint *listed = &length;
    uint tile;
    uint end;
    uint own_equal = 0;
    KEY own_differing = 0;
    if (!READ_FILTER(scratch)->has_limit)
        return;
    const ulong n = CALL_COUNT_0(args.n);
    const ulong k = CALL_COUNT_0(args.k);
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
    __global COUNT *row = (__global COUNT *)(scratch + args.rows_at) + get_group_id(0) * RADIX;
    OWN_LENGTH(scratch) = length; /* and as a pass leaves it that finds the limit: */
    ((__global COUNT *)(scratch + args.chunks_at))[get_group_id(0)] = length;
    row[0] = equal_there;
    /* For top_k_finish. Where the list is too long, not all elements were looked at. */
    row[1] = length > capacity ? UINT_MAX : differing[0];
    row[2] = length > capacity ? UINT_MAX : differing[1];
}
#endif

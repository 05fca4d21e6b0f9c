/* histogram_cpu_chunk: one work-item a group, one chunk of the array each, COPIES tables in global memory, by turns: an
 * element need not wait for the one before it to be counted, though it be in the same bin. The tables become rows for
 * histogram_merge.
 * Parameters: the prelude, bins.cl, packet.cl, slots.cl; COPIES, a power of two; GROUP_SIZE 1; ITEMS 1, where elements
 * are in an array; count_tiles.cl comes behind. */
#if !defined(COPIES)
#error "COPIES must be given"
#endif
#define TABLE_PARAMETERS , __global WORD *tables
#define TABLE_ARGUMENTS , tables

static inline void count(uint slot, uint k, WORD amount TABLE_PARAMETERS)
{
    __global WORD *word = tables + (size_t)(k % COPIES) * TABLE + slot;
    *word = word_sum(slot, *word, amount);
}
DECLARE_COUNT_TILES

/* Bins that take arithmetic are computed for many elements before these are counted, so that it is vectorised. What an
 * expression gives gained nothing by that. */
#define COMPUTES_AHEAD (MAPPING != 0 && CHANNELS == 1 && WEIGHT_KIND == 0 && PACK > 1 && !STRIDED)
#if COMPUTES_AHEAD
#if GROUP_SIZE != 1 || ITEMS != 1
#error "a tile must be a packet"
#endif
#define AHEAD 64 /* elements, whole packets */

static inline void count_ahead(ulong i, element_source in TABLE_PARAMETERS INPUT_PARAMETERS)
{
    uint slots[AHEAD];
    for (uint k = 0; k < AHEAD; k++)
        slots[k] = bin_of(SOURCE_AT(in, i + k) BINS_ARGUMENTS);
#pragma unroll 8
    for (uint k = 0; k < AHEAD; k++)
        count(slots[k], k, 1 TABLE_ARGUMENTS);
}

/* The tiles, each of which is a packet, from `begin` to before `end`, as far as they are whole; returns the first left. */
static inline uint count_whole_tiles(uint begin, uint end, element_source in, ulong n TABLE_PARAMETERS INPUT_PARAMETERS)
{
    const uint end_of_whole = min(end, END_OF_WHOLE_ROWS(in, n));
    for (; begin + AHEAD / PACK <= end_of_whole; begin += AHEAD / PACK)
        count_ahead((ulong)begin * PACK - PACKET_SHIFT(in), in TABLE_ARGUMENTS INPUT_ARGUMENTS);
    return begin;
}
#endif

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
histogram_cpu_chunk(const __global ELEMENT *in, ulong in_offset, ulong n, ulong start, __global WORD *rows INPUT_PARAMETERS)
{
    const element_source elements = SOURCE_OF(in + in_offset, start);
    n = launch_count(n, start);
    __global WORD *tables = rows + get_group_id(0) * COPIES * TABLE;
    const uint tiles = tiles_of(elements, n);
    const uint chunk = (tiles + (uint)get_num_groups(0) - 1) / (uint)get_num_groups(0);
    uint begin = (uint)get_group_id(0) * chunk;
    const uint end = min(tiles, begin + chunk);
    for (uint i = 0; i < COPIES * TABLE; i++)
        tables[i] = 0;
#if COMPUTES_AHEAD
    if (begin < end && begin < FIRST_WHOLE_ROW(elements))
        count_tile(begin++, elements, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
    begin = count_whole_tiles(begin, end, elements, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
#endif
    count_tiles(begin, end, elements, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
}

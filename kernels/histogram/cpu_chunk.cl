/* histogram_cpu_chunk: one work-item a group, one chunk of the array each, COPIES tables in global memory, by turns: an
 * element need not wait for the one before it to be counted, though it be in the same bin. The tables become rows for
 * histogram_merge.
 * Parameters: the prelude, bins.cl, packet.cl, slots.cl; COPIES, a power of two; count_tiles.cl comes behind. */
#if !defined(COPIES)
#error "COPIES must be given"
#endif
#define TABLE_PARAMETERS , __global WORD *tables
#define TABLE_ARGUMENTS , tables

static inline void count(uint slot, uint k, WORD amount TABLE_PARAMETERS)
{
    __global WORD *word = tables + k % COPIES * TABLE + slot;
    *word = word_sum(slot, *word, amount);
}
DECLARE_COUNT_TILES

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
histogram_cpu_chunk(const __global ELEMENT *in, ulong in_offset, ulong n, ulong start, __global WORD *rows INPUT_PARAMETERS)
{
    const element_source elements = SOURCE_OF(in + in_offset, start);
    n = launch_count(n, start);
    __global WORD *tables = rows + get_group_id(0) * COPIES * TABLE;
    const uint tiles = tiles_of(elements, n);
    const uint chunk = (tiles + (uint)get_num_groups(0) - 1) / (uint)get_num_groups(0);
    const uint begin = (uint)get_group_id(0) * chunk;
    const uint end = min(tiles, begin + chunk);
    for (uint i = 0; i < COPIES * TABLE; i++)
        tables[i] = 0;
    count_tiles(begin, end, elements, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
}

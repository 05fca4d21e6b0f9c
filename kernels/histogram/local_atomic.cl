/* histogram_local_atomic: each group has a table in local memory, which becomes a row for histogram_merge.
 * Parameters: the prelude, bins.cl, packet.cl, slots.cl, atomics.cl; count_tiles.cl comes behind. */
#define TABLE_PARAMETERS , __local WORD *table
#define TABLE_ARGUMENTS , table

static inline void count(uint slot, uint k, WORD amount TABLE_PARAMETERS)
{
    local_add(table, slot, amount);
}
DECLARE_COUNT_TILES

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
histogram_local_atomic(const __global ELEMENT *in, ulong in_offset, ulong n, ulong start, __global WORD *tables INPUT_PARAMETERS)
{
    const element_source elements = SOURCE_OF(in + in_offset, start);
    n = launch_count(n, start);
    __local WORD table[TABLE];
    for (uint slot = (uint)get_local_id(0); slot < TABLE; slot += GROUP_SIZE)
        table[slot] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the table is empty */
    count_share((uint)get_group_id(0), (uint)get_num_groups(0), elements, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    for (uint slot = (uint)get_local_id(0); slot < TABLE; slot += GROUP_SIZE)
        tables[get_group_id(0) * TABLE + slot] = table[slot];
}

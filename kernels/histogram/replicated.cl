/* histogram_replicated: a table in local memory with COPIES words for each slot, one for each lane: with as many copies as
 * banks no two lanes meet, whatever the data. The groups' sums come together in global memory, and the group that is
 * last to add its own hands them out: one launch.
 *
 * sums is memory that only this kernel uses, TABLE words behind SUMS_HEADER, all 0 before the first launch and after each.
 * Parameters: the prelude, bins.cl, packet.cl, slots.cl, atomics.cl, device_scope.cl, finish.cl; COPIES, a
 * power of two; count_tiles.cl comes behind. */
#define SUMS_HEADER 32 /* the ticket has a cache line of its own */

#define TABLE_PARAMETERS , __local uint *table
#define TABLE_ARGUMENTS , table

static inline void count(uint slot, uint k, WORD amount TABLE_PARAMETERS)
{
    (void)atomic_inc(table + slot * COPIES + get_local_id(0) % COPIES);
}
DECLARE_COUNT_TILES

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
histogram_replicated(const __global ELEMENT *in, ulong in_offset, ulong n, volatile __global uint *sums, OUTPUT_PARAMETERS INPUT_PARAMETERS)
{
    __local uint table[TABLE * COPIES];
    __local uint is_last;
    const uint lid = (uint)get_local_id(0);
    for (uint i = lid; i < TABLE * COPIES; i += GROUP_SIZE)
        table[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the table is empty */
    count_share((uint)get_group_id(0), (uint)get_num_groups(0), in + in_offset, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    for (uint slot = lid; slot < TABLE; slot += GROUP_SIZE) {
        uint sum = 0;
        for (uint c = 0; c < COPIES; c++) /* each lane begins with another copy: no bank conflicts */
            sum += table[slot * COPIES + (c + slot) % COPIES];
        if (sum != 0)
            (void)atomic_add(sums + SUMS_HEADER + slot, sum);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* all of the group is added */
    if (lid == 0) {
        device_fence(); /* the sums before the ticket */
        is_last = atomic_inc(sums) == get_num_groups(0) - 1;
        if (is_last)
            (void)atomic_xchg(sums, 0u); /* for the next launch, which cannot begin before this one ends */
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* is_last */
    if (!is_last)
        return;
    device_fence(); /* the tickets before the sums */
    for (uint slot = lid; slot < TABLE; slot += GROUP_SIZE)
        finish(slot, atomic_xchg(sums + SUMS_HEADER + slot, 0u), OUTPUT_ARGUMENTS);
}

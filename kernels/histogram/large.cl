/* histogram_large: more slots than local memory has words for. A counter has 16 bits there, and PARTS groups that have
 * parts of RANGE slots each look at the same elements, one after the other from the cache. Whoever finds a counter at 2^15
 * or more takes all of it to the table in global memory, which is 0 before.
 *
 * A work-item counts equal elements in a row together, so that constant and sorted data are no slower than others. Runs of
 * LONG_RUN and more go straight to global memory. So once a counter is at 2^15 each work-item can add less than LONG_RUN
 * to it before it must empty it: no counter overflows.
 * Parameters: the prelude, bins.cl, packet.cl, slots.cl, atomics.cl; PARTS, RANGE, even, PARTS * RANGE >= TABLE;
 * count_tiles.cl comes behind. */
#define FULL     0x8000u
#define LONG_RUN (FULL / GROUP_SIZE)

typedef struct {
    uint slot; /* TABLE: none yet */
    uint length;
} run;

#define TABLE_PARAMETERS , run *now, __local uint *counters, uint part_begin, __global uint *table
#define TABLE_ARGUMENTS , now, counters, part_begin, table

static inline void end_run(run *now, __local uint *counters, uint part_begin, __global uint *table)
{
    const uint own = now->slot - part_begin; /* of a part before this one: larger than any */
    if (own >= RANGE || now->slot == TABLE)
        return;
    if (now->length >= LONG_RUN) {
        (void)atomic_add(table + now->slot, now->length);
        return;
    }
    const uint shift = own % 2 * 16;
    const uint before = atomic_add(counters + own / 2, now->length << shift) >> shift & 0xffff;
    if (before + now->length >= FULL) {
        const uint all = atomic_and(counters + own / 2, ~(0xffffu << shift)) >> shift & 0xffff;
        (void)atomic_add(table + now->slot, all);
    }
}

static inline void count(uint slot, uint k, WORD amount TABLE_PARAMETERS)
{
    if (slot != now->slot) {
        end_run(now, counters, part_begin, table);
        now->slot = slot;
        now->length = 0;
    }
    now->length++;
}
DECLARE_COUNT_TILES

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
histogram_large(const __global ELEMENT *in, ulong in_offset, ulong n, __global uint *table INPUT_PARAMETERS)
{
    __local uint counters[RANGE / 2];
    run current = {TABLE, 0};
    run *now = &current;
    const uint lid = (uint)get_local_id(0);
    const uint part_begin = (uint)get_group_id(0) % PARTS * RANGE;
    for (uint i = lid; i < RANGE / 2; i += GROUP_SIZE)
        counters[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* all counters are 0 */
    count_share((uint)get_group_id(0) / PARTS, (uint)get_num_groups(0) / PARTS,
                in + in_offset, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
    end_run(now, counters, part_begin, table);
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    for (uint own = lid; own < RANGE; own += GROUP_SIZE) {
        const uint sum = counters[own / 2] >> own % 2 * 16 & 0xffff;
        if (sum != 0)
            (void)atomic_add(table + part_begin + own, sum);
    }
}

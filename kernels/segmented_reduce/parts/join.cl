// SPDX-License-Identifier: MIT
/* join.cl: the group that ends last computes the results of segments that have elements in several groups, from the
 * records that all groups leave.
 *
 * `memory` has a word that counts the groups; one word per group that says which ends of segments its share has; the
 * groups' carries; and the folds that come before their first ends.
 * Parameters: the operator's prelude; GROUP_SIZE. */
#include "common/words.cl"
#include "common/device_scope.cl"
#include "common/last_group.cl"
#include "common/long_sum.cl"
#include "segmented_reduce/parts/segments.cl"
#include "segmented_reduce/parts/carry.cl"
#include "segmented_reduce/parts/left_values.cl"

/* Values of `segment` that are no segment's number. */
#define NO_END      0xffffffffu /* no segment ends among the group's items */
#define NOT_DIVIDED 0xfffffffeu /* there are ends, and the segment of the first one began in this group */

/* The record of a group. */
typedef struct {
    uint segment; /* the segment that began in an earlier group and ends in this one */
    VALUE first;  /* the fold of its elements in this group */
    VALUE carry;  /* the fold of the elements after the group's last end */
} group_record;

/* All work-items call this. `own` is that of work-item 0. zero: 0, but the compiler does not know it. */
ALWAYS_INLINE void join(const segments_of *all, __global uchar *memory, group_record own, uint zero,
                        __local clprim__carry_memory *places, __local uint *is_last)
{
    const uint lid = (uint)get_local_id(0);
    const uint group = (uint)get_group_id(0);
    const uint groups = (uint)get_num_groups(0);
    volatile __global uint *const counter = (volatile __global uint *)memory;
    volatile __global uint *const ends = counter + 1;
    LEFT const carries = ends + groups;
    LEFT const firsts = carries + groups * (ulong)VALUE_WORDS;
    bool never = false;
    if (lid == 0) {
        const uint before = atomic_xchg(ends + group, own.segment) | left_store(carries, group, own.carry);
        never = ((before | left_store(firsts, group, own.first)) & zero) != 0;
    }
    const uint joined = is_last_group(counter, never, is_last) ? groups : 0;
    long_sum sum = long_begin(IDENTITY);
    for (uint begin = 0; begin < joined; begin += GROUP_SIZE) {
        const uint g = begin + lid;
        uint segment = NO_END;
        VALUE first = IDENTITY;
        carried mine = carried_nothing();
        if (g < groups) { /* all loads are in flight at once */
            segment = device_load(ends + g);
            mine.x = left_load(carries, g);
            first = left_load(firsts, g);
            mine.ended = segment != NO_END;
        }
        carried total;
        const carried earlier = {long_value(sum), 0};
        const carried before = carried_then(earlier, clprim__carry_exclusive(mine, &total, places));
        if (segment < NOT_DIVIDED)
            all->out[segment] = segment_output(all, segment, COMBINE(before.x, first));
        sum = long_then(sum, total.x);
        if (total.ended)
            sum = long_begin(total.x);
        barrier(CLK_LOCAL_MEM_FENCE); /* all are done with `places` */
    }
}

/* last_group.cl: which group of a kernel ends last. It can go on with what all groups have left.
 *
 *     (1) each work-item leaves what it has by atomics that return a value, and makes of these values a condition
 *         `never`: one that never holds, which the compiler cannot know;
 *     (2) if (is_last_group(counter, never, &is_last)) ... the whole group takes what is there, by atomics ...
 *
 * counter: a word of memory that only this kernel uses, 0 before the first launch and after each.
 *
 * Why the last group finds all of it, also on a device that promises no more than OpenCL C 1.2, which has no order
 * between atomics on different words: an atomic that has returned a value has been done, in the one place where all
 * groups' atomics on that word are done. No work-item passes the barrier before it has `never`, and so the values; and
 * how much the counter grows by depends on the group's `never`. So all that a group leaves has been done when the
 * counter is. What takes it are atomics that store, behind a branch on what the counter returned: these are not done
 * ahead of it. On devices with a fence of device scope there is one on both sides, too: then their memory model says
 * the same. Nobody waits for anybody. Ordinary stores are not ordered by this.
 *
 * Source: NVIDIA's threadFenceReduction sample. Parameters: those of device_scope.cl. */
#include "common/kernel.h"
#include "common/device_scope.cl"

ALWAYS_INLINE bool is_last_group(volatile __global uint *counter, bool never, __local uint *is_last)
{
    if (get_local_id(0) == 0)
        *is_last = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* it is 0 */
    if (never)
        *is_last = 1;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* all of the group's atomics have returned */
    if (get_local_id(0) == 0) {
        device_fence();
        *is_last = atomic_add(counter, 1 + *is_last) == get_num_groups(0) - 1;
        if (*is_last)
            (void)atomic_xchg(counter, 0u); /* for the next launch, which cannot begin before this one ends */
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* is_last */
    if (*is_last)
        device_fence();
    return *is_last;
}

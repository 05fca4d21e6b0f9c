// SPDX-License-Identifier: MIT
/* last_group.cl: finds the group of a kernel that ends last. It can continue with the results of all groups.
 *
 *     (1) each work-item writes its results by atomics that return a value, and computes from these values a condition
 *         `never`, which is always false, but the compiler cannot know this;
 *     (2) if (is_last_group(counter, never, &is_last)) ... the whole group reads all results, by atomics ...
 *
 * counter: a word of memory that only this kernel uses, 0 before the first launch and after each.
 *
 * Why does the last group find all results, even on a device that guarantees only OpenCL C 1.2, which does not order
 * atomics on different words? An atomic that has returned a value has been performed, in the one place where all
 * groups' atomics on that word are performed. No work-item passes the barrier before it has `never`, and so the values.
 * The increment of the counter depends on the group's `never`. So all atomics of a group have been performed before the
 * counter's. The results are read by atomics that also store, after a branch on the value of the counter: devices do
 * not perform these speculatively. On devices with a fence of device scope, there is one on both sides, too, so that
 * their memory model guarantees the same. No group waits for another one. Ordinary stores are not ordered by this.
 *
 * Source: NVIDIA's threadFenceReduction sample.
 * Parameters: those of device_scope.cl. */
#include "common/kernel.h"
#include "common/device_scope.cl"

ALWAYS_INLINE bool is_last_group(volatile __global uint *counter, bool never, __local uint *is_last)
{
    if (get_local_id(0) == 0)
        *is_last = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until it is 0 */
    if (never)
        *is_last = 1;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* all of the group's atomics have returned */
    if (get_local_id(0) == 0) {
        device_fence();
        *is_last = atomic_add(counter, 1 + *is_last) == get_num_groups(0) - 1;
        if (*is_last)
            (void)atomic_xchg(counter, 0u); /* for the next launch, which cannot begin before this one ends */
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for is_last */
    if (*is_last)
        device_fence();
    return *is_last;
}

// SPDX-License-Identifier: MIT
/* running_sums.cl: replace the counters of a channel by their running sums.
 *
 *     CLPRIM_WORK_GROUP_SCAN(clprim__running, NUMBER, a + b, 0, GROUP_SIZE)
 *     RUNNING_SUMS(NUMBER, counters, memory)      in a kernel: for BINS counters
 *
 * A work-item has SHARE neighbouring counters at a time, and loads all of them before it adds the first one. memory: a
 * clprim__running_memory. All work-items of the group take part, and a barrier must precede it.
 * Parameters: BINS; BINS_ARE_FIXED, whether BINS is a constant; GROUP_SIZE. */
#include "common/kernel.h"
#include "common/subgroup.cl"
#include "clprim/device/work_group_scan.h"
#if !defined(BINS) || !defined(BINS_ARE_FIXED) || !defined(GROUP_SIZE)
#error "BINS, BINS_ARE_FIXED and GROUP_SIZE must be given"
#endif
#if BINS_ARE_FIXED
#define SHARE (BINS < 16 * GROUP_SIZE ? (BINS + GROUP_SIZE - 1) / GROUP_SIZE : 16)
#else
#define SHARE 16
#endif

#define RUNNING_SUMS(NUMBER, counters, memory)                                                                         \
    NUMBER before_ = 0; /* sum of all counters that are done */                                                        \
    for (uint first_ = 0; first_ < BINS; first_ += GROUP_SIZE * SHARE) {                                               \
        const uint begin_ = first_ + (uint)get_local_id(0) * SHARE;                                                    \
        NUMBER own_[SHARE];                                                                                            \
        NUMBER total_;                                                                                                 \
        for (uint k_ = 0; k_ < SHARE; k_++)                                                                            \
            own_[k_] = begin_ + k_ < BINS ? (counters)[begin_ + k_] : 0;                                               \
        clprim__running_inclusive_items(own_, SHARE, &total_, &(memory));                                              \
        for (uint k_ = 0; k_ < SHARE; k_++)                                                                            \
            if (begin_ + k_ < BINS)                                                                                    \
                (counters)[begin_ + k_] = before_ + own_[k_];                                                          \
        before_ += total_;                                                                                             \
        barrier(CLK_LOCAL_MEM_FENCE); /* the memory may be used again */                                               \
    }

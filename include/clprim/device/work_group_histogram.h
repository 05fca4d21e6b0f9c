// SPDX-License-Identifier: MIT
/* clprim/device/work_group_histogram.h: count in local memory. OpenCL C 1.2. See base.h for what the macros take, and
 * docs/guides/device_functions.md for examples.
 *
 * BINS is the number of counters, a constant. COPIES is how many tables of them there are, a constant from 1 on.
 * Work-items with neighbouring numbers count in different tables. Atomics on the same word wait for one another, so more
 * copies are faster if a few bins have most of the elements, and take more local memory: BINS * COPIES uints.
 *
 *     CLPRIM_WORK_GROUP_HISTOGRAM(NAME, BINS, COPIES, SIZE)
 *         NAME_memory                       a type. The kernel declares one in local memory:
 *                                           __local NAME_memory memory;
 *         NAME_clear(&memory)               all counters become 0; all work-items call it
 *         NAME_add(bin, count, &memory)     add `count` to the counter of `bin`, which is less than BINS. Any
 *                                           work-items may call it, any number of times
 *         NAME_count(bin, &memory)          what has been added to the counter of `bin`
 *         NAME_add_to(counters, &memory)    add all counts to counters[0 .. BINS), uints in global memory, by
 *                                           atomics; all work-items call it
 *         NAME_store_to(counters, &memory)  counters[0 .. BINS) = the counts; all work-items call it
 *         NAME_histogram(bins, count, &memory)   clear, and add 1 for each of bins[0 .. count) (uints) of all
 *                                           work-items, with two barriers; `count` is a constant. Then NAME_count
 *                                           and the functions below it give the histogram
 *
 * The others have no barriers. There must be one between the clearing and the adding, and between the adding and what
 * reads the counts. Counts are modulo 2^32. */
#ifndef CLPRIM_DEVICE_WORK_GROUP_HISTOGRAM_H
#define CLPRIM_DEVICE_WORK_GROUP_HISTOGRAM_H

#include <clprim/device/base.h>

/* The copies of a counter are adjacent, so that lanes that count in the same bin access different banks. */
#define CLPRIM_WORK_GROUP_HISTOGRAM(NAME, BINS, COPIES, SIZE)                                                          \
    typedef struct NAME##_memory {                                                                                     \
        uint counts[(BINS) * (COPIES)];                                                                                \
    } NAME##_memory;                                                                                                   \
    CLPRIM__INLINE void NAME##_clear(CLPRIM_PARAMETERS __local NAME##_memory *memory)                                  \
    {                                                                                                                  \
        for (uint i = (uint)get_local_id(0); i < (BINS) * (COPIES); i += (SIZE))                                       \
            memory->counts[i] = 0;                                                                                     \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_add(CLPRIM_PARAMETERS uint bin, uint count, __local NAME##_memory *memory)              \
    {                                                                                                                  \
        (void)atomic_add(memory->counts + bin * (COPIES) + (uint)get_local_id(0) % (COPIES), count);                   \
    }                                                                                                                  \
    CLPRIM__INLINE uint NAME##_count(CLPRIM_PARAMETERS uint bin, const __local NAME##_memory *memory)                  \
    {                                                                                                                  \
        uint count = 0;                                                                                                \
        for (uint c = 0; c < (COPIES); c++) /* neighbours begin with different copies: without bank conflicts */       \
            count += memory->counts[bin * (COPIES) + (c + bin) % (COPIES)];                                            \
        return count;                                                                                                  \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_add_to(CLPRIM_PARAMETERS volatile __global uint *counters,                              \
                                      const __local NAME##_memory *memory)                                             \
    {                                                                                                                  \
        for (uint bin = (uint)get_local_id(0); bin < (BINS); bin += (SIZE)) {                                          \
            const uint count = NAME##_count(CLPRIM_PASSED bin, memory);                                                \
            if (count != 0)                                                                                            \
                (void)atomic_add(counters + bin, count);                                                               \
        }                                                                                                              \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_store_to(CLPRIM_PARAMETERS __global uint *counters,                                     \
                                        const __local NAME##_memory *memory)                                           \
    {                                                                                                                  \
        for (uint bin = (uint)get_local_id(0); bin < (BINS); bin += (SIZE))                                            \
            counters[bin] = NAME##_count(CLPRIM_PASSED bin, memory);                                                   \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_histogram(CLPRIM_PARAMETERS const __private uint *bins, uint count,                     \
                                         __local NAME##_memory *memory)                                                \
    {                                                                                                                  \
        NAME##_clear(CLPRIM_PASSED memory);                                                                            \
        barrier(CLK_LOCAL_MEM_FENCE); /* the counters are 0 */                                                         \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < count; k++)                                                                               \
            NAME##_add(CLPRIM_PASSED bins[k], 1, memory);                                                              \
        barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */                                                             \
    }

#endif

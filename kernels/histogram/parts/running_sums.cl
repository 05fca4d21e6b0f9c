/* running_sums.cl: counters of a channel become sums of those up to them.
 *
 * DECLARE_RUNNING_SUMS(SPACE, NUMBER) declares running_sums(counters, bins, sums) for BINS counters in that space; a
 * work-item has SHARE neighbouring ones at a time, which are all loaded before the first is added. sums: a NUMBER for
 * each work-item. All work-items of the group take part, and there must be a barrier before.
 * Parameters: BINS; BINS_ARE_FIXED, whether they are known when this is compiled; GROUP_SIZE. */
#include "common/kernel.h"
#if !defined(BINS) || !defined(BINS_ARE_FIXED) || !defined(GROUP_SIZE)
#error "BINS, BINS_ARE_FIXED and GROUP_SIZE must be given"
#endif
#if BINS_ARE_FIXED
#define SHARE (BINS < 16 * GROUP_SIZE ? (BINS + GROUP_SIZE - 1) / GROUP_SIZE : 16)
#else
#define SHARE 16
#endif

#define DECLARE_RUNNING_SUMS(SPACE, NUMBER)                                                                            \
    ALWAYS_INLINE void running_sums(SPACE NUMBER *counters, uint bins, __local NUMBER *sums)                           \
    {                                                                                                                  \
        const uint lid = (uint)get_local_id(0);                                                                        \
        NUMBER before = 0; /* of all counters that are done */                                                         \
        for (uint first = 0; first < bins; first += GROUP_SIZE * SHARE) {                                              \
            const uint begin = first + lid * SHARE;                                                                    \
            NUMBER own[SHARE];                                                                                         \
            for (uint k = 0; k < SHARE; k++)                                                                           \
                own[k] = begin + k < bins ? counters[begin + k] : 0;                                                   \
            for (uint k = 1; k < SHARE; k++)                                                                           \
                own[k] += own[k - 1];                                                                                  \
            sums[lid] = own[SHARE - 1];                                                                                \
            for (uint distance = 1; distance < GROUP_SIZE; distance *= 2) {                                            \
                barrier(CLK_LOCAL_MEM_FENCE); /* the sums so far */                                                    \
                const NUMBER left = lid >= distance ? sums[lid - distance] : 0;                                        \
                barrier(CLK_LOCAL_MEM_FENCE); /* all have read */                                                      \
                sums[lid] += left;                                                                                     \
            }                                                                                                          \
            barrier(CLK_LOCAL_MEM_FENCE); /* the sums */                                                               \
            const NUMBER left = before + (lid > 0 ? sums[lid - 1] : 0);                                                \
            for (uint k = 0; k < SHARE; k++)                                                                           \
                if (begin + k < bins)                                                                                  \
                    counters[begin + k] = left + own[k];                                                               \
            before += sums[GROUP_SIZE - 1];                                                                            \
            barrier(CLK_LOCAL_MEM_FENCE); /* the sums may be replaced */                                               \
        }                                                                                                              \
    }

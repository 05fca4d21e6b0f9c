/* running_sums.cl: counters of a channel become sums of those up to them.
 *
 * DECLARE_RUNNING_SUMS(SPACE, NUMBER) declares running_sums(counters, sums) for BINS counters in that space; a work-item has
 * up to SHARE neighbouring ones at a time. sums: a NUMBER for each work-item. All work-items of the group take part, and
 * there must be a barrier before.
 * Parameters: BINS; GROUP_SIZE. */
#if !defined(BINS) || !defined(GROUP_SIZE)
#error "BINS and GROUP_SIZE must be given"
#endif
#define SHARE min(16u, (uint)((BINS + GROUP_SIZE - 1) / GROUP_SIZE))

#define DECLARE_RUNNING_SUMS(SPACE, NUMBER)                                                                            \
    static inline __attribute__((always_inline)) void running_sums(SPACE NUMBER *counters, __local NUMBER *sums)       \
    {                                                                                                                  \
        const uint lid = (uint)get_local_id(0);                                                                        \
        NUMBER before = 0; /* of all counters that are done */                                                         \
        for (uint first = 0; first < BINS; first += GROUP_SIZE * SHARE) {                                              \
            const uint begin = min(first + lid * SHARE, (uint)BINS);                                                   \
            const uint end = min(begin + SHARE, (uint)BINS);                                                           \
            NUMBER own = 0;                                                                                            \
            for (uint b = begin; b < end; b++)                                                                         \
                own += counters[b];                                                                                    \
            sums[lid] = own;                                                                                           \
            for (uint distance = 1; distance < GROUP_SIZE; distance *= 2) {                                            \
                barrier(CLK_LOCAL_MEM_FENCE); /* the sums so far */                                                    \
                const NUMBER left = lid >= distance ? sums[lid - distance] : 0;                                        \
                barrier(CLK_LOCAL_MEM_FENCE); /* all have read */                                                      \
                sums[lid] += left;                                                                                     \
            }                                                                                                          \
            barrier(CLK_LOCAL_MEM_FENCE); /* the sums */                                                               \
            NUMBER sum = before + (lid > 0 ? sums[lid - 1] : 0);                                                       \
            for (uint b = begin; b < end; b++) {                                                                       \
                sum += counters[b];                                                                                    \
                counters[b] = sum;                                                                                     \
            }                                                                                                          \
            before += sums[GROUP_SIZE - 1];                                                                            \
            barrier(CLK_LOCAL_MEM_FENCE); /* the sums may be replaced */                                               \
        }                                                                                                              \
    }

/* ticket.cl: numbers for work-groups, in the order in which they start: who has a number knows that all smaller ones
 * have been started. Where groups are known to start in the order of their numbers it is these, and so where a group
 * expects nothing of others (FALLBACK with LOOKS 0, see look_back.cl).
 *
 * Parameters: GROUPS_IN_ORDER; FALLBACK. *ticket is 0 before the launch and after it; each of `groups` groups takes one
 * number. */
#include "common/kernel.h"
#if !defined(GROUPS_IN_ORDER) || !defined(FALLBACK)
#error "GROUPS_IN_ORDER and FALLBACK must be given"
#endif
#if GROUPS_IN_ORDER || (FALLBACK && defined(LOOKS) && LOOKS == 0)
#define TICKETS_ARE_INDICES 1
#else
#define TICKETS_ARE_INDICES 0
#endif

/* All work-items of the group call it. */
ALWAYS_INLINE uint group_ticket(volatile __global uint *ticket, uint groups, __local uint *shared)
{
#if TICKETS_ARE_INDICES
    return (uint)get_group_id(0);
#else
    if (get_local_id(0) == 0) {
        const uint mine = atomic_inc(ticket);
        if (mine == groups - 1)
            (void)atomic_xchg(ticket, 0u); /* for the next launch, which cannot begin before this one ends */
        *shared = mine;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the ticket */
    return *shared;
#endif
}

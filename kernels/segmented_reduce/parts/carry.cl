/* carry.cl: what a work-item or a work-group passes on to the next one: the fold behind its last end of a segment, and
 * whether it has such an end. Carries are combined in the order of the elements.
 *
 * Parameters: VALUE, COMBINE, IDENTITY; GROUP_SIZE. */
#include "common/kernel.h"
#include "common/subgroup.cl"
#include "common/subgroup_values.cl"

#if !defined(VALUE) || !defined(COMBINE) || !defined(IDENTITY) || !defined(GROUP_SIZE)
#error "VALUE, COMBINE, IDENTITY and GROUP_SIZE must be given"
#endif

typedef struct {
    VALUE x;
    uint ended;
} carried;

/* The local memory of group_carry. */
#if defined(SUBGROUP_SHUFFLE) && SUB_GROUP_MEANS == 1
#define CARRY_PLACES (GROUP_SIZE / 32)
#else
#define CARRY_PLACES GROUP_SIZE
#endif
typedef struct {
    VALUE values[CARRY_PLACES];
    uint ended[CARRY_PLACES];
} carry_places;

static inline carried carried_nothing(void)
{
    const carried a = {IDENTITY, 0};
    return a;
}

/* The carry of a followed by b. */
static inline carried carried_then(carried a, carried b)
{
    carried c;
    c.x = COMBINE(a.x, b.x);
    if (b.ended)
        c.x = b.x;
    c.ended = a.ended | b.ended;
    return c;
}

/* The carry of all work-items before one's own; *total is the carry of all work-items. There must be a barrier between
 * two calls. */
#ifdef SUBGROUP_SHUFFLE
ALWAYS_INLINE carried group_carry(carried mine, carried *total, __local carry_places *places)
{
    const uint lane = subgroup_lane();
    const uint groups = GROUP_SIZE / subgroup_width();
    carried left;
#pragma unroll
    for (uint distance = 1; distance < subgroup_width(); distance *= 2) { /* Hillis and Steele 1986 */
        left.x = subgroup_value_up(mine.x, distance);
        left.ended = subgroup_shuffle_up(mine.ended, distance);
        if (lane >= distance)
            mine = carried_then(left, mine);
    }
    left.x = subgroup_value_up(mine.x, 1);
    left.ended = subgroup_shuffle_up(mine.ended, 1);
    if (lane == 0)
        left = carried_nothing();
    if (lane == subgroup_width() - 1) {
        places->values[subgroup_index()] = mine.x;
        places->ended[subgroup_index()] = mine.ended;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* each sub-group needs what the others wrote */
    carried before = carried_nothing();
    *total = carried_nothing();
    for (uint g = 0; g < groups; g++) {
        const carried theirs = {places->values[g], places->ended[g]};
        if (g == subgroup_index())
            before = *total;
        *total = carried_then(*total, theirs);
    }
    return carried_then(before, left);
}
#else
ALWAYS_INLINE carried group_carry(carried mine, carried *total, __local carry_places *places)
{
    const uint lid = (uint)get_local_id(0);
    places->values[lid] = mine.x;
    places->ended[lid] = mine.ended;
    barrier(CLK_LOCAL_MEM_FENCE); /* all of them are there */
    for (uint distance = 1; distance < GROUP_SIZE; distance *= 2) {
        if (lid >= distance) {
            const carried theirs = {places->values[lid - distance], places->ended[lid - distance]};
            mine = carried_then(theirs, mine);
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read before any writes */
        places->values[lid] = mine.x;
        places->ended[lid] = mine.ended;
        barrier(CLK_LOCAL_MEM_FENCE); /* and all have written before any reads */
    }
    carried before = carried_nothing();
    if (lid > 0) {
        before.x = places->values[lid - 1];
        before.ended = places->ended[lid - 1];
    }
    total->x = places->values[GROUP_SIZE - 1];
    total->ended = places->ended[GROUP_SIZE - 1];
    return before;
}
#endif

// SPDX-License-Identifier: MIT
/* carry.cl: what a work-item or a work-group passes on to the next one: the fold of the elements after its last end of
 * a segment, and whether it has such an end. Carries are combined in the order of the elements.
 *
 * Parameters: VALUE, VALUE_SIZE, COMBINE, IDENTITY; GROUP_SIZE. */
#include "common/kernel.h"
#include "common/subgroup.cl"
#include "clprim/device/work_group_scan.h"

#if !defined(VALUE) || !defined(VALUE_SIZE) || !defined(COMBINE) || !defined(IDENTITY) || !defined(GROUP_SIZE)
#error "VALUE, VALUE_SIZE, COMBINE, IDENTITY and GROUP_SIZE must be given"
#endif

/* As large as a value's alignment may be: NVIDIA's compiler keeps structs with padding in global memory. */
#if VALUE_SIZE % 8 == 0
typedef ulong carried_end;
#elif VALUE_SIZE % 4 == 0
typedef uint carried_end;
#elif VALUE_SIZE % 2 == 0
typedef ushort carried_end;
#else
typedef uchar carried_end;
#endif

typedef struct {
    VALUE x;
    carried_end ended;
} carried;

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

/* The carries of all work-items before one's own. */
CLPRIM_WORK_GROUP_SCAN(clprim__carry, carried, carried_then(a, b), carried_nothing(), GROUP_SIZE)

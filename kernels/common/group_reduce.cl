// SPDX-License-Identifier: MIT
/* group_reduce.cl: clprim/device/work_group_reduce.h for one VALUE per work-item: clprim__group_reduce(x, &memory), and
 * clprim__group_reduce_to_first, whose result is valid only in work-item 0.
 *
 * Parameters: VALUE, COMBINE, GROUP_SIZE. */
#include "common/subgroup.cl"
#include "clprim/device/work_group_reduce.h"

#if !defined(VALUE) || !defined(COMBINE)
#error "VALUE and COMBINE must be given"
#endif

CLPRIM_WORK_GROUP_REDUCE(clprim__group, VALUE, COMBINE(a, b), GROUP_SIZE)

// SPDX-License-Identifier: MIT
/* subgroup_values.cl: sub-group functions over VALUEs, if SUBGROUP_SHUFFLE is defined.
 *
 *   clprim__value_shuffle(x, lane), ...    as in clprim/device/sub_group.h
 *   subgroup_reduce_reversed(x)            the fold of all lanes in reverse order, the last one first; valid in lane 0
 *
 * Parameters: VALUE, COMBINE; REDUX, the operator's name in PTX, if it is one that hardware can fold over a warp at
 * once; CLPRIM_REDUX, whether this hardware can (sm_80 and later). */
#include "common/subgroup.cl"

#if !defined(VALUE) || !defined(COMBINE)
#error "VALUE and COMBINE must be given"
#endif

#ifdef SUBGROUP_SHUFFLE
CLPRIM_SUB_GROUP(clprim__value, VALUE)

static inline VALUE subgroup_reduce_reversed(VALUE x)
{
#if CLPRIM_SUB_GROUP_MEANS == 1 && CLPRIM_REDUX && defined(REDUX)
    uint folded;
    asm volatile("redux.sync." REDUX " %0, %1, 0xffffffff;" : "=r"(folded) : "r"((uint)x));
    return (VALUE)folded;
#else
#pragma unroll
    for (uint distance = 1; distance < clprim_sub_group_size(); distance *= 2)
        x = COMBINE(clprim__value_shuffle_down(x, distance), x);
    return x;
#endif
}
#endif

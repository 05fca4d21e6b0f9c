/* subgroup_values.cl: sub-group functions over VALUEs, in the order of the lanes. Where SUBGROUP_SHUFFLE is defined.
 *
 *   clprim__value_shuffle(x, lane), _broadcast, _shuffle_up, _shuffle_down      as in clprim/device/sub_group.h
 *   clprim__value_inclusive(x)                                                  the fold of lanes 0 to one's own
 *   subgroup_reduce(x), subgroup_reduce_reversed(x)                             the fold of all lanes; valid in lane 0
 *
 * Parameters: VALUE, COMBINE. REDUX, the name of the operator in PTX, where it is one that the hardware folds over a
 * warp at once; CLPRIM_REDUX, whether this hardware does (sm_80 and later). */
#include "common/subgroup.cl"

#if !defined(VALUE) || !defined(COMBINE)
#error "VALUE and COMBINE must be given"
#endif

#ifdef SUBGROUP_SHUFFLE
CLPRIM__DEFINE_COMBINE(clprim__value, VALUE, COMBINE(a, b))
CLPRIM__DEFINE_WORDS(clprim__value, VALUE)
CLPRIM__DEFINE_IS_SUM(clprim__value, VALUE, COMBINE(a, b))
CLPRIM__DEFINE_OTHER_MOVES(clprim__value, VALUE)
CLPRIM__DEFINE_FOLD(clprim__value, clprim__value, VALUE, GROUP_SIZE)
CLPRIM__DEFINE_INCLUSIVE(clprim__value, clprim__value, VALUE, GROUP_SIZE)

#if CLPRIM_SUB_GROUP_MEANS == 1 && CLPRIM_REDUX && defined(REDUX)
#define SUBGROUP_REDUX 1
/* The fold of all lanes, in all lanes. */
static inline VALUE subgroup_redux(VALUE x)
{
    uint folded;
    asm volatile("redux.sync." REDUX " %0, %1, 0xffffffff;" : "=r"(folded) : "r"((uint)x));
    return (VALUE)folded;
}
#endif

static inline VALUE subgroup_reduce(VALUE x)
{
#ifdef SUBGROUP_REDUX
    return subgroup_redux(x);
#else
    return clprim__value_fold(x);
#endif
}

/* With the lanes in reverse order, the last one first. */
static inline VALUE subgroup_reduce_reversed(VALUE x)
{
#ifdef SUBGROUP_REDUX
    return subgroup_redux(x);
#else
#pragma unroll
    for (uint distance = 1; distance < clprim_sub_group_size(); distance *= 2)
        x = COMBINE(clprim__value_shuffle_down(x, distance), x);
    return x;
#endif
}
#endif

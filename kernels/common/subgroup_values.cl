/* subgroup_values.cl: sub-group functions over VALUEs, in the order of the lanes. Where SUBGROUP_SHUFFLE is defined.
 *
 * Parameters: VALUE, COMBINE. REDUX, the name of the operator in PTX, where it is
 * one that the hardware folds over a warp at once; HAS_REDUX, whether this hardware does (sm_80 and later). */
#include "common/subgroup.cl"
#include "common/words.cl"

#ifdef SUBGROUP_SHUFFLE
#ifdef SUBGROUP_GATHER
static inline VALUE subgroup_value_of(VALUE x, uint lane)
{
    value_words mine = {{0}};
    value_words theirs;
    mine.value = x;
#pragma unroll
    for (uint w = 0; w < VALUE_WORDS; w++)
        theirs.words[w] = subgroup_shuffle(mine.words[w], lane);
    return theirs.value;
}
#endif

/* Of the same lane in all lanes. */
static inline VALUE subgroup_value_broadcast(VALUE x, uint lane)
{
    value_words mine = {{0}};
    value_words theirs;
    mine.value = x;
#pragma unroll
    for (uint w = 0; w < VALUE_WORDS; w++)
        theirs.words[w] = subgroup_broadcast(mine.words[w], lane);
    return theirs.value;
}

static inline VALUE subgroup_value_up(VALUE x, uint distance)
{
    value_words mine = {{0}};
    value_words theirs;
    mine.value = x;
#pragma unroll
    for (uint w = 0; w < VALUE_WORDS; w++)
        theirs.words[w] = subgroup_shuffle_up(mine.words[w], distance);
    return theirs.value;
}

static inline VALUE subgroup_value_down(VALUE x, uint distance)
{
    value_words mine = {{0}};
    value_words theirs;
    mine.value = x;
#pragma unroll
    for (uint w = 0; w < VALUE_WORDS; w++)
        theirs.words[w] = subgroup_shuffle_down(mine.words[w], distance);
    return theirs.value;
}

#if SUB_GROUP_MEANS == 1 && HAS_REDUX && defined(REDUX)
#define SUBGROUP_REDUX 1
/* The fold of all lanes, in all lanes. */
static inline VALUE subgroup_redux(VALUE x)
{
    uint folded;
    asm volatile("redux.sync." REDUX " %0, %1, 0xffffffff;" : "=r"(folded) : "r"((uint)x));
    return (VALUE)folded;
}
#endif

/* Valid in lane 0 alone: lane l holds the fold of ever more lanes from l on; those past the end do not reach lane 0. */
static inline VALUE subgroup_reduce(VALUE x)
{
#ifdef SUBGROUP_REDUX
    return subgroup_redux(x);
#else
#pragma unroll
    for (uint distance = 1; distance < subgroup_width(); distance *= 2)
        x = COMBINE(x, subgroup_value_down(x, distance));
    return x;
#endif
}

/* The same with the lanes in reverse order, the last one first. */
static inline VALUE subgroup_reduce_reversed(VALUE x)
{
#ifdef SUBGROUP_REDUX
    return subgroup_redux(x);
#else
#pragma unroll
    for (uint distance = 1; distance < subgroup_width(); distance *= 2)
        x = COMBINE(subgroup_value_down(x, distance), x);
    return x;
#endif
}

/* The fold of lanes 0 to one's own. Source: Hillis and Steele 1986. */
static inline VALUE subgroup_scan(VALUE x)
{
#pragma unroll
    for (uint distance = 1; distance < subgroup_width(); distance *= 2) {
        const VALUE theirs = subgroup_value_up(x, distance);
        if (subgroup_lane() >= distance)
            x = COMBINE(theirs, x);
    }
    return x;
}
#endif

// SPDX-License-Identifier: MIT
/* lanes.cl: searches by the lanes of a sub-group together, each of which tries a different place. Without sub-groups,
 * or if BY_LANES is 0, each work-item searches alone.
 *
 *   LANES, LANE             how many work-items search together, and this one's number among them
 *   SEARCHERS, SEARCHER     how many searches a work-group makes at once, and the number of this work-item's search
 *   votes_of(vote)          for how many lanes it is true; all of them call it
 *   LANES_NARROW(INDEX, low, high, tried, holds)
 *                           narrows low .. high until both are the least value for which `holds`, an expression over
 *                           `tried`, is false, or `high` if it never is. `holds` is evaluated only for values below
 *                           `high`. All lanes have the same two variables
 *   LANES_TOGETHER          1: lanes are those of a sub-group; 0: each work-item is alone
 *   NARROW_BY(INDEX, many, own, votes, low, high, tried, holds)
 *                           LANES_NARROW for other searchers than lanes: their number, this one's number, and a macro
 *                           votes(vote) like votes_of
 *
 * Parameters: BY_LANES. Default: 1. */
#include "common/subgroup.cl"

#ifndef BY_LANES
#define BY_LANES 1
#endif

#if BY_LANES && defined(SUBGROUP_SHUFFLE)
#define LANES_TOGETHER 1
#define LANES          clprim_sub_group_size()
#define LANE           clprim_sub_group_lane()
#define SEARCHER       clprim_sub_group_index()
static inline uint votes_of(bool vote)
{
    return clprim_sub_group_votes(vote);
}
#else
#define LANES_TOGETHER 0
#define LANES          1u
#define LANE           0u
#define SEARCHER       ((uint)get_local_id(0))
static inline uint votes_of(bool vote)
{
    return vote;
}
#endif

/* Compares distances, not places: a place beyond `high` may overflow INDEX. */
#define NARROW_BY(INDEX, many, own, votes, low, high, tried, holds)                                                    \
    while ((low) < (high)) {                                                                                           \
        const INDEX step_ = ((high) - (low)) / ((many) + 1) + 1; /* one more step would be beyond `high` */            \
        const INDEX ahead_ = ((own) + 1) * step_ - 1;                                                                  \
        const INDEX tried = (low) + ahead_;                                                                            \
        const uint votes_ = votes(ahead_ < (high) - (low) && (holds));                                                 \
        (low) += votes_ * step_;                                                                                       \
        (high) = (low) + min((high) - (low), step_ - 1);                                                               \
    }
#define LANES_VOTES(vote)                            votes_of(vote)
#define LANES_NARROW(INDEX, low, high, tried, holds) NARROW_BY(INDEX, LANES, LANE, LANES_VOTES, low, high, tried, holds)
#define SEARCHERS                                    max(1u, GROUP_SIZE / LANES)

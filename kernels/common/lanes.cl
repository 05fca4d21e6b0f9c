/* lanes.cl: searches that the lanes of a sub-group make together, each of which tries another place; where there are no
 * sub-groups, or BY_LANES is 0, each work-item by itself.
 *
 *   LANES, LANE             how many search together, and one's own number among them
 *   SEARCHERS, SEARCHER     how many searches a work-group makes at once, and the number of one's own
 *   votes_of(vote)          of how many of the lanes it is true; all of them ask
 *   LANES_NARROW(INDEX, low, high, tried, holds)
 *                           until both are the least of low .. high for which `holds`, an expression over `tried`, is
 *                           not true; it is looked at for those below `high` alone. All lanes have the same two
 *                           variables
 *   LANES_TOGETHER          1: lanes are those of a sub-group; 0: each work-item is alone
 *   NARROW_BY(INDEX, many, own, votes, low, high, tried, holds)
 *                           LANES_NARROW by others than lanes: so many, own number, and a macro, votes(vote), as
 *                           votes_of
 *
 * Parameters: BY_LANES, 1 where it is not given. */
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

/* Distances are compared, not places: what is beyond `high` may be more than INDEX holds. */
#define NARROW_BY(INDEX, many, own, votes, low, high, tried, holds)                                                    \
    while ((low) < (high)) {                                                                                           \
        const INDEX step_ = ((high) - (low)) / ((many) + 1) + 1; /* so that one more would be beyond */                \
        const INDEX ahead_ = ((own) + 1) * step_ - 1;                                                                  \
        const INDEX tried = (low) + ahead_;                                                                            \
        const uint votes_ = votes(ahead_ < (high) - (low) && (holds));                                                 \
        (low) += votes_ * step_;                                                                                       \
        (high) = (low) + min((high) - (low), step_ - 1);                                                               \
    }
#define LANES_VOTES(vote)                            votes_of(vote)
#define LANES_NARROW(INDEX, low, high, tried, holds) NARROW_BY(INDEX, LANES, LANE, LANES_VOTES, low, high, tried, holds)
#define SEARCHERS                                    max(1u, GROUP_SIZE / LANES)

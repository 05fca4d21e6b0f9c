/* lanes.cl: searches that the lanes of a sub-group make together, each of which tries another place; where there are no
 * sub-groups, or BY_LANES is 0, each work-item by itself.
 *
 *   LANES, LANE             how many search together, and one's own number among them
 *   SEARCHERS, SEARCHER     how many searches a work-group makes at once, and the number of one's own
 *   votes_of(vote)          of how many of the lanes it is true; all of them ask
 *   LANES_NARROW(INDEX, low, high, tried, holds)
 *                           until both are the least of low .. high for which `holds`, an expression over `tried`, is not true;
 *                           it is looked at for those below `high` alone. All lanes have the same two variables
 *
 * Parameters: BY_LANES, 1 where it is not given. */
#include "common/subgroup.cl"

#ifndef BY_LANES
#define BY_LANES 1
#endif

#if BY_LANES && (SUB_GROUPS_BY > 1 || (SUB_GROUPS_BY == 1 && GROUP_SIZE % 32 == 0))
#define LANES    subgroup_width()
#define LANE     subgroup_lane()
#define SEARCHER subgroup_index()
static inline uint votes_of(bool vote)
{
    return subgroup_votes(vote);
}
#else
#define LANES    1u
#define LANE     0u
#define SEARCHER ((uint)get_local_id(0))
static inline uint votes_of(bool vote)
{
    return vote;
}
#endif

/* Distances are compared, not places: what is beyond `high` may be more than INDEX holds. */
#define LANES_NARROW(INDEX, low, high, tried, holds)                                                                   \
    while ((low) < (high)) {                                                                                           \
        const INDEX step_ = ((high) - (low)) / (LANES + 1) + 1; /* so that one more would be beyond */                 \
        const INDEX ahead_ = (LANE + 1) * step_ - 1;                                                                   \
        const INDEX tried = (low) + ahead_;                                                                            \
        const uint votes_ = votes_of(ahead_ < (high) - (low) && (holds));                                              \
        (low) += votes_ * step_;                                                                                       \
        (high) = (low) + min((high) - (low), step_ - 1);                                                               \
    }
#define SEARCHERS max(1u, GROUP_SIZE / LANES)

/* lanes.cl: searches that the lanes of a sub-group make together, each of which tries another place; where there are no
 * sub-groups, or BY_LANES is 0, each work-item by itself.
 *
 *   LANES, LANE             how many search together, and one's own number among them
 *   SEARCHERS, SEARCHER     how many searches a work-group makes at once, and the number of one's own
 *   votes_of(vote)          of how many of the lanes it is true; all of them ask
 *
 * Parameters: subgroup.cl; BY_LANES, 1 where it is not given. */
#ifndef BY_LANES
#define BY_LANES 1
#endif

#if BY_LANES && (SUB_GROUPS_BY > 1 || (SUB_GROUPS_BY == 1 && GROUP_SIZE % 32 == 0))
#define LANES subgroup_width()
#define LANE subgroup_lane()
#define SEARCHER subgroup_index()
static inline uint votes_of(bool vote)
{
    const uint4 votes = popcount(subgroup_ballot(vote));
    return votes.x + votes.y + votes.z + votes.w;
}
#else
#define LANES 1u
#define LANE 0u
#define SEARCHER ((uint)get_local_id(0))
static inline uint votes_of(bool vote) { return vote; }
#endif
#define SEARCHERS max(1u, GROUP_SIZE / LANES)

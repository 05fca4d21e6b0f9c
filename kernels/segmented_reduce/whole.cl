/* segmented_reduce_whole: a work-group for each segment, where segments are neither short nor long on average.
 *
 * Elements are divided into ranges of 2^range_log. Segments of more than two ranges are divided where ranges begin: the
 * segment's own group folds its elements up to there, and further groups, one for each range, fold the rest. A second
 * launch, segmented_reduce_join, has a group for each range, too: it folds the parts of the long segment that begins in
 * this range. No range has the beginnings of two long segments. Without ranges (range_log 63) no segment is divided.
 *
 * parts: the folds of long segments' first parts, by the range in which they begin; then those of their other parts,
 * by the range.
 * Parameters: the operator's prelude; subgroup.cl, words.cl, subgroup_values.cl, lanes.cl, packet.cl,
 * parts/segments.cl, parts/carry.cl, parts/run.cl; GROUP_SIZE. */
#ifndef CARRY_INLINE
#error "carry.cl must come before"
#endif
#if COMMUTATIVE

#define PARTS_PARAMETERS __global uchar *memory, ulong parts_at, ulong ranges, uint range_log /* parts_at: bytes */
#define PARTS_HERE       __global VALUE *const parts = (__global VALUE *)(memory + parts_at);

typedef struct {
    uint segment; /* all.count: none */
    ulong begin, end;
} found_segment;

static inline bool is_long(found_segment at, uint range_log)
{
    return range_log < 63 && at.end > at.begin && at.end - at.begin > 2ul << range_log;
}

/* The segment with this element, if it is a long one that begins before. Each sub-group searches. */
static inline found_segment long_segment_at(const segments_of *all, ulong element, uint range_log)
{
    uint begin = 0;
    uint end = all->count;
    LANES_NARROW(uint, begin, end, tried, segment_begin(all, tried + 1) <= element)
    found_segment found = {all->count, 0, 0};
    if (begin < all->count) {
        const found_segment there = {begin, segment_begin(all, begin), segment_begin(all, begin + 1)};
        if (there.begin < element && element < there.end && is_long(there, range_log))
            found = there;
    }
    return found;
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
segmented_reduce_whole(const __global ELEMENT *in, ulong in_offset, SEGMENT_PARAMETERS, PARTS_PARAMETERS)
{
    __local carry_places places;
    PARTS_HERE
    SEGMENTS_HERE
    const ulong group = get_group_id(0);
    const bool is_own = group < all.count;
    const ulong range = is_own ? 0 : group - all.count + 1;
    found_segment at;
    if (is_own) {
        at.segment = (uint)group;
        at.begin = segment_begin(&all, at.segment);
        at.end = max(at.begin, segment_begin(&all, at.segment + 1));
    } else {
        at = long_segment_at(&all, range << range_log, range_log);
    }
    const bool is_divided = is_long(at, range_log);
    const ulong first = is_own ? at.begin : range << range_log;
    const ulong stop = is_divided ? min(at.end, ((first >> range_log) + 1) << range_log) : at.end;
    const carried mine = {at.segment < all.count ? fold_run(in + in_offset, first, stop) : IDENTITY, 0};
    carried total;
    (void)group_carry(mine, &total, &places);
    if (get_local_id(0) == 0 && at.segment < all.count) {
        if (is_divided)
            parts[is_own ? first >> range_log : ranges + range] = total.x;
        else
            all.out[at.segment] = segment_output(&all, at.segment, total.x);
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
segmented_reduce_join(SEGMENT_PARAMETERS, PARTS_PARAMETERS)
{
    __local carry_places places;
    PARTS_HERE
    SEGMENTS_HERE
    const ulong range = get_group_id(0);
    const found_segment at = long_segment_at(&all, (range + 1) << range_log, range_log);
    const bool begins_here = at.segment < all.count && at.begin >> range_log == range;
    const ulong last = begins_here ? (at.end - 1) >> range_log : 0;
    VALUE x = IDENTITY;
    if (begins_here && get_local_id(0) == 0)
        x = parts[range];
    for (ulong r = range + 1 + get_local_id(0); r <= last; r += GROUP_SIZE)
        x = COMBINE(x, parts[ranges + r]);
    const carried mine = {x, 0};
    carried total;
    (void)group_carry(mine, &total, &places);
    if (get_local_id(0) == 0 && begins_here)
        all.out[at.segment] = segment_output(&all, at.segment, total.x);
}
#endif

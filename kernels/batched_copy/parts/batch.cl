// SPDX-License-Identifier: MIT
/* batch.cl: the segments of a batched copy. Places are counted as if the segments followed one another without gaps,
 * from the first element of the first segment: segment s has the places segment_end(s - 1) to segment_end(s) - 1.
 *
 * The path is a list of all elements and all ends of segments; the end of a segment comes directly after its last
 * element. Work-groups take equal, consecutive shares of the path, so no group has too many elements or too many
 * (empty) segments. The end of segment s is item path_end(s), which increases with s.
 *
 * Even with invalid offsets and begins, nothing is read or written out of bounds: places are limited to out_count, and
 * indices are compared with in_count and out_count. Differences of OFFSETs may wrap; their sums with places are
 * correct.
 *
 * Parameters: OFFSET, an unsigned integer type; UNIT, a type of 1, 2, 4, 8 or 16 bytes, and UNIT_SIZE; UNITS per
 * element; HAS_IN_BEGINS and HAS_OUT_BEGINS, 0 if the segments follow one another in that array; GROUP_SIZE.
 * Source: merge path (Green, McColl, Bader 2012), as in merge-based sparse products (Merrill and Garland 2016). */
#if !defined(OFFSET) || !defined(UNIT) || !defined(UNIT_SIZE) || !defined(UNITS) || !defined(GROUP_SIZE)
#error "OFFSET, UNIT, UNIT_SIZE, UNITS and GROUP_SIZE must be given"
#endif
#if !defined(HAS_IN_BEGINS) || !defined(HAS_OUT_BEGINS)
#error "HAS_IN_BEGINS and HAS_OUT_BEGINS must be given"
#endif

/* Make `all`, the segments in a kernel's arguments. */
#define BATCH_HERE                                                                                                     \
    const batch all = {offsets + args.offsets_offset,                                                                  \
                       in_begins + args.in_begins_offset,                                                              \
                       out_begins + args.out_begins_offset,                                                            \
                       (uint)args.segments,                                                                            \
                       offsets[args.offsets_offset],                                                                   \
                       args.in_count,                                                                                  \
                       args.out_count};

typedef struct {
    const __global OFFSET *offsets, *in_begins, *out_begins;
    uint count;
    ulong base; /* the first offset */
    ulong in_count, out_count;
} batch;

/* The number of places before offset s, where s is at most the number of segments. */
static inline ulong places_before(const batch *all, uint s)
{
    return min((ulong)all->offsets[s] - all->base, all->out_count);
}

static inline ulong path_end(const batch *all, uint s)
{
    return places_before(all, s + 1) + s;
}

static inline ulong path_length(const batch *all)
{
    return places_before(all, all->count) + all->count;
}

/* The number of segment ends before item d; at most d, even with invalid offsets. */
static inline uint ends_before(const batch *all, ulong d)
{
    uint low = 0;
    uint high = (uint)min((ulong)all->count, d);
    while (low < high) {
        const uint tried = low + (high - low) / 2;
        if (path_end(all, tried) < d)
            low = tried + 1;
        else
            high = tried;
    }
    return low;
}

/* The numbers to add to a place of segment s to get its index in `in` and in `out`. */
static inline OFFSET in_shift(const batch *all, uint s)
{
#if HAS_IN_BEGINS
    return all->in_begins[s] - (OFFSET)places_before(all, s);
#else
    return (OFFSET)all->base;
#endif
}

static inline OFFSET out_shift(const batch *all, uint s)
{
#if HAS_OUT_BEGINS
    return all->out_begins[s] - (OFFSET)places_before(all, s);
#else
    return (OFFSET)all->base;
#endif
}

/* How many of the n elements starting at `from` have an index below `count`. */
static inline ulong limited(ulong n, ulong from, ulong count)
{
    return min(n, count - min(count, from));
}

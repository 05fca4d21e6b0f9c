/* comparison_sort_bucket: after the last level of the sample sort a group sorts a bucket, in one go. There are two kernels of
 * this kind, with tiles of different sizes, for what is smaller and for what is larger; the latter lists what is too large for
 * it, too.
 *
 * level: the last one. After an odd number of levels the elements are not yet where they shall be.
 * Parameters: register_tile.cl, tile_network.cl, sample_tables.cl; LEAST elements, for which the kernel is; LISTS 1: what is too large becomes pieces, each of 2^PIECE_LOG tiles. */
#if !defined(LISTS) || !defined(LEAST) || (LISTS && !defined(PIECE_LOG))
#error "LISTS, LEAST and PIECE_LOG must be given"
#endif

#if LISTS
#define PIECE ((uint)TILE << PIECE_LOG)
typedef uint4 piece; /* where its bucket begins, the bucket's size, the piece's place in it, is all equal? */

/* By one work-item: there are few, unless samples missed much. */
static inline void list_pieces(volatile __global uint *count, __global piece *pieces, segment s)
{
    const uint needed = s.size / PIECE + (s.size % PIECE != 0);
    const uint first = atomic_add(count, needed);
    for (uint i = 0; i < needed; i++)
        pieces[first + i] = (uint4)(s.begin, s.size, i, s.is_equal);
}
#endif

#define BUCKET_PARAMETERS                                                                                              \
    ARRAY_PARAMETERS(in), ARRAY_PARAMETERS(out), ulong n, uint level, uint buckets_log, __global uchar *scratch,        \
        ulong header_at, ulong tables_at, ulong splitters_at, ulong parents_splitters_at, uint buckets, ulong pieces_at
#define BUCKET_KINDS ((const __global uint *)(scratch + tables_at) + 2 * (size_t)buckets)

/* The splitter behind a bucket: all of the bucket comes before it. NULL where there is none. A segment's last bucket has the
 * one behind the segment, of up to two levels; a segment that was copied, too. */
static inline const __global ELEMENT *splitter_behind(const __global uchar *scratch, ulong splitters_at, ulong parents_splitters_at,
                                                      uint number, uint buckets_log, uint buckets, uint level, bool is_copied)
{
    const uint last = (1u << buckets_log) - 1;
    const uint parent = number >> buckets_log;
    if ((number & last) != last && !is_copied)
        return (const __global ELEMENT *)(scratch + splitters_at) + number;
    if (level == 2 && parent != (buckets >> buckets_log) - 1)
        return (const __global ELEMENT *)(scratch + parents_splitters_at) + parent;
    return 0;
}

#if CUSTOM && defined(ELEMENT_OF_BITS)
TILE_INLINE bool is_same(item x, item y)
{
#if VALUE_SIZE == 16
    return x.key == y.key && all(x.value == y.value);
#elif VALUE_SIZE
    return x.key == y.key && x.value == y.value;
#else
    return x == y;
#endif
}

/* A bucket fills its tile up with the splitter behind it, so that nobody has to ask which elements are there: what fills up comes
 * last. That it did is looked at, bit by bit, before anything is written; with an order that is none it may not, and then nothing
 * happens: false. */
TILE_INLINE bool sort_filled_up(local_array tile, array in, array out, uint size, ELEMENT splitter, __local uint *errors)
{
    item x[ITEMS];
    const spread across = spread_at(GROUP_LOG, false);
    tile_place whole = tile_at(0);
    item next;
    whole.is_whole = true;
    KEY_OF(next) = splitter;
#if VALUE_SIZE
    next.value = (VALUE)(0);
#endif
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        const uint place = place_of(across, i);
        x[i] = next;
        if (place < size)
            x[i] = load(in, place);
    }
    if (get_local_id(0) == 0)
        *errors = 0;
    sort_items(tile, x, whole, TILE);
    uint own = 0;
#pragma unroll
    for (uint i = 0; i < ITEMS; i++)
        own += place_of(across, i) >= size && !is_same(x[i], next);
    if (own != 0)
        (void)atomic_inc(errors);
    barrier(CLK_LOCAL_MEM_FENCE); /* the errors of all */
    const bool is_sorted = *errors == 0;
    if (is_sorted)
        tile_store(out, x, across, tile_at(0), size);
    return is_sorted;
}
#define FILLS_UP 1
#else
#define FILLS_UP 0
#endif

TILE_INLINE void sort_bucket(local_array tile, array in, array out, uint size, const __global ELEMENT *splitter, __local uint *errors)
{
    bool is_sorted = false; /* the same for all of the group */
#if FILLS_UP
    if (splitter != 0)
        is_sorted = sort_filled_up(tile, in, out, size, *splitter, errors);
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile has been read */
#endif
    if (!is_sorted)
        sort_tile(tile, in, out, tile_at(0), size);
}

SORT_KERNEL void comparison_sort_bucket(BUCKET_PARAMETERS)
{
    LOCAL_ARRAY(tile, PADDED(TILE));
    __local uint errors;
    const uint number = buckets - 1 - (uint)get_group_id(0); /* what has no splitter behind it takes longest, and begins first */
    const segment s = segment_at(level, (const __global uint *)(scratch + tables_at), buckets, number, n);
    const array from = behind(ARRAY(in), s.begin);
    const array to = behind(ARRAY(out), s.begin);
    const __global ELEMENT *splitter = 0;
    const bool in_place = level % 2 == 0 && level > 0;
    if (level > 0) {
        const bool is_copied = (BUCKET_KINDS[number >> buckets_log << buckets_log] & KIND_COPIED) != 0;
        splitter = splitter_behind(scratch, splitters_at, parents_splitters_at, number, buckets_log, buckets, level, is_copied);
    }
    if (s.size < LEAST || (in_place && (s.is_equal || s.size < 2))) /* the same for all of the group, and so is what follows */
        return;
    if (s.size <= TILE && (s.is_equal || s.size < 2)) {
        for (uint i = (uint)get_local_id(0); i < s.size; i += GROUP_SIZE)
            store(to, i, load(from, i));
        return;
    }
    if (s.size <= TILE) {
        sort_bucket(tile, from, to, s.size, splitter, &errors);
        return;
    }
#if LISTS
    if (get_local_id(0) == 0)
        list_pieces(HEADER + PIECES_OF_REST, (__global piece *)(scratch + pieces_at), s);
#endif
}

/* comparison_sort_bucket: after the last level of the sample sort a group sorts a bucket, in one go. There are two kernels of
 * this kind, with tiles of different sizes: the first for what is smaller, the second for what is larger, or left by the first; it
 * lists what is too large for it, too.
 *
 * level: the last one. After an odd number of levels the elements are not yet where they shall be.
 * Parameters: register_tile.cl, tile_network.cl, sample_tables.cl; LISTS 1: the second one, with LEAST elements of a bucket, fewer
 * are for the first one; what is too large becomes pieces, each of 2^PIECE_LOG tiles. */
#if !defined(LISTS) || (LISTS && (!defined(LEAST) || !defined(PIECE_LOG)))
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
        ulong header_at, ulong tables_at, ulong splitters_at, uint buckets, ulong pieces_at
#define BUCKET_KINDS ((volatile __global uint *)(scratch + tables_at) + 2 * (size_t)buckets)

#if !LISTS
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
 * last. That it did is looked at, bit by bit, before anything is written; with an order that is none it may not, and then, as of a
 * segment's last bucket, behind which there is no splitter, nothing happens: false. */
TILE_INLINE bool sort_filled_up(local_array tile, array in, array out, uint size, const __global ELEMENT *splitter, bool has_splitter,
                                __local uint *errors)
{
    item x[ITEMS];
    const spread across = spread_at(GROUP_LOG, false);
    tile_place whole = tile_at(0);
    if (!has_splitter) /* the same for all of the group */
        return false;
    whole.is_whole = true;
    item next;
    KEY_OF(next) = *splitter;
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
    if (*errors != 0)
        return false;
    tile_store(out, x, across, tile_at(0), size);
    return true;
}
#else
TILE_INLINE bool sort_filled_up(local_array tile, array in, array out, uint size, const __global ELEMENT *splitter, bool has_splitter,
                                __local uint *errors)
{
    sort_tile(tile, in, out, tile_at(0), size);
    return true;
}
#endif

/* Small buckets. What cannot be sorted here is left to the kernel for large ones. */
SORT_KERNEL void comparison_sort_bucket(BUCKET_PARAMETERS)
{
    LOCAL_ARRAY(tile, PADDED(TILE));
    __local uint errors;
    const uint number = (uint)get_group_id(0);
    const uint last = (1u << buckets_log) - 1;
    const segment s = segment_at(level, (const __global uint *)(scratch + tables_at), buckets, number, n);
    if (s.size < 1 || s.size > TILE) /* the same for all of the group */
        return;
    if (s.is_equal || s.size < 2) {
        for (uint i = (uint)get_local_id(0); level % 2 != 0 && i < s.size; i += GROUP_SIZE)
            store(ARRAY(out), s.begin + i, load(ARRAY(in), s.begin + i));
        return;
    }
    const bool is_copied = (BUCKET_KINDS[number & ~last] & KIND_COPIED) != 0;
    const bool has_splitter = (number & last) != last && !is_copied;
    if (!sort_filled_up(tile, behind(ARRAY(in), s.begin), behind(ARRAY(out), s.begin), s.size,
                        (const __global ELEMENT *)(scratch + splitters_at) + number, has_splitter, &errors) &&
        get_local_id(0) == 0)
        (void)atomic_or(BUCKET_KINDS + number, (uint)KIND_LEFT);
}
#else
SORT_KERNEL void comparison_sort_bucket(BUCKET_PARAMETERS)
{
    LOCAL_ARRAY(tile, PADDED(TILE));
    const uint number = (uint)get_group_id(0);
    const segment s = segment_at(level, (const __global uint *)(scratch + tables_at), buckets, number, n);
    const bool is_left = level == 0 || s.size >= LEAST || (BUCKET_KINDS[number] & KIND_LEFT) != 0;
    if (s.size < 1 || !is_left || (level % 2 == 0 && level > 0 && (s.is_equal || s.size < 2))) /* the same for all of the group */
        return;
    if (s.size > TILE) {
        if (get_local_id(0) == 0)
            list_pieces(HEADER + PIECES_OF_REST, (__global piece *)(scratch + pieces_at), s);
        return;
    }
    sort_tile(tile, behind(ARRAY(in), s.begin), behind(ARRAY(out), s.begin), tile_at(0), s.size);
}
#endif

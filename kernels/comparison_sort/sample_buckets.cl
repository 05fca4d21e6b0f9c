/* comparison_sort_bucket: after the last level of the sample sort a group sorts a bucket, in one go. There are two kernels of
 * this kind, with tiles of different sizes, for what is smaller and for what is larger; the latter lists what is too large for
 * it, too.
 *
 * Parameters: register_tile.cl, tile_network.cl, sample_tables.cl; LEAST elements of a bucket, fewer are for the other kernel;
 * LISTS 1: what is too large becomes pieces, each of 2^PIECE_LOG tiles. */
#if !defined(LEAST) || !defined(LISTS) || (LISTS && !defined(PIECE_LOG))
#error "LEAST, LISTS and PIECE_LOG must be given"
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

/* level: the last one. After an odd number of levels the elements are not yet where they shall be. */
SORT_KERNEL void comparison_sort_bucket(ARRAY_PARAMETERS(in), ARRAY_PARAMETERS(out), ulong n, uint level, __global uchar *scratch,
                                        ulong header_at, ulong tables_at, uint buckets, ulong pieces_at)
{
    LOCAL_ARRAY(tile, PADDED(TILE));
    const segment s = segment_at(level, (const __global uint *)(scratch + tables_at), buckets, (uint)get_group_id(0), n);
    if (s.size < LEAST || (level % 2 == 0 && level > 0 && (s.is_equal || s.size < 2))) /* the same for all of the group */
        return;
    if (s.size > TILE) {
#if LISTS
        if (get_local_id(0) == 0)
            list_pieces(HEADER + PIECES_OF_REST, (__global piece *)(scratch + pieces_at), s);
#endif
        return;
    }
    sort_tile(tile, behind(ARRAY(in), s.begin), behind(ARRAY(out), s.begin), tile_at(0), s.size);
}

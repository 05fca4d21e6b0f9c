/* segmented_sort_whole: few segments, each sorted by a work-group of its own, in one launch. If there are few elements,
 * launches take most of the time, and there are too few windows to keep the device busy. Group s reads segment s, sorts
 * it in local memory by enumeration or digit by digit, as local.cl does, and writes it. Groups with nothing to sort do
 * not leave before a barrier: PoCL 3.1 would drop code.
 *
 * HAS_LONG 2: a segment that does not fit a tile is entered as a long one. Its group counts the tiles of the long
 * segments before it. The group behind those of the segments, if there is one, writes how many tiles there are.
 * Parameters: keys.cl with COUNTED 0, tile.cl, group_passes.cl; segments.cl, tile_sort.cl; WHOLE_ENUMERATED, the longest segment whose
 * keys are enumerated. */
#ifndef WHOLE_ENUMERATED
#error "WHOLE_ENUMERATED must be given"
#endif

#if HAS_LONG != 1 /* else an earlier launch must prepare the places of long segments */
TILE_INLINE void load_segment(KEY *images, ushort *origins, const __global KEY *from, ulong first, uint valid, uint items)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        origins[j] = (ushort)SPREAD_INDEX(j, items);
        images[j] = key_of(LAST_IMAGE);
        if (HAS_ITEM(j, items, valid))
            images[j] = key_at(from, first, SPREAD_INDEX(j, items), true);
    }
    tile_turn(images, true);
}

#if HAS_LONG
#define WHOLE_PARAMETERS FEW_PARAMETERS, LONGS_PARAMETERS
#define WHOLE_HERE       FEW_OR_LONG_HERE
#else
#define WHOLE_PARAMETERS FEW_PARAMETERS
#define WHOLE_HERE       FEW_HERE
#endif

__kernel SORT_GROUP_SIZE void segmented_sort_whole(ARRAY_PARAMETERS, WHOLE_PARAMETERS)
{
    TILE_MEMORY_HERE(1)
    WHOLE_HERE
    const uint lid = (uint)get_local_id(0);
    const uint s = (uint)get_group_id(0);
    const ulong first = s < all.count ? segment_begin(&all, s) : 0;
    const ulong beyond = s < all.count ? segment_begin(&all, s + 1) : 0;
    const uint valid = beyond > first && beyond - first <= TILE ? (uint)(beyond - first) : 0;
    const uint items = (valid + GROUP_SIZE - 1) / GROUP_SIZE;
#if HAS_LONG
    __local uint shared_tiles;
    const bool is_long = s == all.count || (beyond > first && beyond - first > all.longest);
    if (lid == 0)
        shared_tiles = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* no tiles yet */
    const uint tiles = is_long ? long_tiles_before(&all, s) : 0;
    if (tiles > 0)
        (void)atomic_add(&shared_tiles, tiles);
    barrier(CLK_LOCAL_MEM_FENCE); /* the tiles of all segments before */
    if (is_long && s < all.count)
        long_enter(&all, s, shared_tiles);
    if (s == all.count && lid == 0) {
        *long_total(&all) = shared_tiles;
        long_total(&all)[LONG_TICKET] = 0;
    }
#endif
    const passes_memory passes = {keys, places, table, begins, sums};
    KEY images[ITEMS];
    ushort origins[ITEMS];
    load_segment(images, origins, keys_in + keys_in_offset, first, valid, items);
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (HAS_ITEM(j, items, valid)) {
            keys[SPREAD_INDEX(j, items)] = images[j];
            numbers[SPREAD_INDEX(j, items)] = 0;
        }
    if (lid < 2)
        firsts[lid] = (ushort)(lid * valid);
    barrier(CLK_LOCAL_MEM_FENCE); /* the keys; the only segment */
    if (valid <= WHOLE_ENUMERATED) {
        sort_by_enumeration(images, origins, &m, valid, items);
    } else if (END_BIT > 0) { /* else all are where they belong */
        sort_by_passes(images, origins, &passes, items, !RETURNS_RANKS);
#if RETURNS_RANKS
        if (!is_sorted_by_passes(images, origins, &passes, items)) {
            load_segment(images, origins, keys_in + keys_in_offset, first, valid, items);
            sort_by_passes(images, origins, &passes, items, true);
        }
#endif
    }
    write_tile(ARRAYS_HERE, images, origins, first, valid, items);
}
#endif

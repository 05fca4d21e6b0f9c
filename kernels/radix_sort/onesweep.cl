/* radix_sort_onesweep: one pass of a sort, reading and writing each key once. A group sorts a tile by the pass's digit in
 * local memory; where its keys of a digit go it learns from the tiles before, by looking back over what these have
 * published of that digit, each digit for itself. radix_sort_count has set all status words to 0.
 *
 * Parameters: keys.cl, tile.cl, tile_by_masks.cl, scatter.cl, checked.cl, count.cl, ticket.cl, status.cl.
 * Source: Adinets and Merrill 2022, Onesweep; Merrill and Garland 2016. */
#define MORE_SUMS (RANK_BY == 3 ? (__local uint *)staged /* nothing is there yet */ : sums + TILE_SUMS)
#define FREQUENT 24 /* times as many keys of a digit as digits have on average: the tile is skewed */

__kernel SORT_GROUP_SIZE void radix_sort_onesweep(SORT_PARAMETERS, volatile __global uint *state, uint epoch, uint pass,
                                                  ulong status_at)
{
    __local uint table[TABLE];
    __local uint begins[RADIX + 1];
    __local COUNT offsets[RADIX];
    __local uint sums[RANK_BY == 3 ? TILE_SUMS : 2 * TILE_SUMS];
    __local uint4 staged[RANK_BY != 3 || STAGED_WORDS > TILE_SUMS / 4 ? STAGED_WORDS : TILE_SUMS / 4];
    __local uint shared;
    __local uint shared_shift;
#if RANK_BY == 2
    __local uint4 source_words[HAS_SOURCES ? TILE / 8 : 1];
    __local ushort *const sources = (__local ushort *)source_words;
    __local uint frequent[2]; /* digits, with their counts above: the two with the most keys, of those that are frequent */
    __local uint all_errors;
#endif
    SORT_ROUTE(r, pass, state[SORT_SAME + epoch % 2])
    if (r.is_idle)
        return;
    const uint lid = (uint)get_local_id(0);
    const uint shift = shift_of(pass);
    const uint tile = group_ticket(state, (uint)get_num_groups(0), &shared);
    const ulong first = (ulong)tile * TILE;
    if (COUNTED && first >= n)
        return;
    const uint valid = n - first < TILE ? (uint)(n - first) : TILE;
    __global STATUS *status = (__global STATUS *)(scratch + status_at);
    KEY images[ITEMS];
    places_of_items places;
    if (lid == 0) {
        shared_shift = shift;
#if RANK_BY == 2
        frequent[0] = frequent[1] = 0;
        all_errors = 0;
#endif
    }
    tile_clear(table);
    tile_load(images, r.keys_from, first, valid, r.is_first);
    barrier(CLK_LOCAL_MEM_FENCE); /* the table is empty */
    tile_turn(images, r.is_first);
    tile_count(table, images, shift);
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    const uint count = tile_own_count(table);
#if RANK_BY > 0
    if (lid < RADIX && tile > 0) /* the sooner the better: others wait for it */
        STATUS_STORE(status + (size_t)tile * RADIX + lid, STATUS_OF(r.turn, 0, without_fillers(count, lid, valid, shift)));
#endif
#if RANK_BY == 2
    const uint own_frequent = count > FREQUENT * TILE / RADIX ? count << DIGIT_BITS | lid : 0;
    if (own_frequent != 0)
        (void)atomic_max(frequent, own_frequent);
#endif
#if RANK_BY == 3 /* count_smaller reads them behind the barriers of tile_begins */
    if (lid < RADIX && tile == 0)
        MORE_SUMS[lid] = state[SORT_TOTALS + pass * RADIX + lid];
#endif
    tile_begins(table, begins, sums, count); /* with a barrier */
#if RANK_BY == 2
    if (own_frequent != 0 && own_frequent != frequent[0])
        (void)atomic_max(frequent + 1, own_frequent);
#endif
    if (tile == 0)
        count_smaller(offsets, state + SORT_TOTALS + pass * RADIX, MORE_SUMS);
    barrier(CLK_LOCAL_MEM_FENCE); /* where digits begin; the table */
    for (uint digit = lid; digit < RADIX; digit += GROUP_SIZE) {
        const uint own = digit_count(begins, digit, valid, shift);
        if (tile == 0)
            STATUS_STORE(status + digit, STATUS_OF(r.turn, 1, offsets[digit] + own));
        else if (RANK_BY == 0)
            STATUS_STORE(status + (size_t)tile * RADIX + digit, STATUS_OF(r.turn, 0, own));
    }
#if RANK_BY == 2
    __local KEY *const keys = (__local KEY *)staged;
    const bool is_skewed = frequent[0] != 0;
    if (is_skewed)
        tile_stage_skewed(keys, sources, &places, table, images, shared_shift, frequent[0], frequent[1]);
    else
        /* Compilers know nothing of this shift, and so do not keep all keys' digits from counting them till now, for which
         * it would take half as many registers again. */
        tile_stage(keys, sources, &places, table, images, shared_shift);
    barrier(CLK_LOCAL_MEM_FENCE); /* the staged keys */
#else
    tile_stage_keys((__local KEY *)staged, &places, table, images, shared_shift);
#endif
    for (uint digit = lid; digit < RADIX; digit += GROUP_SIZE) {
        STATUS before = offsets[digit];
        if (tile > 0) {
            before = count_before(status + digit, tile, r.turn);
            STATUS_STORE(status + (size_t)tile * RADIX + digit,
                         STATUS_OF(r.turn, 1, before + digit_count(begins, digit, valid, shift)));
        }
        offsets[digit] = (COUNT)before - begins[digit];
    }
#if RANK_BY == 2
    const uint errors = tile_errors(keys, sources, begins, shift);
    if (errors != 0)
        (void)atomic_add(&all_errors, errors);
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* where digits go; the staged keys; errors */
#if RANK_BY == 2
    const bool is_wrong = all_errors != 0;
    if (is_wrong)
        tile_stage_again(keys, sources, table, begins, sums, &r, first, valid, shift);
    if (is_skewed || is_wrong)
        tile_move(&r, first, valid, shift, keys, sources, offsets);
    else if (!ROWS)
        tile_scatter(&r, first, valid, shift, staged, &places, offsets);
    else if (valid == TILE)
        tile_move_rows(&r, first, staged, &places, begins, offsets);
    else
        tile_move(&r, first, valid, shift, keys, sources, offsets);
#else
    tile_scatter(&r, first, valid, shift, staged, &places, offsets);
#endif
}

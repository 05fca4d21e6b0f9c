/* radix_sort_onesweep: one pass of a sort, reading and writing each key once. A group sorts a tile by the pass's digit in
 * local memory; where its keys of a digit go it learns from the tiles before, by looking back over what these have
 * published of that digit, each digit for itself. radix_sort_count has set all status words to 0.
 *
 * Parameters: keys.cl, tile.cl, pass.cl, count.cl, ticket.cl, status.cl.
 * Source: Adinets and Merrill 2022, Onesweep; Merrill and Garland 2016. */
#if RANK_BY == 3
#define MORE_SUMS ((__local uint *)m.staged) /* nothing is there yet */
#else
#define MORE_SUMS more_sums
#endif

__kernel SORT_GROUP_SIZE void radix_sort_onesweep(SORT_PARAMETERS, volatile __global uint *state, uint epoch, uint pass,
                                                  ulong status_at)
{
    PASS_MEMORY(m, RANK_BY == 3 ? TILE_SUMS / 4 : 0)
#if RANK_BY != 3
    __local uint more_sums[TILE_SUMS];
#endif
    __local uint shared;
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
    pass_reset(&m, shift);
    pass_load(&m, images, &r, first, valid); /* with a barrier */
    const uint count = pass_count(&m, images, &r, shift); /* with a barrier */
#if RANK_BY > 0
    if (lid < RADIX && tile > 0) /* the sooner the better: others wait for it */
        STATUS_STORE(status + (size_t)tile * RADIX + lid, STATUS_OF(r.turn, 0, without_fillers(count, lid, valid, shift)));
#endif
#if RANK_BY == 3 /* count_smaller reads them behind the barriers of pass_begins */
    if (lid < RADIX && tile == 0)
        MORE_SUMS[lid] = state[SORT_TOTALS + pass * RADIX + lid];
#endif
    pass_begins(&m, count); /* with a barrier */
    if (tile == 0)
        count_smaller(m.offsets, state + SORT_TOTALS + pass * RADIX, MORE_SUMS);
    barrier(CLK_LOCAL_MEM_FENCE); /* where digits begin; the table */
    for (uint digit = lid; digit < RADIX; digit += GROUP_SIZE) {
        const uint own = digit_count(m.begins, digit, valid, shift);
        if (tile == 0)
            STATUS_STORE(status + digit, STATUS_OF(r.turn, 1, m.offsets[digit] + own));
        else if (RANK_BY == 0)
            STATUS_STORE(status + (size_t)tile * RADIX + digit, STATUS_OF(r.turn, 0, own));
    }
    pass_stage(&m, images, &places);
    for (uint digit = lid; digit < RADIX; digit += GROUP_SIZE) {
        STATUS before = m.offsets[digit];
        if (tile > 0) {
            before = count_before(status + digit, tile, r.turn);
            STATUS_STORE(status + (size_t)tile * RADIX + digit,
                         STATUS_OF(r.turn, 1, before + digit_count(m.begins, digit, valid, shift)));
        }
        m.offsets[digit] = (COUNT)before - m.begins[digit];
    }
    pass_move(&m, &r, first, valid, shift, &places); /* with a barrier */
}

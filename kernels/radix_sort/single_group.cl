/* radix_sort_single_group: an array that fits the local memory of one work-group, in one launch: all passes there, from
 * registers to local memory and back.
 *
 * With RANK_BY 2 the places of a pass are what atomics returned when its digits were counted. Nothing has left the group before
 * the last pass, so one look at the end is enough: keys in order, and those with the same sorted bits in the order in which they
 * came (of keys alone, which are the same then, that is nothing to see). If they are not, all is done again by ballots.
 * Parameters: keys.cl, tile.cl; RANK_BY 2 only where there are values, or all bits are sorted. */
#if RANK_BY == 2
/* A key's rank among its owner's keys of the digit, from the count. */
TILE_INLINE uint count_and_rank(__local uint *table, KEY image, uint shift)
{
    return atomic_inc(OWN_TABLE(table) + digit_of(image, shift));
}
#endif

/* The group's keys and where they were, as they came. */
TILE_INLINE void load_keys(KEY *images, ushort *origins, const __global KEY *keys, uint valid)
{
    tile_load(images, keys, 0, valid, true);
    tile_turn(images, true);
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        origins[j] = (ushort)TILE_INDEX(j);
}

/* All passes. What is sorted is in local memory and in registers afterwards. */
TILE_INLINE void sort_keys(KEY *images, ushort *origins, __local KEY *keys, __local ushort *staged_origins, __local uint *table,
                           __local uint *begins, __local uint *sums, bool by_ballots)
{
    for (uint pass = 0; pass < PASSES; pass++) {
        const uint shift = shift_of(pass);
        tile_clear(table);
        barrier(CLK_LOCAL_MEM_FENCE); /* the table is empty */
#if RANK_BY == 2
        uint ranks[ITEMS];
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            ranks[j] = count_and_rank(table, images[j], shift);
#else
        tile_count(table, images, shift);
#endif
        barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
        tile_begins(table, begins, sums, tile_own_count(table));
        barrier(CLK_LOCAL_MEM_FENCE); /* the table; all have read what was staged before */
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
#if RANK_BY == 2
            const uint place = by_ballots ? tile_place_by_ballots(table, images[j], shift)
                                          : OWN_TABLE(table)[digit_of(images[j], shift)] + ranks[j];
#else
            const uint place = tile_place(table, images[j], shift);
#endif
            keys[place] = images[j];
            if (VALUE_SIZE > 0)
                staged_origins[place] = origins[j];
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the keys in their order */
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            images[j] = keys[TILE_INDEX(j)];
            if (VALUE_SIZE > 0)
                origins[j] = staged_origins[TILE_INDEX(j)];
        }
    }
}

/* How many of one's own keys do not come before the next one. */
TILE_INLINE uint errors_of(const KEY *images, const ushort *origins, const __local KEY *keys, const __local ushort *staged_origins)
{
    uint errors = 0;
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        const uint next = min(TILE_INDEX(j) + 1, TILE - 1u);
        const KEY own_bits = (KEY)((images[j] & SORTED_BITS) >> BEGIN_BIT);
        const KEY next_bits = (KEY)((keys[next] & SORTED_BITS) >> BEGIN_BIT);
        errors += own_bits > next_bits || (VALUE_SIZE > 0 && own_bits == next_bits && origins[j] > staged_origins[next]);
    }
    return errors;
}

__kernel SORT_GROUP_SIZE void radix_sort_single_group(SORT_PARAMETERS)
{
    __local uint table[TABLE];
    __local uint begins[RADIX + 1];
    __local uint sums[TILE_SUMS];
    __local KEY keys[TILE];
    __local ushort staged_origins[VALUE_SIZE > 0 ? TILE : 1];
    SORT_COUNT
    const uint valid = (uint)n;
    KEY images[ITEMS];
    ushort origins[ITEMS];
    load_keys(images, origins, keys_in + keys_in_offset, valid);
    sort_keys(images, origins, keys, staged_origins, table, begins, sums, RANK_BY != 2);
#if RANK_BY == 2
    __local uint all_errors;
    if (get_local_id(0) == 0)
        all_errors = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* there are none yet */
    const uint errors = errors_of(images, origins, keys, staged_origins);
    if (errors != 0)
        (void)atomic_add(&all_errors, errors);
    barrier(CLK_LOCAL_MEM_FENCE); /* everybody's errors */
    if (all_errors != 0) { /* the same for all of the group */
        load_keys(images, origins, keys_in + keys_in_offset, valid);
        sort_keys(images, origins, keys, staged_origins, table, begins, sums, true);
    }
#endif
#if VALUE_SIZE
    VALUE values[ITEMS];
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (TILE_INDEX(j) < valid) {
#if INDICES
            values[j] = (VALUE)origins[j];
#else
            values[j] = values_in[values_in_offset + origins[j]];
#endif
        }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* all values are read: they may be where they go */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (TILE_INDEX(j) < valid)
            values_out[values_out_offset + TILE_INDEX(j)] = values[j];
#endif
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (TILE_INDEX(j) < valid)
            keys_out[keys_out_offset + TILE_INDEX(j)] = key_of(images[j]);
}

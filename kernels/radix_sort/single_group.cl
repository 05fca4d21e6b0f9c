/* radix_sort_single_group: an array that fits the local memory of one work-group, in one launch: all passes there, from
 * registers to local memory and back.
 * Parameters: keys.cl, tile.cl. */
__kernel SORT_GROUP_SIZE void radix_sort_single_group(SORT_PARAMETERS)
{
    __local uint table[TABLE];
    __local uint begins[RADIX + 1];
    __local uint sums[TILE_SUMS];
    __local KEY keys[TILE];
#if VALUE_SIZE
    __local ushort staged_origins[TILE];
    ushort origins[ITEMS]; /* where the keys were */
#endif
    SORT_COUNT
    const uint valid = (uint)n;
    KEY images[ITEMS];
    tile_load(images, keys_in + keys_in_offset, valid, true);
    tile_turn(images, true);
#if VALUE_SIZE
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        origins[j] = (ushort)TILE_INDEX(j);
#endif
    for (uint pass = 0; pass < PASSES; pass++) {
        const uint shift = shift_of(pass);
        tile_clear(table);
        barrier(CLK_LOCAL_MEM_FENCE); /* the table is empty */
        tile_count(table, images, shift);
        barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
        tile_begins(table, begins, sums, tile_own_count(table));
        barrier(CLK_LOCAL_MEM_FENCE); /* the table; all have read what was staged before */
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            const uint place = tile_place(table, images[j], shift);
            keys[place] = images[j];
#if VALUE_SIZE
            staged_origins[place] = origins[j];
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the keys in their order */
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            images[j] = keys[TILE_INDEX(j)];
#if VALUE_SIZE
            origins[j] = staged_origins[TILE_INDEX(j)];
#endif
        }
    }
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

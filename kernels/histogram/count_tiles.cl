/* count_tiles.cl: hand elements to a variant's count(). Parameters: see slots.cl; the variant comes before; ALL_COUNT, if
 * work-items must count together, those that have nothing to count in slot TABLE. */

/* Count the elements of a packet; i is the index of its first, is_whole: all of them exist. */
TILE_INLINE void count_packet(packet_words x, ulong i, bool is_whole, ulong n TABLE_PARAMETERS INPUT_PARAMETERS)
{
#pragma unroll
    for (uint k = 0; k < PACK; k++, i++) {
        const uint channel = CHANNELS > 1 ? (uint)(i % CHANNELS) : 0;
        uint slot = TABLE;
        if ((is_whole || i < n) && channel < ACTIVE)
            slot = channel * SLOTS + bin_of(packet_element(x, k) BINS_ARGUMENTS);
#ifndef ALL_COUNT
        if (slot == TABLE)
            continue;
#endif
#if WEIGHT_KIND == 0
        count(slot, k, 1 TABLE_ARGUMENTS);
#else
        count(slot, k, amount_of(slot, WORD_OF(weights[weights_offset + i])) TABLE_ARGUMENTS);
#endif
    }
}

TILE_INLINE void count_whole_tile(uint row, const __global ELEMENT *in, ulong n TABLE_PARAMETERS INPUT_PARAMETERS)
{
    const ulong first = (ulong)row * ROW - PACKET_SHIFT(in) + get_local_id(0) * PACK;
    const __global packet_words *packets = (const __global packet_words *)(in + first);
    packet_words x[ITEMS];
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        x[j] = packets[j * GROUP_SIZE];
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        count_packet(x[j], first + j * ROW, true, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
}

TILE_INLINE void count_row(uint row, const __global ELEMENT *in, ulong n TABLE_PARAMETERS INPUT_PARAMETERS)
{
    const ulong first = (ulong)row * ROW - PACKET_SHIFT(in) + get_local_id(0) * PACK; /* before 0: larger than any */
    packet x;
    if (first < n && first + PACK <= n) {
        x.words = *(const __global packet_words *)(in + first);
    } else {
#pragma unroll
        for (uint k = 0; k < PACK; k++) /* what does not exist stays undefined, and is never looked at */
            if (first + k < n)
                x.elements[k] = in[first + k];
    }
    count_packet(x.words, first, false, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
}

TILE_INLINE void count_tile(uint tile, const __global ELEMENT *in, ulong n TABLE_PARAMETERS INPUT_PARAMETERS)
{
    const uint row = tile * ITEMS;
    if (row >= FIRST_WHOLE_ROW(in) && row + ITEMS <= END_OF_WHOLE_ROWS(in, n))
        count_whole_tile(row, in, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
    else
        for (uint j = 0; j < ITEMS; j++)
            count_row(row + j, in, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
}

TILE_INLINE void count_share(uint sharer, uint sharers, const __global ELEMENT *in, ulong n TABLE_PARAMETERS INPUT_PARAMETERS)
{
    const uint first = FIRST_WHOLE_ROW(in);
    const uint turns = (END_OF_WHOLE_ROWS(in, n) - first) / (sharers * ITEMS); /* in each, all have a whole tile */
    const uint in_tiles = turns * sharers * ITEMS;
    const uint other_rows = rows_of(in, n) - in_tiles;
    for (uint turn = 0; turn < turns; turn++)
        count_whole_tile(first + (turn * sharers + sharer) * ITEMS, in, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
    for (uint row = sharer; row < other_rows; row += sharers)
        count_row(row < first ? row : in_tiles + row, in, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
}

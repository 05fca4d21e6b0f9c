/* tile_by_items.cl: RANK_BY 3 of tile.cl, for devices whose sub-groups are not known: digits of 8 bits, by two steps of 4.
 *
 *     tile_stage_by_items(staged, sources, counters, sums, images, shift)    keys in the order of their digits into local memory
 *     place = group_before(value, sums, &total)      the sum of the values of all work-items before, and of all
 * with a barrier behind.
 *
 * In a step each work-item has consecutive keys of the tile, and counts their digits by itself: word w of its counters has
 * digit w in its lower half, and digit w + 8 in the upper one, so that one scan over the words of all work-items brings the
 * places of both. What lies between the steps goes through local memory. sources: where in the tile each key was.
 *
 * Parameters: keys.cl, tile.cl; empty but for RANK_BY 3. Source: Satish, Harris, Garland 2009; Merrill and Grimshaw 2011. */
#if RANK_BY == 3
#define STEP_BITS 4
#define STEP_RADIX (1u << STEP_BITS)
#define STEP_WORDS (STEP_RADIX / 2)
#define COUNTERS_OF_ITEMS (GROUP_SIZE * STEP_WORDS)
#if GROUP_SIZE >> DIGIT_BITS == 0 || DIGIT_BITS != 2 * STEP_BITS || TILE > 65535
#error "a work-item for each digit of 8 bits, and places in 16 bits"
#endif

TILE_INLINE uint group_before(uint value, __local uint *sums, uint *total)
{
    const uint lid = (uint)get_local_id(0);
    __local uint *from = sums;
    __local uint *to = sums + GROUP_SIZE;
    uint sum = value;
    from[lid] = value;
    for (uint distance = 1; distance < GROUP_SIZE; distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* the sums so far */
        sum += lid >= distance ? from[lid - distance] : 0;
        to[lid] = sum;
        __local uint *const written = to;
        to = from;
        from = written;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the sums */
    *total = from[GROUP_SIZE - 1];
    return sum - value;
}

/* Counts become places, of lower halves before those of upper halves. A work-item scans consecutive words. */
TILE_INLINE void scan_counters(__local uint *counters, __local uint *sums)
{
    __local uint4 *own = (__local uint4 *)(counters + (uint)get_local_id(0) * STEP_WORDS);
    uint4 words[STEP_WORDS / 4];
    uint sum = 0;
#pragma unroll
    for (uint k = 0; k < STEP_WORDS / 4; k++) {
        words[k] = own[k];
        sum += words[k].x + words[k].y + words[k].z + words[k].w;
    }
    uint total;
    uint place = group_before(sum, sums, &total);
    place += total << 16; /* upper halves come behind all that lower halves count */
#pragma unroll
    for (uint k = 0; k < STEP_WORDS / 4; k++) {
        const uint4 count = words[k];
        own[k] = (uint4)(place, place + count.x, place + count.x + count.y, place + count.x + count.y + count.z);
        place += count.x + count.y + count.z + count.w;
    }
}

/* One step: the tile in the order of 4 bits from `shift` on. */
TILE_INLINE void stage_step(__local KEY *staged, __local ushort *sources, __local uint *counters, __local uint *sums,
                            const KEY *images, const ushort *origins, uint shift)
{
    __local uint *own = counters + get_local_id(0);
    uint ranks[(ITEMS + 3) / 4]; /* among the work-item's own keys of the digit, four in a word */
#pragma unroll
    for (uint w = 0; w < STEP_WORDS; w++)
        own[w * GROUP_SIZE] = 0;
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        const uint digit = digit_of(images[j], shift) % STEP_RADIX;
        __local uint *word = own + digit % STEP_WORDS * GROUP_SIZE;
        const uint bits = digit / STEP_WORDS * 16;
        const uint counted = *word;
        *word = counted + (1u << bits);
        const uint rank = (counted >> bits & 0xff) << j % 4 * 8;
        ranks[j / 4] = j % 4 == 0 ? rank : ranks[j / 4] | rank;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted; all have read what was staged before */
    scan_counters(counters, sums);
    barrier(CLK_LOCAL_MEM_FENCE); /* the places */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        const uint digit = digit_of(images[j], shift) % STEP_RADIX;
        const uint first = own[digit % STEP_WORDS * GROUP_SIZE] >> digit / STEP_WORDS * 16 & 0xffff;
        const uint place = first + (ranks[j / 4] >> j % 4 * 8 & 0xff);
        staged[place] = images[j];
#if VALUE_SIZE
        sources[place] = origins[j];
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the keys in their order */
}

/* One's own consecutive keys of what is staged. */
TILE_INLINE void take_own(KEY *images, ushort *origins, const __local KEY *staged, const __local ushort *sources)
{
    const uint first = (uint)get_local_id(0) * ITEMS;
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        images[j] = staged[first + j];
#if VALUE_SIZE
        origins[j] = sources[first + j];
#endif
    }
}

TILE_INLINE void tile_stage_by_items(__local KEY *staged, __local ushort *sources, __local uint *counters, __local uint *sums,
                                     KEY *images, uint shift)
{
    ushort origins[VALUE_SIZE > 0 ? ITEMS : 1];
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        staged[TILE_INDEX(j)] = images[j];
#if VALUE_SIZE
        sources[TILE_INDEX(j)] = (ushort)TILE_INDEX(j);
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile as it came */
    take_own(images, origins, staged, sources);
    stage_step(staged, sources, counters, sums, images, origins, shift);
    if (shift + STEP_BITS < END_BIT) { /* else there is only one digit */
        take_own(images, origins, staged, sources);
        stage_step(staged, sources, counters, sums, images, origins, shift + STEP_BITS);
    }
}
#endif

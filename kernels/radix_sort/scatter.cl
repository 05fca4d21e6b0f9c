/* scatter.cl: a tile that tile.cl has ranked, through local memory to where it goes.
 *
 *     tile_stage_keys(staged, &places, table, images, shift)      the keys in their order into local memory
 *     is_right = tile_scatter(route, first, valid, shift, staged, &places, offsets)
 *                                                                 from there, with their values, to where they go
 * With RANK_BY 2 the group must look whether all its work-items saw keys in the right order, and else calls
 *     tile_scatter_again(...)                                     which ranks by ballots
 *
 * Parameters: keys.cl, tile.cl. */

/* Local memory in which the tile is brought into its order, its keys first, then its values; in units of 16 bytes. */
#define LARGER_SIZE (VALUE_SIZE > KEY_BITS / 8 ? VALUE_SIZE : KEY_BITS / 8)
#define STAGED_WORDS ((TILE * LARGER_SIZE + 15) / 16 + (RANK_BY == 2)) /* and what is seen, not used, behind the last */
#if RANK_BY == 2 && (VALUE_SIZE || BEGIN_BIT != 0 || END_BIT != KEY_BITS)
#error "of two equal keys nobody can see which was first"
#endif

/* What a work-item remembers of its keys until their values follow them: the places, two in a word. */
#if VALUE_SIZE
typedef struct {
    uint pairs[(ITEMS + 1) / 2];
} places_of_items;
#else
typedef uint places_of_items; /* not needed */
#endif

/* The keys in their order into local memory. */
TILE_INLINE void tile_stage_keys(__local KEY *staged, places_of_items *places, __local uint *table, const KEY *images, uint shift)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        const uint place = tile_place(table, images[j], shift);
        staged[place] = images[j];
#if VALUE_SIZE
        places->pairs[j / 2] = j % 2 == 0 ? place : places->pairs[j / 2] | place << 16;
#endif
    }
}

/* How many keys of the tile have a digit, of those counted not what fills it up. */
static inline uint without_fillers(uint count, uint digit, uint valid, uint shift)
{
    return count - (digit == digit_of(LAST_IMAGE, shift) ? TILE - valid : 0);
}

static inline uint digit_count(const __local uint *begins, uint digit, uint valid, uint shift)
{
    return without_fillers(begins[digit + 1] - begins[digit], digit, valid, shift);
}

#if RANK_BY == 2
/* Keys were in the order of their lower bits before; they are now in that of the digit and the lower bits, or they were
 * ranked wrongly. Those that are equal in both will be told apart by the passes to come, or are the same. */
static inline bool is_before(KEY image, KEY next, uint shift)
{
    const uint above = KEY_BITS - DIGIT_BITS - shift;
    return (KEY)(image << above) <= (KEY)(next << above);
}
#endif

/* What is staged goes to offsets[digit] + its place. is_whole: valid is TILE, and known when compiled. */
TILE_INLINE bool scatter_keys(uint *digits, const route *r, bool is_whole, uint valid, uint shift, const __local KEY *keys,
                              const __local COUNT *offsets)
{
    const uint lid = (uint)get_local_id(0);
    const __local KEY *own = keys + lid; /* with constant offsets, which cost no instruction */
    bool is_right = true;
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        const uint place = j * GROUP_SIZE + lid;
        const KEY image = own[j * GROUP_SIZE];
        const uint digit = digit_of(image, shift);
        if (is_whole || place < valid)
            r->keys_to[(COUNT)(offsets[digit] + place)] = key_of(image);
#if RANK_BY == 2
        const bool is_last = is_whole && j < ITEMS - 1 ? false : place + 1 >= valid;
        is_right &= is_last | is_before(image, own[j * GROUP_SIZE + 1], shift); /* no branches */
#endif
#if VALUE_SIZE
        digits[j / 4] = j % 4 == 0 ? digit : digits[j / 4] | digit << j % 4 * 8;
#endif
    }
    return is_right;
}

#if VALUE_SIZE
/* first: of the tile in the array. */
TILE_INLINE void scatter_values(const route *r, ulong first, bool is_whole, uint valid, __local VALUE *values, const uint *digits,
                                const places_of_items *places, const __local COUNT *offsets)
{
    const uint lid = (uint)get_local_id(0);
    const __local VALUE *own = values + lid;
    barrier(CLK_LOCAL_MEM_FENCE); /* the keys are gone: room for the values */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (is_whole || TILE_INDEX(j) < valid)
            values[places->pairs[j / 2] >> j % 2 * 16 & 0xffff] = value_from(r, first + TILE_FIRST, j * TILE_STEP);
    barrier(CLK_LOCAL_MEM_FENCE); /* the values in their order */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        const uint place = j * GROUP_SIZE + lid;
        if (is_whole || place < valid)
            r->values_to[(COUNT)(offsets[digits[j / 4] >> j % 4 * 8 & 0xff] + place)] = own[j * GROUP_SIZE];
    }
}
#endif

/* The staged keys, and after them their values, go to where they shall lie. Whether the work-item saw keys in the right
 * order. */
TILE_INLINE bool tile_scatter(const route *r, ulong first, uint valid, uint shift, __local uint4 *words,
                              const places_of_items *places, const __local COUNT *offsets)
{
    uint digits[(ITEMS + 3) / 4]; /* of what lies at the work-item's places, four in a word */
    bool is_right;
    if (valid == TILE) {
        is_right = scatter_keys(digits, r, true, TILE, shift, (const __local KEY *)words, offsets);
#if VALUE_SIZE
        scatter_values(r, first, true, TILE, (__local VALUE *)words, digits, places, offsets);
#endif
    } else {
        is_right = scatter_keys(digits, r, false, valid, shift, (const __local KEY *)words, offsets);
#if VALUE_SIZE
        scatter_values(r, first, false, valid, (__local VALUE *)words, digits, places, offsets);
#endif
    }
    return is_right;
}

#if RANK_BY == 2
#define LOADED_AT_ONCE 8 /* keys, before the barriers of ranking them */

/* tile_stage_keys by ballots, from the keys in global memory: rarely needed, so that it should take no registers from the
 * rest. */
TILE_INLINE void tile_stage_by_ballots(__local KEY *staged, __local uint *table, const __global KEY *keys, uint valid, uint shift)
{
    for (uint first = 0; first < ITEMS; first += LOADED_AT_ONCE) {
        KEY images[LOADED_AT_ONCE];
#pragma unroll
        for (uint k = 0; k < LOADED_AT_ONCE; k++)
            images[k] = first + k < ITEMS ? image_at(keys, TILE_INDEX(first + k), valid) : LAST_IMAGE;
#pragma unroll
        for (uint k = 0; k < LOADED_AT_ONCE; k++)
            if (first + k < ITEMS)
                staged[tile_place_by_ballots(table, images[k], shift)] = images[k];
    }
}

/* Sort the tile again, by ballots, and put it over what went wrong: there, each digit has the same places. */
TILE_INLINE void tile_scatter_again(const route *r, ulong first, uint valid, uint shift, __local uint4 *words, __local uint *table,
                                    __local uint *begins, __local uint *sums, const __local COUNT *offsets)
{
    const __global KEY *keys = r->keys_from + first;
    tile_clear(table);
    barrier(CLK_LOCAL_MEM_FENCE); /* the table is empty */
#pragma unroll 8
    for (uint j = 0; j < ITEMS; j++)
        (void)atomic_inc(OWN_TABLE(table) + digit_of(image_at(keys, TILE_INDEX(j), valid), shift));
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    tile_begins(table, begins, sums, tile_own_count(table));
    barrier(CLK_LOCAL_MEM_FENCE); /* the table */
    tile_stage_by_ballots((__local KEY *)words, table, keys, valid, shift);
    barrier(CLK_LOCAL_MEM_FENCE); /* the staged keys */
    for (uint place = (uint)get_local_id(0); place < valid; place += GROUP_SIZE) {
        const KEY image = ((const __local KEY *)words)[place];
        r->keys_to[(COUNT)(offsets[digit_of(image, shift)] + place)] = key_of(image);
    }
}
#endif

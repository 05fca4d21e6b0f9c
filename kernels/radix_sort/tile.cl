/* tile.cl: bring a work-group's tile of keys into the order of one digit, within local memory.
 *
 *     tile_clear(table)
 *     tile_count(table, images, shift)             how many keys of each digit each owner has
 *     tile_begins(table, begins, sums, own)        where each digit begins in the tile, begins[RADIX] its size, and where
 *                                                  each owner's keys of each digit begin, in the table
 *     place = tile_place(table, image, shift)      of one's own keys, in their order; the table counts them
 * with a barrier between each two. An owner has consecutive keys of the tile. With RANK_BY
 *   0  each work-item is one: no atomics and no sub-groups, so that it takes small digits
 *   1  each sub-group is one: lanes with the same digit find each other by ballots
 *   2  the same, but the places are what atomics return. That is stable where local atomics serve the lanes of a sub-group in
 *      their order. No specification promises it, so tile_scatter looks at what came of it, and where it is wrong all is
 *      done again by ballots. BREAK_ORDER 1, for tests, makes it wrong.
 *
 * and then
 *     tile_stage_keys(staged, &places, table, images, shift)      the keys in their order into local memory
 *     tile_scatter(...)                                           and from there, with their values, to where they go
 *
 * Parameters: GROUP_SIZE, ITEMS keys a work-item; keys.cl; for RANK_BY 1 and 2 subgroup.cl by PTX, GROUP_SIZE a multiple of
 * 32 and at least RADIX. Source: Satish, Harris, Garland 2009; Merrill and Grimshaw 2011; Adinets and Merrill 2022. */
#if !defined(RANK_BY) || !defined(ITEMS) || !defined(GROUP_SIZE)
#error "RANK_BY, ITEMS and GROUP_SIZE must be given"
#endif

#define TILE (GROUP_SIZE * ITEMS)
#define TILE_INLINE static inline __attribute__((always_inline))

/* The index in the tile of a work-item's j-th key; where its owner counts digit 0, and how far apart the digits are. */
#if RANK_BY == 0
#define OWNERS GROUP_SIZE
#define TILE_FIRST ((uint)get_local_id(0) * ITEMS)
#define TILE_STEP 1
#define OWN_TABLE(table) ((table) + get_local_id(0))
#define OWN_STRIDE GROUP_SIZE
#define TILE_SUMS GROUP_SIZE
#else
#define OWNERS (GROUP_SIZE / 32)
#define TILE_FIRST ((uint)get_local_id(0) / 32 * (32 * ITEMS) + (uint)get_local_id(0) % 32)
#define TILE_STEP 32
#define OWN_TABLE(table) ((table) + get_local_id(0) / 32 * RADIX)
#define OWN_STRIDE 1
#define TILE_SUMS (RADIX / 32)
#endif
#define TILE_INDEX(j) (TILE_FIRST + (j)*TILE_STEP)
#define TABLE (OWNERS * RADIX)

TILE_INLINE void tile_clear(__local uint *table)
{
    for (uint i = (uint)get_local_id(0); i < TABLE; i += GROUP_SIZE)
        table[i] = 0;
}

/* The image of the tile's key number i; behind the last one, LAST_IMAGE. */
static inline KEY image_at(const __global KEY *keys, uint i, uint valid)
{
    return i < valid ? image_of(keys[i]) : LAST_IMAGE;
}

TILE_INLINE void tile_load(KEY *images, const __global KEY *keys, uint valid)
{
    if (valid == TILE) {
        const __global KEY *own = keys + TILE_FIRST; /* with constant offsets, which cost no registers */
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            images[j] = own[j * TILE_STEP];
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            images[j] = image_of(images[j]);
    } else {
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            images[j] = image_at(keys, TILE_INDEX(j), valid);
    }
}

TILE_INLINE void tile_count(__local uint *table, const KEY *images, uint shift)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
#if RANK_BY == 0
        OWN_TABLE(table)[digit_of(images[j], shift) * OWN_STRIDE]++;
#else
        (void)atomic_inc(OWN_TABLE(table) + digit_of(images[j], shift));
#endif
    }
}

#if RANK_BY == 0
/* A digit's count is known when the table is scanned. */
TILE_INLINE uint tile_own_count(const __local uint *table)
{
    return 0;
}

/* The table is in the order of places: by digit, then by owner. Each work-item scans RADIX entries of it. */
TILE_INLINE void tile_begins(__local uint *table, __local uint *begins, __local uint *sums, uint count)
{
    const uint lid = (uint)get_local_id(0);
    __local uint *own = table + lid * RADIX;
    uint sum = 0;
    for (uint k = 0; k < RADIX; k++)
        sum += own[k];
    sums[lid] = sum;
    for (uint distance = 1; distance < GROUP_SIZE; distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* the sums so far */
        const uint before = lid >= distance ? sums[lid - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
        sums[lid] += before;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the sums */
    uint place = lid == 0 ? 0 : sums[lid - 1];
    for (uint k = 0; k < RADIX; k++) {
        const uint owners = own[k];
        own[k] = place;
        place += owners;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the table */
    for (uint digit = lid; digit <= RADIX; digit += GROUP_SIZE)
        begins[digit] = digit < RADIX ? table[digit * GROUP_SIZE] : TILE;
}

TILE_INLINE uint tile_place(__local uint *table, KEY image, uint shift)
{
    return OWN_TABLE(table)[digit_of(image, shift) * OWN_STRIDE]++;
}
#else
/* The sum of the values of all digits before one's own: those of work-items before, of which RADIX have one. */
TILE_INLINE uint digits_before(uint value, __local uint *sums)
{
    const uint lid = (uint)get_local_id(0);
    uint sum = value;
#pragma unroll
    for (uint distance = 1; distance < 32; distance *= 2) {
        const uint before = subgroup_shuffle_up(sum, distance);
        sum += lid % 32 >= distance ? before : 0;
    }
    if (lid < RADIX && lid % 32 == 31)
        sums[lid / 32] = sum;
    barrier(CLK_LOCAL_MEM_FENCE); /* the sub-groups' sums */
    sum -= value;
#pragma unroll
    for (uint s = 0; s < RADIX / 32; s++)
        sum += s < lid / 32 ? sums[s] : 0;
    return sum;
}

/* How many keys of the tile have the digit that is the work-item's number, with those that fill it up. */
TILE_INLINE uint tile_own_count(const __local uint *table)
{
    const uint digit = (uint)get_local_id(0);
    uint count = 0;
    if (digit < RADIX) {
#pragma unroll
        for (uint owner = 0; owner < OWNERS; owner++)
            count += table[owner * RADIX + digit];
    }
    return count;
}

TILE_INLINE void tile_begins(__local uint *table, __local uint *begins, __local uint *sums, uint count)
{
    const uint digit = (uint)get_local_id(0);
    uint place = digits_before(count, sums);
    if (digit < RADIX) {
        begins[digit] = place;
        if (digit == RADIX - 1)
            begins[RADIX] = place + count;
#pragma unroll
        for (uint owner = 0; owner < OWNERS; owner++) {
            const uint own = table[owner * RADIX + digit];
            table[owner * RADIX + digit] = place;
            place += own;
        }
    }
}

/* The lanes whose digit is the same: in each bit, those that vote as one does. */
TILE_INLINE uint same_digit(uint digit)
{
    uint same = 0xffffffffu;
#pragma unroll
    for (uint bit = 0; bit < DIGIT_BITS; bit++)
        asm volatile("{ .reg .pred p; .reg .b32 votes; and.b32 votes, %1, %2; setp.ne.u32 p, votes, 0;"
                     " vote.sync.ballot.b32 votes, p, 0xffffffff; @!p not.b32 votes, votes; and.b32 %0, %0, votes; }"
                     : "+r"(same)
                     : "r"(digit), "r"(1u << bit));
    return same;
}

TILE_INLINE uint tile_place_by_ballots(__local uint *table, KEY image, uint shift)
{
    const uint digit = digit_of(image, shift);
    const uint same = same_digit(digit);
    const uint lane = (uint)get_local_id(0) % 32;
    const uint before = popcount(same & ((1u << lane) - 1));
    __local uint *next = OWN_TABLE(table) + digit;
    const uint place = *next + before;
    subgroup_sync(); /* all have read */
    if (same >> lane == 1) /* the last of them */
        *next = place + 1;
    subgroup_sync(); /* all have written */
    return place;
}

TILE_INLINE uint tile_place(__local uint *table, KEY image, uint shift)
{
#if RANK_BY == 1
    return tile_place_by_ballots(table, image, shift);
#elif BREAK_ORDER /* as if the lanes were served backwards */
    const uint same = same_digit(digit_of(image, shift));
    const uint place = tile_place_by_ballots(table, image, shift);
    const uint before = popcount(same & ((1u << (uint)get_local_id(0) % 32) - 1));
    return place - before + popcount(same) - 1 - before;
#else
    return atomic_inc(OWN_TABLE(table) + digit_of(image, shift));
#endif
}
#endif

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

#define LOADED_AT_ONCE 8
#define AT_A_TIME 6 /* places asked for before the first is used: atomics take their time */

/* The keys in their order into local memory. */
TILE_INLINE void tile_stage_keys(__local KEY *staged, places_of_items *places, __local uint *table, const KEY *images, uint shift)
{
#pragma unroll
    for (uint first = 0; first < ITEMS; first += AT_A_TIME) {
        uint batch[AT_A_TIME];
#pragma unroll
        for (uint k = 0; k < AT_A_TIME; k++)
            if (first + k < ITEMS)
                batch[k] = tile_place(table, images[first + k], shift);
#pragma unroll
        for (uint k = 0; k < AT_A_TIME; k++) {
            const uint j = first + k;
            if (j < ITEMS)
                staged[batch[k]] = images[j];
#if VALUE_SIZE
            if (j < ITEMS)
                places->pairs[j / 2] = j % 2 == 0 ? batch[k] : places->pairs[j / 2] | batch[k] << 16;
#endif
        }
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
/* The same by ballots, from the keys in global memory: rarely needed, so that it should take no registers from the rest. */
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

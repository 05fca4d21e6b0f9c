/* tile_sort.cl: sort the segments in a work-group's tile, within local memory.
 *
 *     TILE_MEMORY_HERE(segments, staged)                       the local memory m, in which `staged` has the keys
 *     sort_by_enumeration(images, origins, m, valid, items)    each key counts those before it in its segment
 *     sort_by_digits(images, origins, m, valid, items, passes) by the keys' digits, and behind these by the segments' numbers
 *     write_tile(ARRAYS_HERE, images, origins, m, first, valid, items)
 *
 * The tile has `valid` elements. Each work-item has up to `items` of them in registers: ITEMS, or fewer if the tile is
 * not full, so that all work-items have some. LAST_IMAGE fills up the last ones. `origins` says where in the tile each
 * element was: that is where its value is, and its segment's number.
 * Parameters: keys.cl with COUNTED 0; BY_ITEMS: only with RANK_BY 0, passes by tile_by_items.cl, between which all is in local
 * memory. */
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/tile_by_masks.cl"
#include "segmented_sort/parts/segments.cl"
#include "radix_sort/parts/group_passes.cl"
#include "segmented_sort/parts/tile_by_items.cl"

#ifndef BY_ITEMS
#error "BY_ITEMS must be given"
#endif

/* The index of a work-item's j-th element, and whether there is one. With BY_ITEMS a work-item sorts elements that lie side by
 * side, but reads and writes others, which lie side by side with those of other work-items. */
#if BY_ITEMS
#define ITEM_INDEX(j, items)      ((j)*GROUP_SIZE + (uint)get_local_id(0))
#define HAS_ITEM(j, items, valid) (ITEM_INDEX(j, items) < (valid))
#else
#define ITEM_INDEX(j, items)      SPREAD_INDEX(j, items)
#define HAS_ITEM(j, items, valid) ((j) < (items) && ITEM_INDEX(j, items) < (valid))
#endif

/* What a tile needs in local memory beside its keys. */
typedef struct {
    __local KEY *keys;
    __local ushort *numbers; /* of each element's segment in the tile; once that is known, where the element goes */
    __local ushort *places;  /* which element was staged there: where it was */
    __local ushort *firsts;  /* of each segment, and behind the last one */
    __local uint *table;
    __local uint *begins;
    __local uint *sums;
} tile_memory;

/* In a kernel: tile_memory m, for a tile of at most so many segments. `staged` are at least KEY_WORDS words of 16 bytes. */
#define KEY_WORDS ((TILE * (KEY_BITS / 8) + 15) / 16)
#define TILE_MEMORY_HERE(segments, staged)                                                                             \
    TABLE_HERE(segments)                                                                                               \
    __local uint begins[RADIX + 1];                                                                                    \
    __local KEY *const keys = (__local KEY *)(staged);                                                                 \
    __local ushort numbers[TILE];                                                                                      \
    __local ushort places[TILE];                                                                                       \
    const tile_memory m = {keys, numbers, places, firsts, table, begins, sums};
#if BY_ITEMS /* where segments begin need not be known any more when there are counts */
#define TABLE_HERE(segments)                                                                                           \
    __local uint4 table_words[ITEM_TABLE / 4];                                                                         \
    __local uint sums[ITEM_SUMS];                                                                                      \
    __local uint *const table = (__local uint *)table_words;                                                           \
    __local ushort *const firsts = (__local ushort *)table_words;
#else
#define TABLE_HERE(segments)                                                                                           \
    __local uint table[TABLE];                                                                                         \
    __local uint sums[TILE_SUMS];                                                                                      \
    __local ushort firsts[(segments) + 1];
#endif

#if BY_ITEMS
/* How many elements each work-item has, so that all have some; one more if multiples of 4 would make them read from few banks
 * of local memory. */
TILE_INLINE uint items_of(uint valid)
{
    const uint items = (valid + GROUP_SIZE - 1) / GROUP_SIZE;
    return items < ITEMS && items % 4 == 0 ? items + 1 : items;
}

/* The tile's elements, from `first` on, to registers and to local memory. */
TILE_INLINE void load_tile(KEY *images, ushort *origins, const tile_memory *m, const __global KEY *keys, ulong first,
                           uint valid, uint items)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        origins[j] = (ushort)ITEM_INDEX(j, items);
        images[j] = key_of(LAST_IMAGE);
        if (HAS_ITEM(j, items, valid))
            images[j] = key_at(keys, first, ITEM_INDEX(j, items), true);
    }
    tile_turn(images, true);
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        m->keys[ITEM_INDEX(j, items)] = images[j];
}
#endif

/* Each key counts the keys before it in its segment. The keys are in m->keys, and come out there; origins too. */
TILE_INLINE void sort_by_enumeration(KEY *images, ushort *origins, const tile_memory *m, uint valid, uint items)
{
    const uint lid = (uint)get_local_id(0);
    for (uint i = lid; i < valid; i += GROUP_SIZE) {
        const KEY own = RANKED(m->keys[i]);
        const uint number = m->numbers[i];
        const uint end = m->firsts[number + 1];
        uint place = m->firsts[number];
        for (uint k = place; k < end; k++) {
            const KEY other = RANKED(m->keys[k]);
            place += (uint)(other < own) | ((uint)(other == own) & (uint)(k < i));
        }
        m->numbers[i] = (ushort)place; /* nobody else reads the number */
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all places are known: keys may be written over */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (HAS_ITEM(j, items, valid)) {
            const uint place = m->numbers[ITEM_INDEX(j, items)];
            m->keys[place] = images[j];
            m->places[place] = (ushort)ITEM_INDEX(j, items);
        }
    barrier(CLK_LOCAL_MEM_FENCE); /* the keys in their order */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (HAS_ITEM(j, items, valid)) {
            images[j] = m->keys[ITEM_INDEX(j, items)];
            origins[j] = m->places[ITEM_INDEX(j, items)];
        }
}

#if BY_ITEMS
/* One pass over the tile, in m->keys and, where they are moved, m->places: by a digit of the keys, or behind these of the
 * segments' numbers. What fills up the tile stays behind everything, since it came last and has the greatest digits. */
TILE_INLINE void sort_by_digit(const tile_memory *m, uint items, uint pass, bool moves_origins)
{
    const uint first = SPREAD_FIRST(items);
    const __local KEY *own_keys = m->keys + first; /* constant offsets from here cost no registers */
    const __local ushort *own_places = m->places + first;
    __local uint *own_words = m->table + get_local_id(0);
    KEY images[ITEMS];
    ulong digits = 0, ranks = 0, counts = 0; /* four bits for each element, and of counts for each digit */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (j < items) {
            images[j] = own_keys[j];
            const uint digit = pass < PASSES ? digit_of(images[j], shift_of(pass))
                                             : m->numbers[own_places[j]] >> (pass - PASSES) * DIGIT_BITS & (RADIX - 1);
            digits |= (ulong)digit << 4 * j;
        }
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (j < items) {
            const uint at = ((uint)(digits >> 4 * j) & 15) * 4;
            ranks |= (counts >> at & 15) << 4 * j;
            counts += 1ul << at;
        }
#pragma unroll
    for (uint w = 0; w < ITEM_WORDS; w++)
        own_words[w * GROUP_SIZE] = ((uint)(counts >> 4 * w) & 15) | ((uint)(counts >> (32 + 4 * w)) & 15) << 16;
    barrier(CLK_LOCAL_MEM_FENCE); /* the counts */
    scan_counts(m->table, m->sums);
    ushort origins[ITEMS]; /* not before, so that there are registers for the scan */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (j < items && moves_origins)
            origins[j] = pass == 0 ? (ushort)(first + j) : own_places[j];
    barrier(CLK_LOCAL_MEM_FENCE); /* the places; all have read what was staged before */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (j < items) {
            const uint digit = (uint)(digits >> 4 * j) & 15;
            const uint word = own_words[digit % ITEM_WORDS * GROUP_SIZE];
            const uint place = (word >> digit / ITEM_WORDS * 16 & 0xffff) + ((uint)(ranks >> 4 * j) & 15);
            m->keys[place] = images[j];
            if (moves_origins)
                m->places[place] = origins[j];
        }
    barrier(CLK_LOCAL_MEM_FENCE); /* the keys in their order */
}

/* All passes. Nobody asks for origins where there are neither values nor numbers to sort by. */
TILE_INLINE void sort_by_digits(KEY *images, ushort *origins, const tile_memory *m, uint valid, uint items, uint passes)
{
    const bool moves_origins = VALUE_SIZE > 0 || passes > PASSES;
    for (uint pass = 0; pass < passes; pass++)
        sort_by_digit(m, items, pass, moves_origins);
}
#else
/* One pass over the tile, likewise, of images and origins. */
TILE_INLINE void sort_by_digit(KEY *images, ushort *origins, const tile_memory *m, uint valid, uint pass)
{
    const bool by_number = pass >= PASSES;
    const uint shift = by_number ? 0 : shift_of(pass);
    const bool has_items = (uint)get_local_id(0) / 32 * (32 * ITEMS) < valid; /* else no need to sort what fills up the tile */
    KEY digits[ITEMS]; /* what has the digit at its shift */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        digits[j] = by_number ? (KEY)(m->numbers[origins[j]] >> (pass - PASSES) * DIGIT_BITS) : images[j];
    tile_clear(m->table);
    barrier(CLK_LOCAL_MEM_FENCE); /* the table is empty */
    if (has_items) {
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            tile_count_one(m->table, digits[j], shift);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    tile_begins(m->table, m->begins, m->sums, tile_own_count(m->table));
    barrier(CLK_LOCAL_MEM_FENCE); /* the table; all have read what was staged before */
    if (has_items) {
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            const uint place = tile_place(m->table, digits[j], shift);
            m->keys[place] = images[j];
            m->places[place] = origins[j];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the keys in their order */
    if (has_items) {
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            images[j] = m->keys[TILE_INDEX(j)];
            origins[j] = m->places[TILE_INDEX(j)];
        }
    }
}

TILE_INLINE void sort_by_digits(KEY *images, ushort *origins, const tile_memory *m, uint valid, uint items, uint passes)
{
    for (uint pass = 0; pass < passes; pass++)
        sort_by_digit(images, origins, m, valid, pass);
}
#endif

#if BY_ITEMS /* nothing was brought back to registers; if no pass ran, all elements are where they were */
#define SORTED_IMAGE(j, items)  m->keys[ITEM_INDEX(j, items)]
#define SORTED_ORIGIN(j, items) (END_BIT == 0 ? (ushort)ITEM_INDEX(j, items) : m->places[ITEM_INDEX(j, items)])
#else
#define SORTED_IMAGE(j, items)  images[j]
#define SORTED_ORIGIN(j, items) origins[j]
#endif

/* Write the sorted tile, which was read from `first` on, to the same place of the outputs. */
TILE_INLINE void write_tile(ARRAY_PARAMETERS, const KEY *images, const ushort *origins, const tile_memory *m, ulong first,
                            uint valid, uint items)
{
#if VALUE_SIZE
    VALUE values[ITEMS];
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (HAS_ITEM(j, items, valid)) {
#if INDICES
            values[j] = (VALUE)(first + SORTED_ORIGIN(j, items));
#else
            values[j] = values_in[values_in_offset + first + SORTED_ORIGIN(j, items)];
#endif
        }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* all values are read: they may be where they go */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (HAS_ITEM(j, items, valid))
            values_out[values_out_offset + first + ITEM_INDEX(j, items)] = values[j];
#endif
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        if (HAS_ITEM(j, items, valid))
            keys_out[keys_out_offset + first + ITEM_INDEX(j, items)] = key_of(SORTED_IMAGE(j, items));
}

// SPDX-License-Identifier: MIT
/* pass.cl: a group takes a tile through a pass. The kernel says where its digits go.
 *
 *     PASS_MEMORY(m, least)                                  in the kernel: local memory m, with room to stage at least
 *                                                            so many words of 16 bytes
 *     pass_digits(&m, shift, lowest, unordered)              before the first tile: which digit, the same for all
 *                                                            tiles; the lowest bit by which tiles are in order
 *                                                            already, or this digit's; and a word that says whether
 *                                                            atomics are known to return places in no order, or 0
 *     pass_reset(&m)                                         for each tile
 *     pass_load(&m, images, &r, first, valid)                load the tile's keys as they are in memory
 *     count = pass_count(&m, images, &r, shift)              how many keys have the digit with the work-item's number
 *     pass_begins(&m, &r, count)                             where digits begin, in m.begins
 *     pass_stage(&m, images, &places, &r, first, valid)      put the tile in order
 *     pass_move(&m, &r, first, valid, shift, &places)        write keys to m.offsets[digit] + their places
 *
 * There are barriers in pass_load, pass_count and pass_begins, in pass_stage except with RANK_BY_ITEM and
 * RANK_BY_BALLOTS, and one in pass_move before it reads offsets. The kernel needs another one after pass_begins. A group may load its next tile as soon as it has moved one. It calls pass_reset
 * after that, because only after the barrier of pass_load are all work-items done with the previous tile. The digit is
 * not set there: PoCL 3.1 drops code right after a barrier if only some work-items execute it and this was known before
 * the barrier. */
#include "common/kernel.h"
#include "radix_sort/modes.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/tile_by_masks.cl"
#include "radix_sort/parts/scatter.cl"
#include "radix_sort/parts/checked.cl"

#ifdef MOST_BUCKET_BITS
#define LOWEST_BIT(m) ((m)->shift[1])
#else
#define LOWEST_BIT(m) 0 /* then all passes are made */
#endif
/* In the first pass over all bits of keys without values, those with the same digit may come in any order: later passes
 * put them in order, or they are identical. */
#define IS_CHECKED(r) (HAS_SOURCES || !(r)->is_first)
#define FREQUENT      24 /* a tile is skewed if a digit has so many times the average number of keys */

typedef struct {
    __local uint *table;
    __local uint *begins;
    __local COUNT *offsets;
    __local uint *sums;
    __local uint4 *staged;
    __local uint *shift; /* and behind it the lowest bit */
#if RANK_BY == RANK_BY_CHECKED
    __local ushort *sources;
    __local uint *frequent; /* the two most frequent digits, with their counts in the higher bits; 0 if there is none */
#endif
#if TRIES_ATOMICS
    __local uint *errors;
#endif
#if MASKS_AFTER_ATOMICS
    __local uint *unordered;
    __local uint *alone; /* not 0: all keys of the tile have the same digit */
#endif
} pass_memory;

#define PASS_MEMORY(m, least)                                                                                          \
    __local uint4 pass_table[(TABLE + 3) / 4];                                                                         \
    __local uint pass_begins_of[RADIX + 1];                                                                            \
    __local COUNT pass_offsets[RADIX];                                                                                 \
    __local uint pass_sums[TILE_SUMS];                                                                                 \
    __local uint4 pass_staged[STAGED_WORDS > (least) ? STAGED_WORDS : (least)];                                        \
    __local uint pass_shift[2];                                                                                        \
    PASS_MEMORY_CHECKED                                                                                                \
    const pass_memory m = {(__local uint *)pass_table, pass_begins_of, pass_offsets, pass_sums, pass_staged,           \
                           pass_shift PASS_CHECKED};
#if RANK_BY == RANK_BY_CHECKED
#define PASS_MEMORY_CHECKED                                                                                            \
    __local uint4 pass_sources[HAS_SOURCES ? TILE / 8 : 1];                                                            \
    __local uint pass_frequent[2];                                                                                     \
    __local uint pass_errors;
#define PASS_CHECKED , (__local ushort *)pass_sources, pass_frequent, &pass_errors
#elif MASKS_AFTER_ATOMICS
#define PASS_MEMORY_CHECKED    __local uint pass_errors, pass_unordered, pass_alone;
#define PASS_CHECKED           , &pass_errors, &pass_unordered, &pass_alone
#define RANKS_BY_ATOMICS(m, r) (!IS_CHECKED(r) || *(m)->unordered == 0)
#else
#define PASS_MEMORY_CHECKED
#define PASS_CHECKED
#endif

ALWAYS_INLINE void pass_digits(const pass_memory *m, uint shift, uint lowest, const volatile __global uint *unordered)
{
    if (get_local_id(0) == 0) {
        m->shift[0] = shift;
        m->shift[1] = lowest;
#if MASKS_AFTER_ATOMICS
        *m->unordered = unordered != 0 ? *unordered : 0;
#endif
    }
}

ALWAYS_INLINE void pass_reset(const pass_memory *m)
{
#if TRIES_ATOMICS
    if (get_local_id(0) == 0) {
#if RANK_BY == RANK_BY_CHECKED
        m->frequent[0] = m->frequent[1] = 0;
#else
        *m->alone = 0;
#endif
        *m->errors = 0;
    }
#endif
}

ALWAYS_INLINE void pass_load(const pass_memory *m, KEY *images, const route *r, ulong first, uint valid)
{
    tile_clear(m->table);
    tile_load(images, r->keys_from, first, valid, r->is_first);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until the table is empty; all are done with the previous tile */
}

ALWAYS_INLINE uint pass_count(const pass_memory *m, KEY *images, const route *r, uint shift)
{
    tile_turn(images, r->is_first);
    tile_count(m->table, images, shift);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until all is counted */
    return tile_own_count(m->table);
}

ALWAYS_INLINE void pass_begins(const pass_memory *m, const route *r, uint count)
{
#if RANK_BY == RANK_BY_CHECKED
    const uint own_frequent = count > FREQUENT * TILE / RADIX ? count << DIGIT_BITS | (uint)get_local_id(0) : 0;
    if (own_frequent != 0)
        (void)atomic_max(m->frequent, own_frequent);
#endif
#if MASKS_AFTER_ATOMICS
    const uint place = digit_begins(m->begins, m->sums, count); /* with a barrier */
    if (count == TILE)
        *m->alone = 1;
    if (RANKS_BY_ATOMICS(m, r))
        owners_begin(m->table, place);
    else
        masks_begin(m->table, place);
#else
    tile_begins(m->table, m->begins, m->sums, count); /* with a barrier */
#endif
#if RANK_BY == RANK_BY_CHECKED
    if (own_frequent != 0 && own_frequent != m->frequent[0])
        (void)atomic_max(m->frequent + 1, own_frequent);
#endif
}

ALWAYS_INLINE void pass_stage(const pass_memory *m, KEY *images, places_of_items *places, const route *r, ulong first,
                              uint valid)
{
    __local KEY *const keys = (__local KEY *)m->staged;
    /* The shift is read from local memory, so that compilers cannot keep the digits of all keys from counting until
     * now, which would take half as many registers again. */
    const __local uint *shift = m->shift;
#if RANK_BY == RANK_BY_CHECKED
    if (m->frequent[0] != 0)
        tile_stage_skewed(keys, m->sources, places, m->table, images, *shift, m->frequent[0], m->frequent[1]);
    else
        tile_stage(keys, m->sources, places, m->table, images, *shift);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the staged keys */
#elif MASKS_AFTER_ATOMICS
    const bool is_alone = *m->alone != 0;
    const bool tries = !is_alone && RANKS_BY_ATOMICS(m, r);
    if (is_alone)
        tile_stage_as_it_is(keys, images);
    if (tries)
        tile_stage_by_atomics(keys, m->table, images, valid, *shift);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the staged keys */
    const uint errors = tries && IS_CHECKED(r) ? tile_errors(keys, 0, m->begins, *shift, LOWEST_BIT(m)) : 0;
    if (errors != 0)
        (void)atomic_add(m->errors, errors);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the errors */
    const bool is_wrong = *m->errors != 0;
    /* PoCL 3.1 compiles barriers in loops of one turn or none correctly, but not in an `if`. */
    for (bool is_due = is_wrong || !(tries || is_alone); is_due; is_due = false)
        tile_stage_by_masks(keys, m->table, m->begins, r, first, valid, *shift, is_wrong);
    if (is_wrong && get_local_id(0) == 0)
        *m->unordered = 1; /* read after the next barrier */
#else
    tile_stage_keys(keys, places, m->table, images, *shift);
#endif
}

ALWAYS_INLINE void pass_move(const pass_memory *m, const route *r, ulong first, uint valid, uint shift,
                             const places_of_items *places)
{
#if RANK_BY == RANK_BY_CHECKED
    __local KEY *const keys = (__local KEY *)m->staged;
    const uint errors = IS_CHECKED(r) ? tile_errors(keys, m->sources, m->begins, shift, LOWEST_BIT(m)) : 0;
    if (errors != 0)
        (void)atomic_add(m->errors, errors);
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for where digits go, for the staged keys, and for errors */
#if RANK_BY == RANK_BY_CHECKED
    const bool is_wrong = *m->errors != 0;
    if (is_wrong)
        tile_stage_again(keys, m->sources, m->table, m->begins, m->sums, r, first, valid, shift);
    if (m->frequent[0] != 0 || is_wrong)
        tile_move(r, first, valid, shift, keys, m->sources, m->offsets);
    else if (!ROWS)
        tile_scatter(r, first, valid, shift, m->staged, places, m->offsets);
    else if (valid == TILE)
        tile_move_rows(r, first, m->staged, places, m->begins, m->offsets);
    else
        tile_move(r, first, valid, shift, keys, m->sources, m->offsets);
#else
    tile_scatter(r, first, valid, shift, m->staged, places, m->offsets);
#endif
}

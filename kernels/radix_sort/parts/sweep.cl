// SPDX-License-Identifier: MIT
/* sweep.cl: a group takes one tile of many through a pass, which reads and writes each key once. It sorts the tile by
 * the pass's digit in local memory; where its keys of a digit go it learns from the tiles before, by looking back over
 * what these have published of that digit, each digit for itself. If groups may not wait for one another, a group that
 * finds a tile missing counts the tile's digits itself.
 *
 *     SWEEP_MEMORY(m)                                        in the kernel: local memory m
 *     pass_digits(&m.pass, shift, lowest, *s.unordered)      before the first tile
 *     sweep_tile(&m, &s, &r, valid)                          tile s.tile, which has `valid` keys; all work-items call
 *                                                            it, with a barrier before the next tile's
 *
 * Before the first pass all status words are 0. If groups may wait, they must take tiles in the order of their numbers.
 * Source: Adinets and Merrill 2022, Onesweep; Merrill and Garland 2016. */
#include "radix_sort/modes.h"
#include "common/device_scope.cl"
#include "clprim/device/look_back.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/tile_by_masks.cl"
#include "radix_sort/parts/scatter.cl"
#include "radix_sort/parts/pass.cl"
#include "radix_sort/parts/status.cl"
#include "radix_sort/parts/status_fallback.cl"

/* What a pass has beside its arrays. */
typedef struct {
    volatile __global uint *totals;    /* of digits, in all tiles together */
    __global STATUS *status;           /* of tile 0 */
    volatile __global uint *unordered; /* a word: whether atomics are known to return places in no order */
    uint tile, shift;
    COUNT begin; /* where tile 0 begins in the arrays */
} sweep;

typedef struct {
    pass_memory pass;
    __local uint *more_sums;
    __local uint *ends;
    __local uint *missing;
} sweep_memory;

#if RANK_BY == RANK_BY_MASKS
#define SWEEP_SUMS
#define SWEEP_SUMS_OF(pass) (__local uint *)pass.staged /* nothing is there yet */
#else
#define SWEEP_SUMS          __local uint sweep_sums[TILE_SUMS];
#define SWEEP_SUMS_OF(pass) sweep_sums
#endif
#if CLPRIM_FORWARD_PROGRESS
#define SWEEP_LOOKS
#define SWEEP_LOOKS_OF , 0, 0
#else
#define SWEEP_LOOKS                                                                                                    \
    __local uint sweep_ends[RADIX];                                                                                    \
    __local uint sweep_missing[3];
#define SWEEP_LOOKS_OF , sweep_ends, sweep_missing
#endif
#define SWEEP_MEMORY(m)                                                                                                \
    PASS_MEMORY(sweep_pass, RANK_BY == RANK_BY_MASKS ? TILE_SUMS / 4 : 0)                                              \
    SWEEP_SUMS                                                                                                         \
    SWEEP_LOOKS                                                                                                        \
    const sweep_memory m = {sweep_pass, SWEEP_SUMS_OF(sweep_pass) SWEEP_LOOKS_OF};

ALWAYS_INLINE void sweep_tile(const sweep_memory *memory, const sweep *s, const route *r, uint valid)
{
    const uint lid = (uint)get_local_id(0);
    const uint tile = s->tile;
    const ulong first = (ulong)s->begin + (ulong)tile * TILE;
    const pass_memory *m = &memory->pass;
    KEY images[ITEMS];
    places_of_items places;
    pass_load(m, images, r, first, valid); /* with a barrier */
    pass_reset(m);
    const uint count = pass_count(m, images, r, s->shift); /* with a barrier */
#if RANK_BY > RANK_BY_ITEM
    if (lid < RADIX && tile > 0) /* the sooner the better: others wait for it */
        STATUS_STORE(s->status + (size_t)tile * RADIX + lid,
                     STATUS_OF(r->turn, 0, without_fillers(count, lid, valid, s->shift)));
#endif
#if RANK_BY == RANK_BY_MASKS /* count_smaller reads them behind the barriers of pass_begins */
    if (lid < RADIX && tile == 0)
        memory->more_sums[lid] = s->totals[lid];
#endif
    pass_begins(m, r, count); /* with a barrier */
    if (tile == 0)
        count_smaller(m->offsets, s->totals, memory->more_sums);
    barrier(CLK_LOCAL_MEM_FENCE); /* where digits begin; the table */
    for (uint digit = lid; digit < RADIX; digit += GROUP_SIZE) {
        const uint own = digit_count(m->begins, digit, valid, s->shift);
        if (tile == 0)
            STATUS_STORE(s->status + digit, STATUS_OF(r->turn, 1, m->offsets[digit] + own));
        else if (RANK_BY == RANK_BY_ITEM)
            STATUS_STORE(s->status + (size_t)tile * RADIX + digit, STATUS_OF(r->turn, 0, own));
    }
    AFTER_PUBLISHING
    pass_stage(m, images, &places, r, first, valid);
#if MASKS_AFTER_ATOMICS
    if (lid == 0 && *m->errors != 0)
        *s->unordered = 1;
#endif
#if !CLPRIM_FORWARD_PROGRESS
    const status_look look = {s->status, s->totals, tile, r->turn, s->begin, memory->ends, memory->missing};
    find_before(m, &look, r, s->shift); /* with barriers */
#endif
    for (uint digit = lid; digit < RADIX; digit += GROUP_SIZE) {
        STATUS before = m->offsets[digit];
        if (tile > 0) {
#if CLPRIM_FORWARD_PROGRESS
            before = count_before(s->status + digit, tile, r->turn);
#endif
            STATUS_STORE(s->status + (size_t)tile * RADIX + digit,
                         STATUS_OF(r->turn, 1, before + digit_count(m->begins, digit, valid, s->shift)));
        }
        m->offsets[digit] = s->begin + (COUNT)before - m->begins[digit];
    }
    pass_move(m, r, first, valid, s->shift, &places); /* with a barrier */
}

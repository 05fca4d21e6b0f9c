/* radix_sort_onesweep: one pass of a sort, reading and writing each key once. A group sorts a tile by the pass's digit
 * in local memory; where its keys of a digit go it learns from the tiles before, by looking back over what these have
 * published of that digit, each digit for itself. radix_sort_count has set all status words to 0. Where groups may not
 * wait for one another, a group that finds a tile missing counts the tile's digits itself.
 *
 * Source: Adinets and Merrill 2022, Onesweep; Merrill and Garland 2016. */
#include "radix_sort/modes.h"
#include "common/device_scope.cl"
#include "clprim/device/tagged_words.h"
#include "clprim/device/look_back.h"
#include "radix_sort/args.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/route.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/tile_by_masks.cl"
#include "radix_sort/parts/tile_by_steps.cl"
#include "radix_sort/parts/scatter.cl"
#include "radix_sort/parts/pass.cl"
#include "radix_sort/count.cl"
#include "radix_sort/copy.cl"
#include "radix_sort/parts/status.cl"
#include "radix_sort/parts/status_fallback.cl"

#if RANK_BY == RANK_BY_MASKS
#define MORE_SUMS(m, more_sums) ((__local uint *)(m)->staged) /* nothing is there yet */
#elif RANK_BY == RANK_BY_STEPS
#define MORE_SUMS(m, more_sums) STEP_COUNTERS((m)->table) /* nothing is there any more */
#else
#define MORE_SUMS(m, more_sums) more_sums
#endif

/* What a pass has beside its arrays. */
typedef struct {
    volatile __global uint *totals;
    __global STATUS *status;
    uint tile, shift;
} sweep;

ALWAYS_INLINE void sweep_tile(const pass_memory *m, const sweep *s, const route *r, ulong first, uint valid,
                              __local uint *more_sums, __local uint *ends, __local uint *missing)
{
    const uint lid = (uint)get_local_id(0);
    const uint tile = s->tile;
    KEY images[ITEMS];
    places_of_items places;
    pass_digits(m, s->shift);
    pass_reset(m);
    pass_load(m, images, r, first, valid);                 /* with a barrier */
    const uint count = pass_count(m, images, r, s->shift); /* with a barrier */
#if RANK_BY > RANK_BY_ITEM
    if (lid < RADIX && tile > 0) /* the sooner the better: others wait for it */
        STATUS_STORE(s->status + (size_t)tile * RADIX + lid,
                     STATUS_OF(r->turn, 0, without_fillers(count, lid, valid, s->shift)));
#endif
#if RANK_BY >= RANK_BY_MASKS /* count_smaller reads them behind the barriers of pass_begins */
    if (lid < RADIX && tile == 0)
        more_sums[lid] = s->totals[lid];
#endif
    pass_begins(m, count); /* with a barrier */
    if (tile == 0)
        count_smaller(m->offsets, s->totals, more_sums);
    barrier(CLK_LOCAL_MEM_FENCE); /* where digits begin; the table */
    for (uint digit = lid; digit < RADIX; digit += GROUP_SIZE) {
        const uint own = digit_count(m->begins, digit, valid, s->shift);
        if (tile == 0)
            STATUS_STORE(s->status + digit, STATUS_OF(r->turn, 1, m->offsets[digit] + own));
        else if (RANK_BY == RANK_BY_ITEM)
            STATUS_STORE(s->status + (size_t)tile * RADIX + digit, STATUS_OF(r->turn, 0, own));
    }
    pass_stage(m, images, &places);
#if !CLPRIM_FORWARD_PROGRESS
    const status_look look = {s->status, s->totals, tile, r->turn, ends, missing};
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
        m->offsets[digit] = (COUNT)before - m->begins[digit];
    }
    pass_move(m, r, first, valid, s->shift, &places); /* with a barrier */
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void radix_sort_onesweep(ARGS_OF(RADIX_SORT_SWEEP))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    PASS_MEMORY(m, RANK_BY == RANK_BY_MASKS ? TILE_SUMS / 4 : 0)
#if RANK_BY < RANK_BY_MASKS
    __local uint more_sums[TILE_SUMS];
#endif
    __local uint shared;
#if !CLPRIM_FORWARD_PROGRESS
    __local uint ends[RADIX];
    __local uint missing[3];
#endif
    const uint epoch = args.epoch;
    const uint pass = args.pass;
    const uint same = SORT_SAME_PASSES(state, epoch);
    SORT_ROUTE(r, same)
#if !CLPRIM_INT64_ATOMICS
    if (pass == 0 && get_global_id(0) == 0) /* for radix_sort_copy */
        state[SORT_SAME + epoch % 2] = same;
#endif
#if CLPRIM_FORWARD_PROGRESS
    if (r.is_idle)
        return;
#endif
    const uint tile = clprim__draw_ticket(state, (uint)get_num_groups(0), &shared);
    const ulong first = (ulong)tile * TILE;
    const uint valid = n - first < TILE ? (uint)(n - first) : TILE;
    const sweep s = {state + SORT_TOTALS(epoch) + pass * RADIX, (__global STATUS *)(scratch + args.counts_at), tile,
                     shift_of(pass)};
#if !CLPRIM_FORWARD_PROGRESS
    /* PoCL 3.1 loses loops with barriers that come behind a return, but not those of no turns or of one */
    for (bool is_due = !r.is_idle && first < n; is_due; is_due = false)
        sweep_tile(&m, &s, &r, first, valid, MORE_SUMS(&m, more_sums), ends, missing);
#else
    if (COUNTED && first >= n)
        return;
    sweep_tile(&m, &s, &r, first, valid, MORE_SUMS(&m, more_sums), 0, 0);
#endif
}

/* tiles_before.cl: the fold of all tiles before one, as a long_prefix, by looking back: look_back.cl, but sums of
 * floats are not passed on as one rounded number from tile to tile, of which there are ever more.
 *
 *     long_prefix p = tiles_before(state, epoch, tile, &window);    // valid in work-item 0
 *
 * Parameters: GROUP_SIZE. */
#include "common/kernel.h"
#include "scan/parts/elements.cl"
#include "scan/parts/long_prefix.cl"
#include "common/subgroup.cl"
#include "common/subgroup_values.cl"
#include "common/look_back.cl"

#if FALLBACK || !defined(LONG_PREFIX)
typedef look_back_window tiles_window;

ALWAYS_INLINE long_prefix tiles_before(__global ulong *state, uint epoch, uint tile, __local tiles_window *window)
{
    return look_back(state, epoch, tile, window);
}
#elif CLPRIM_SUB_GROUP_MEANS == 1 && defined(SUBGROUP_SHUFFLE)
typedef uint tiles_window; /* not needed */

static inline long_prefix prefix_of_lane(long_prefix p, uint lane)
{
    prefix_words mine;
    prefix_words theirs;
    mine.value = p;
#pragma unroll
    for (uint w = 0; w < PREFIX_WORDS; w++)
        theirs.words[w] = clprim_sub_group_shuffle(mine.words[w], lane);
    return theirs.value;
}

/* As look_back. The folds of the tiles behind the one whose prefix is found, few as they are, are added up by all
 * lanes; then the prefix goes on with that. */
ALWAYS_INLINE long_prefix tiles_before(__global ulong *state, uint epoch, uint tile, __local tiles_window *window)
{
    long_prefix prefix = prefix_begin(IDENTITY);
    VALUE behind = IDENTITY;
    if (clprim_sub_group_index() > 0)
        return prefix;
    const uint lane = clprim_sub_group_lane();
    if (tile >= LOOK_BACK_SLEEPERS) /* as in look_back */
        asm volatile("nanosleep.u32 600;");
    for (uint end = tile; end > 0;) { /* tiles from `end` on are in `behind` */
        long_prefix x = prefix_begin(IDENTITY);
        const uint kind = lane < end ? look_back_read(state, epoch, end - 1 - lane, &x) : TILE_PREFIX;
        const uint ready = clprim_sub_group_ballot(kind != 0).x;
        const uint prefixes = clprim_sub_group_ballot(kind == TILE_PREFIX).x;
        const uint needed = prefixes != 0 ? prefixes ^ (prefixes - 1) : ~0u; /* lanes up to the first with a prefix */
        if ((ready & needed) != needed)
            continue;
        VALUE total = x.value;
        if (!(needed >> lane & 1) || kind == TILE_PREFIX)
            total = IDENTITY;
        behind = COMBINE(subgroup_reduce_reversed(total), behind); /* the higher the lane, the earlier the tile */
        if (prefixes != 0) {
            prefix = prefix_then(prefix_of_lane(x, 31 - clz(needed)), behind);
            break;
        }
        end -= 32;
    }
    return prefix;
}
#else
typedef struct {
    long_prefix values[LOOK_BACK_WINDOW];
    long_prefix prefix;
    VALUE behind;
    uint ready; /* as in look_back_window */
    uint prefixes;
    uint end;
} tiles_window;

ALWAYS_INLINE long_prefix tiles_before(__global ulong *state, uint epoch, uint tile, __local tiles_window *window)
{
    const uint lid = (uint)get_local_id(0);
    if (lid == 0) {
        window->prefix = prefix_begin(IDENTITY);
        window->behind = IDENTITY;
        window->ready = window->prefixes = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the prefix, which all read at the end; the bits */
    for (uint end = tile; end > 0;) {
        if (lid < LOOK_BACK_WINDOW && lid < end) {
            long_prefix x = prefix_begin(IDENTITY);
            const uint kind = look_back_read(state, epoch, end - 1 - lid, &x);
            window->values[lid] = x;
            if (kind != 0)
                (void)atomic_or(&window->ready, 1u << lid);
            if (kind == TILE_PREFIX)
                (void)atomic_or(&window->prefixes, 1u << lid);
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the window is filled */
        if (lid == 0) {
            const uint usable = window->ready & ~(window->ready + 1); /* with no gap before */
            const uint first = window->prefixes & usable & (0 - (window->prefixes & usable));
            const uint totals = first != 0 ? first - 1 : usable;
            VALUE behind = window->behind;
#pragma unroll
            for (uint k = 0; k < LOOK_BACK_WINDOW; k++)
                if (totals >> k & 1)
                    behind = COMBINE(window->values[k].value, behind);
            window->behind = behind;
            if (first != 0)
                window->prefix = prefix_then(window->values[31 - clz(first)], behind);
            window->end = first != 0 ? 0 : end - popcount(totals);
            window->ready = window->prefixes = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* how far it went; the window may be filled again */
        end = window->end;
    }
    return window->prefix;
}
#endif

// SPDX-License-Identifier: MIT
/* register_tile.cl: a tile of elements. Each work-item holds several of them in registers, and makes steps among them
 * without memory. In between, the work-group exchanges elements through local memory (lecture, "advanced" bitonic
 * sort).
 *
 * This is the mirrored form of the network: the first step of a stage compares the i-th element of a block with the
 * i-th element from its end. Then every comparator puts the lesser element in front. So elements that pad the last
 * tile, or that do not exist, stay at the end.
 *
 * A tile has 2^TILE_LOG places. In the window that begins at bit w, the places of a tile correspond to these places of
 * the array: the low `columns` bits are neighbours, so that adjacent work-items read adjacent elements; the other bits
 * count segments, which are 2^w apart. Within a tile, a work-item's slots are ITEMS_LOG successive bits of the place:
 * this is its spread.
 *
 * Parameters: ITEMS_LOG; NEIGHBOURS_LOG, log2 of the neighbours that are worth reading together, if a tile has so many
 * and a segment has more; UNROLL 1: unroll the loops over stages, too. TILE_AT_ZERO 1: all tiles are tile_at(0) of the
 * arrays that are passed to these functions, and n is at most TILE; otherwise 0, or not defined. PLACES_ANEW 1: places
 * are computed when they are needed; otherwise, or if it is not defined, NVIDIA's compiler may compute them in front of
 * loops and branches and keep them in registers. */
#include "common/subgroup.cl"
#include "common/items.cl"

#if !defined(ITEMS_LOG) || !defined(NEIGHBOURS_LOG) || !defined(UNROLL)
#error "ITEMS_LOG, NEIGHBOURS_LOG and UNROLL must be given"
#endif

#ifndef TILE_AT_ZERO
#define TILE_AT_ZERO 0
#endif
#ifndef PLACES_ANEW
#define PLACES_ANEW 0
#endif

#define ITEMS (1u << ITEMS_LOG)
#define TILE  (GROUP_SIZE << ITEMS_LOG)
#if PLACES && TILE + TILE / 32 > 65535
#error "places in a tile are of 16 bits"
#endif
#define LOG_2(n)    ((n) >= 2 ? (n) >= 4 ? 2 : 1 : 0)
#define LOG_16(n)   ((n) >= 8 ? 3 + LOG_2((n) / 8) : LOG_2(n))
#define GROUP_LOG   (GROUP_SIZE >= 64 ? 6 + LOG_16(GROUP_SIZE / 64) : LOG_16(GROUP_SIZE)) /* its loops are unrolled */
#define TILE_LOG    (GROUP_LOG + ITEMS_LOG)
#define COLUMNS_LOG min(NEIGHBOURS_LOG, TILE_LOG - 1)
/* skip one bank after every 32, so that strides that are powers of two cause no bank conflicts */
#define PADDED(i) ((i) + ((i) >> 5))

#if CLPRIM_SUB_GROUP_MEANS == 1 && GROUP_SIZE % 32 == 0
#define WARP_LOG 5 /* work-items that run in lockstep: exchanges among them need no barrier */
#else
#define WARP_LOG (-1)
#endif

/* The position of a tile in the array. In the upper half of the tile, the window's first step, which mirrors, has other
 * neighbours. */
typedef struct {
    INDEX begin;
    INDEX lower, upper; /* the neighbours' bits between columns and segments, for both halves */
    uint columns;       /* log2 of the number of neighbours */
    uint window;
    bool is_whole; /* true if it is known at compile time that all elements exist */
} tile_place;

ALWAYS_INLINE tile_place tile_at(INDEX tile)
{
    return (tile_place){tile * TILE, 0, 0, COLUMNS_LOG, COLUMNS_LOG, false};
}

ALWAYS_INLINE tile_place tile_in_window(INDEX tile, uint columns, uint window, bool mirrors)
{
    const uint between = window - columns;
    const INDEX mask = ((INDEX)1 << between) - 1;
    const INDEX lower = tile & mask;
    return (tile_place){(tile >> between) << (between + TILE_LOG),
                        lower << columns,
                        (mirrors ? lower ^ mask : lower) << columns,
                        columns,
                        window,
                        false};
}

ALWAYS_INLINE INDEX index_of(tile_place t, uint place)
{
    const INDEX segment = (INDEX)(place >> t.columns) << t.window;
    const uint column = place & ((1u << t.columns) - 1);
    return t.begin + (segment | ((place >> (TILE_LOG - 1)) != 0 ? t.upper : t.lower) | column);
}

/* The places of a work-item's slots: bits low .. low + ITEMS_LOG - 1 of the place are the slot's number. If the stage's
 * first step mirrors, the bits below are mirrored in the upper half of the slots, so that a slot's partner is in the
 * same work-item. */
typedef struct {
    uint first, second; /* for the lower slots, and for the upper ones */
    int low;
} spread;

ALWAYS_INLINE spread spread_at(int low, bool mirrors)
{
#if PLACES_ANEW
    const uint own = clprim__anew((uint)get_local_id(0));
#else
    const uint own = (uint)get_local_id(0);
#endif
    const uint mask = (1u << low) - 1;
    const uint first = ((own & ~mask) << ITEMS_LOG) | (own & mask);
    return (spread){first, mirrors ? first ^ mask : first, low};
}

ALWAYS_INLINE uint place_of(spread s, uint slot)
{
    return (slot >> (ITEMS_LOG - 1) != 0 ? s.second : s.first) + (slot << s.low);
}

/* PADDED of the place. A slot's own bits are separate from the other bits. So each part of the sum can be padded
 * separately, and the compiler does so for the slots' constant part. */
ALWAYS_INLINE uint padded_place_of(spread s, uint slot)
{
    return PADDED(slot >> (ITEMS_LOG - 1) != 0 ? s.second : s.first) + PADDED(slot << s.low);
}

#if TILE_AT_ZERO
/* The slot's own part is a constant here. If both sums were kept from one step to the next, they would take half as
 * many registers again. */
ALWAYS_INLINE bool is_there(spread s, uint slot, tile_place t, INDEX n)
{
    return (int)(slot << s.low) < (int)n - (int)(slot >> (ITEMS_LOG - 1) != 0 ? s.second : s.first);
}
#else
ALWAYS_INLINE bool is_there(spread s, uint slot, tile_place t, INDEX n)
{
    return index_of(t, place_of(s, slot)) < n;
}
#endif

/* Compare slots a and b > a. Pairs with elements that do not exist are skipped: in the caller's order, there may be no
 * element that comes last to stand for them. */
ALWAYS_INLINE void compare(item *x, uint a, uint b, spread s, tile_place t, INDEX n)
{
#if CUSTOM
    const bool wrong = (t.is_whole || is_there(s, b, t, n)) && before(x[b], x[a]);
#else
    const bool wrong = before(x[b], x[a]);
#endif
    const item first = pick(wrong, x[b], x[a]);
    x[b] = pick(wrong, x[a], x[b]);
    x[a] = first;
}

/* Make the steps at bits high .. low of the slot number. */
ALWAYS_INLINE void steps(item *x, int high, int low, spread s, tile_place t, INDEX n)
{
#pragma unroll
    for (int bit = ITEMS_LOG - 1; bit >= 0; bit--)
        if (bit <= high && bit >= low) {
#pragma unroll
            for (uint i = 0; i < ITEMS; i++)
                if ((i >> bit & 1) == 0)
                    compare(x, i, i | 1u << bit, s, t, n);
        }
}

ALWAYS_INLINE void mirrored_step(item *x, int high, spread s, tile_place t, INDEX n)
{
#pragma unroll
    for (int bit = ITEMS_LOG - 1; bit >= 0; bit--)
        if (bit == high) {
#pragma unroll
            for (uint i = 0; i < ITEMS; i++)
                if ((i >> bit & 1) == 0)
                    compare(x, i, i ^ ((2u << bit) - 1), s, t, n);
        }
}

/* Change to another spread. A work-item writes only places that no other work-item has read, so one barrier is
 * enough. */
ALWAYS_INLINE spread move(local_array tile, item *x, spread from, spread to)
{
#pragma unroll
    for (uint i = 0; i < ITEMS; i++)
        local_store(tile, padded_place_of(from, i), x[i]);
#if WARP_LOG > 0
    if (from.low <= WARP_LOG && to.low <= WARP_LOG)
        clprim_sub_group_sync(); /* the elements of a warp only go to work-items of the same warp */
    else
#endif
        barrier(CLK_LOCAL_MEM_FENCE); /* all have written */
#pragma unroll
    for (uint i = 0; i < ITEMS; i++)
        x[i] = local_load(tile, padded_place_of(to, i));
    return to;
}

#if UNROLL /* loop up to the largest possible number, which is a constant */
#define STEPS_DOWN_TO(low)                                                                                             \
    for (int k = 0; k <= GROUP_LOG / ITEMS_LOG; k++)                                                                   \
        if (high >= (low))
#else
#define STEPS_DOWN_TO(low) while (high >= (low))
#endif

/* Make the steps at bits high .. low of the place. */
ALWAYS_INLINE spread tile_steps(local_array tile, item *x, spread s, int high, int low, tile_place t, INDEX n)
{
#if UNROLL
#pragma unroll
#endif
    STEPS_DOWN_TO(low)
    {
        const int next = max(high + 1 - ITEMS_LOG, low);
        s = move(tile, x, s, spread_at(next, false));
        steps(x, high - next, 0, s, t, n);
        high = next - 1;
    }
    return s;
}

/* The item that stands for an element that does not exist. It comes last; in a caller's order, it is arbitrary and
 * skipped. It is not an element of the array, because that element's group may be writing it. */
ALWAYS_INLINE item absent(void)
{
    item x;
#if !CUSTOM
    KEY_OF(x) = LAST_IMAGE;
#if VALUE_SIZE
    x.value = (VALUE)(0);
#endif
#endif
    return x;
}

/* Store all elements of a tile at their places in local memory. There is no barrier: if items are sorted by their
 * places (items.cl), the items of a warp stay among its work-items until the first move with a barrier. */
ALWAYS_INLINE void stage_items(local_array tile, item *x, spread s)
{
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        const uint place = padded_place_of(s, i);
        staged_store(tile, place, x[i]);
#if PLACES
        x[i].place = place;
#endif
    }
}

/* Fetch all items that were sorted by their places. */
ALWAYS_INLINE void fetch_items(local_array tile, item *x)
{
#if PLACES
#pragma unroll
    for (uint i = 0; i < ITEMS; i++)
        x[i] = staged_load(tile, x[i].place);
#endif
}

ALWAYS_INLINE void tile_load(item *x, array a, spread s, tile_place t, INDEX n)
{
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        const INDEX at = index_of(t, place_of(s, i));
        if (t.is_whole || at < n)
            x[i] = load(a, at);
        else
            x[i] = absent();
    }
}

ALWAYS_INLINE void tile_store(array a, const item *x, spread s, tile_place t, INDEX n)
{
#pragma unroll
    for (uint i = 0; i < ITEMS; i++) {
        const INDEX at = index_of(t, place_of(s, i));
        if (t.is_whole || at < n)
            store(a, at, x[i]);
    }
}

/* look_back.cl: decoupled look-back: the fold of all tiles before one's own, while the other tiles are still at work.
 *
 *     tile = group_ticket((volatile __global uint *)state, groups, &shared);  // one's own
 *     at = tile;                                                      // the tile at hand
 *     do {
 *         total = ...;                                                // the fold of tile `at`
 *         LOOK_BACK_BRING(state, epoch, tile, at, total, TILE_TOTAL, &window);  // by work-item 0, as early as possible
 *         at = LOOK_BACK_MISSING(state, epoch, tile, at, false, &window);       // all call it
 *     } while (at != LOOK_BACK_DONE);
 *     prefix = look_back(state, epoch, tile, &window);                // valid in work-item 0; all call it
 *     look_back_publish(state, epoch, tile, COMBINE(prefix, total), TILE_PREFIX);
 *
 * A tile publishes its own fold, then looks back over those of its predecessors until one has published the fold of
 * everything up to it.
 *
 * state is memory that only this kernel uses, LOOK_BACK_WORDS(tiles) words of 64 bits, all 0 before the first launch.
 * epoch, less than 2^30 (2^14 where TAGGED_BITS is 16) and not 0, differs from that of every launch before, so that
 * nothing needs to be cleared in between. A tile's words have cache lines of their own: those who poll them would else
 * slow down those who write their neighbours (on an H200 3.2 instead of 3.8 TB/s).
 *
 * Nobody waits for a tile that was not started (ticket.cl). That a started group runs on is the host's to know
 * (clprim_device_info.has_forward_progress). Elsewhere, with FALLBACK, nobody waits at all: the loop above is run once
 * for each tile that a group finds missing after LOOKS + 1 looks. It computes the fold as the tile's own group does,
 * bit by bit: so words may come from both. If LOOKS is 0, a group begins with the tile before its own without a look,
 * and tiles have the numbers of groups. Without FALLBACK the loop is run once.
 *
 * Parameters: VALUE...; LOOK_BACK_HEADER, LOOK_BACK_LINE; FALLBACK, then also LOOKS.
 * Where what is looked back at is of another type than VALUEs: PREFIX, PREFIX_SIZE and PREFIX_REDUCE_REVERSED(x), over
 * all lanes, the last one first; IDENTITY and COMBINE are then for both. Where LONG_PREFIX is 1, PREFIXes are what sums
 * of VALUEs are carried in, with PREFIX and PREFIX_SIZE: then a kernel looks back by a function of its own.
 * Source: Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back; Smith, Levien and Owens
 * 2025, Decoupled Fallback: A Portable Single-Pass GPU Scan. */
#include "common/kernel.h"
#include "common/subgroup.cl"
#include "common/subgroup_values.cl"
#include "common/device_scope.cl"

#define TILE_TOTAL  1u
#define TILE_PREFIX 2u

#if !defined(LOOK_BACK_HEADER) || !defined(LOOK_BACK_LINE)
#error "LOOK_BACK_HEADER and LOOK_BACK_LINE must be given"
#endif
#ifndef PREFIX
#define PREFIX                    VALUE
#define PREFIX_SIZE               VALUE_SIZE
#define PREFIX_REDUCE_REVERSED(x) subgroup_reduce_reversed(x)
#endif
#define PREFIX_WORDS ((PREFIX_SIZE + 3) / 4)
typedef union {
    uint words[PREFIX_WORDS];
    PREFIX value;
} prefix_words;

#define LOOK_BACK_STRIDE      ((PREFIX_WORDS + 1 + LOOK_BACK_LINE - 1) / LOOK_BACK_LINE * LOOK_BACK_LINE)
#define LOOK_BACK_WORDS(tile) (LOOK_BACK_HEADER + (size_t)(tile)*LOOK_BACK_STRIDE)

#if TAGGED_WORDS
/* A tile's tagged words, and the bits that each of them takes from a PREFIX. */
#define TAGGED_PARTS (PREFIX_WORDS * 32 / TAGGED_BITS)
#if TAGGED_BITS == 32
#define TAGGED_PART(all, p) (all)[p]
#else
#define TAGGED_PART(all, p) ((all)[(p) / 2] >> (p) % 2 * 16 & 0xffff)
#endif

static inline __global tagged_word *look_back_words(__global ulong *state, uint tile)
{
    return (__global tagged_word *)(state + LOOK_BACK_WORDS(tile));
}

static inline void look_back_publish(__global ulong *state, uint epoch, uint tile, PREFIX x, uint kind)
{
    prefix_words mine = {{0}};
    mine.value = x;
#pragma unroll
    for (uint p = 0; p < TAGGED_PARTS; p++)
        tagged_store(look_back_words(state, tile) + p, epoch << 2 | kind, TAGGED_PART(mine.words, p));
}

/* 0 where the tile has not published, or its words are of different kinds, as while it changes them. */
static inline uint look_back_read(__global ulong *state, uint epoch, uint tile, PREFIX *x)
{
    __global tagged_word *words = look_back_words(state, tile);
    prefix_words theirs = {{0}};
    tagged_word loaded[TAGGED_PARTS];
#pragma unroll
    for (uint p = 0; p < TAGGED_PARTS; p++)
        loaded[p] = tagged_load(words + p);
    const uint tag = (uint)(loaded[0] >> TAGGED_BITS);
    bool agree = tag >> 2 == epoch;
#pragma unroll
    for (uint p = 0; p < TAGGED_PARTS; p++) {
        agree = agree && (uint)(loaded[p] >> TAGGED_BITS) == tag;
#if TAGGED_BITS == 32
        theirs.words[p] = (uint)loaded[p];
#else
        theirs.words[p / 2] |= (loaded[p] & 0xffff) << p % 2 * 16;
#endif
    }
    *x = theirs.value;
    return agree ? tag & 3 : 0;
}
#else
/* Words of 32 bits: the tag; the total; the prefix, which has words of its own, since nobody may read half of each. */
static inline void look_back_publish(__global ulong *state, uint epoch, uint tile, PREFIX x, uint kind)
{
    volatile __global uint *words = (volatile __global uint *)(state + LOOK_BACK_WORDS(tile));
    prefix_words mine = {{0}};
    mine.value = x;
    for (uint w = 0; w < PREFIX_WORDS; w++)
        device_store(words + 1 + (kind == TILE_PREFIX ? PREFIX_WORDS : 0) + w, mine.words[w]);
    device_fence(); /* the value before the tag */
    device_store(words, epoch << 2 | kind);
}

static inline uint look_back_read(__global ulong *state, uint epoch, uint tile, PREFIX *x)
{
    volatile __global uint *words = (volatile __global uint *)(state + LOOK_BACK_WORDS(tile));
    const uint tag = device_load(words);
    if (tag >> 2 != epoch)
        return 0;
    device_fence(); /* the tag before the value */
    const uint kind = tag & 3;
    prefix_words theirs;
    for (uint w = 0; w < PREFIX_WORDS; w++)
        theirs.words[w] = device_load(words + 1 + (kind == TILE_PREFIX ? PREFIX_WORDS : 0) + w);
    *x = theirs.value;
    return kind;
}
#endif

#define LOOK_BACK_SLEEPERS 1024 /* with fewer tiles there is no time to lose */
#define LOOK_BACK_WINDOW   (GROUP_SIZE < 32 ? GROUP_SIZE : 32)

#define LOOK_BACK_DONE     (~0u) /* no tile */

#if FALLBACK
#if !defined(LOOKS) || !TAGGED_WORDS
#error "LOOKS and tagged words must be given"
#endif
#ifdef LONG_PREFIX /* tiles behind the last prefix are summed up as VALUEs */
typedef VALUE look_back_sum;
#define LOOK_BACK_SUM(x)             (x).value
#define LOOK_BACK_JOIN(prefix, sum)  prefix_then(prefix, sum)
#define LOOK_BACK_NONE               prefix_begin(IDENTITY)
#define LOOK_BACK_REDUCE_REVERSED(x) subgroup_reduce_reversed(x)
#else
typedef PREFIX look_back_sum;
#define LOOK_BACK_SUM(x)             (x)
#define LOOK_BACK_JOIN(prefix, sum)  COMBINE(prefix, sum)
#define LOOK_BACK_NONE               IDENTITY
#define LOOK_BACK_REDUCE_REVERSED(x) PREFIX_REDUCE_REVERSED(x)
#endif
#if CLPRIM_SUB_GROUP_MEANS == 1 && defined(SUBGROUP_SHUFFLE)
#define LOOK_BACK_BY_LANES 1
#else
#define LOOK_BACK_BY_LANES 0
#endif

typedef struct {
    PREFIX prefix;        /* once end is 0: of all tiles before one's own */
    look_back_sum behind; /* of the tiles from `end` to one's own */
    uint end;
    uint looks; /* that count as made before the first one */
    uint is_late;
#if !LOOK_BACK_BY_LANES
    PREFIX values[LOOK_BACK_WINDOW];
    uint ready; /* a bit for each place of the window whose tile has published something; has published a prefix */
    uint prefixes;
#endif
} look_back_window;

static inline void look_back_found(__local look_back_window *window, uint tile, PREFIX x, uint kind)
{
    if (kind == TILE_PREFIX) {
        window->prefix = LOOK_BACK_JOIN(x, window->behind);
        window->end = 0;
    } else {
        window->behind = COMBINE(LOOK_BACK_SUM(x), window->behind);
        window->end = tile;
    }
}

/* By one work-item: x is the fold of tile `at`: one's own; or the one that look_back_missing has asked for. Nobody
 * knows whether its own group or others that miss it, too, are about to publish the same bits, so each word is stored
 * only where it is still missing. */
static inline void look_back_bring(__global ulong *state, uint epoch, uint tile, uint at, PREFIX x, uint kind,
                                   __local look_back_window *window)
{
    if (at == tile) {
        look_back_publish(state, epoch, tile, x, kind);
        window->prefix = LOOK_BACK_NONE;
        window->behind = IDENTITY;
        window->end = tile;
        window->looks = LOOKS == 0 && tile > 0;
#if !LOOK_BACK_BY_LANES
        window->ready = window->prefixes = 0;
#endif
    } else {
        __global tagged_word *words = look_back_words(state, at);
        prefix_words mine = {{0}};
        mine.value = x;
#pragma unroll
        for (uint p = 0; p < TAGGED_PARTS; p++) {
            const tagged_word there = tagged_load(words + p);
            if ((uint)(there >> TAGGED_BITS) >> 2 != epoch)
                tagged_offer(words + p, there, epoch << 2 | kind, TAGGED_PART(mine.words, p));
        }
        PREFIX theirs;
        const uint found = look_back_read(state, epoch, at, &theirs);
        if (found != 0) /* else the tile's group is changing its words from total to prefix */
            look_back_found(window, at, theirs, found);
        else
            look_back_found(window, at, x, kind);
        window->looks = 0;
    }
}

/* Whether tile `at` was published before all work-items had what they have loaded of it: if groups store where they
 * have loaded, but only after they have published all words and after a device_fence, that may then be something
 * else. */
ALWAYS_INLINE bool look_back_is_late(__global ulong *state, uint epoch, uint at, __local look_back_window *window)
{
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* all have loaded */
    if (get_local_id(0) == 0) {
        PREFIX theirs;
        device_fence();
        window->is_late = look_back_read(state, epoch, at, &theirs) != 0;
        window->looks = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* is_late */
    return window->is_late != 0;
}

/* Look on from where the window ends until a prefix is found, or a tile that has published nothing in LOOKS + 1 looks
 * in a row: that tile. At the end: LOOK_BACK_DONE; or before, if `returns` and another tile is at hand, one's own
 * tile. */
ALWAYS_INLINE uint look_back_missing(__global ulong *state, uint epoch, uint tile, uint at, const bool returns,
                                     __local look_back_window *window)
{
    barrier(CLK_LOCAL_MEM_FENCE); /* what look_back_bring leaves */
#if LOOK_BACK_BY_LANES
    if (clprim_sub_group_index() == 0) {
        const uint lane = clprim_sub_group_lane();
        uint end = window->end;
        uint looks = window->looks;
        look_back_sum behind = window->behind;
        PREFIX prefix = window->prefix;
        if (tile >= LOOK_BACK_SLEEPERS && end == tile && looks == 0) /* as in look_back */
            asm volatile("nanosleep.u32 600;");
        while (end > 0 && looks <= LOOKS) {
            PREFIX x = LOOK_BACK_NONE;
            const uint kind = lane < end ? look_back_read(state, epoch, end - 1 - lane, &x) : 0;
            const uint ready = clprim_sub_group_ballot(kind != 0).x;
            const uint usable = ready & ~(ready + 1); /* with no gap before */
            const uint prefixes = clprim_sub_group_ballot(kind == TILE_PREFIX).x & usable;
            const uint first = prefixes & (0 - prefixes);
            const uint totals = first != 0 ? first - 1 : usable;
            looks = first != 0 || usable == ~0u ? 0 : looks + 1;
            if (looks > 0 && looks <= LOOKS)
                continue;
            look_back_sum total = IDENTITY;
            if (totals >> lane & 1)
                total = LOOK_BACK_SUM(x);
            behind = COMBINE(LOOK_BACK_REDUCE_REVERSED(total), behind); /* the higher the lane, the earlier the tile */
            end -= popcount(totals);
            if (first != 0) {
                prefix_words found;
                found.value = x;
#pragma unroll
                for (uint w = 0; w < PREFIX_WORDS; w++)
                    found.words[w] = clprim_sub_group_shuffle(found.words[w], 31 - clz(first));
                prefix = LOOK_BACK_JOIN(found.value, behind);
                end = 0;
            }
        }
        if (lane == 0) {
            window->end = end;
            window->behind = behind;
            window->prefix = prefix;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* how far it went */
    const uint end = window->end;
#else
    const uint lid = (uint)get_local_id(0);
    uint end = window->end;
    uint looks = window->looks;
    while (end > 0 && looks <= LOOKS) {
        if (lid < LOOK_BACK_WINDOW && lid < end) {
            PREFIX x = LOOK_BACK_NONE;
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
            look_back_sum behind = window->behind;
#pragma unroll
            for (uint k = 0; k < LOOK_BACK_WINDOW; k++)
                if (totals >> k & 1)
                    behind = COMBINE(LOOK_BACK_SUM(window->values[k]), behind);
            window->behind = behind;
            if (first != 0)
                window->prefix = LOOK_BACK_JOIN(window->values[31 - clz(first)], behind);
            window->end = first != 0 ? 0 : end - popcount(totals);
            window->ready = window->prefixes = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* how far it went; the window may be filled again */
        looks = window->end < end ? 0 : looks + 1;
        end = window->end;
    }
#endif
    return end > 0 ? end - 1 : returns && at != tile ? tile : LOOK_BACK_DONE;
}

/* After all that look_back_missing asks for. */
static inline PREFIX look_back(__global ulong *state, uint epoch, uint tile, __local look_back_window *window)
{
    return window->prefix;
}

#define LOOK_BACK_BRING(state, epoch, tile, at, x, kind, window)                                                       \
    look_back_bring(state, epoch, tile, at, x, kind, window)
#define LOOK_BACK_MISSING(state, epoch, tile, at, returns, window)                                                     \
    look_back_missing(state, epoch, tile, at, returns, window)
#else /* a group brings no tile but its own, and look_back waits for the others */
#define LOOK_BACK_BRING(state, epoch, tile, at, x, kind, window)   look_back_publish(state, epoch, tile, x, kind)
#define LOOK_BACK_MISSING(state, epoch, tile, at, returns, window) LOOK_BACK_DONE
#ifdef LONG_PREFIX
/* by the kernel's own file */
#elif CLPRIM_SUB_GROUP_MEANS == 1 && defined(SUBGROUP_SHUFFLE)
typedef uint look_back_window; /* not needed */

/* The first sub-group reads 32 tiles at a time, each lane one; the other sub-groups pass by. */
static inline PREFIX look_back(__global ulong *state, uint epoch, uint tile, __local look_back_window *window)
{
    PREFIX prefix = IDENTITY;
    if (clprim_sub_group_index() > 0)
        return prefix;
    const uint lane = clprim_sub_group_lane();
    if (tile >= LOOK_BACK_SLEEPERS) /* the groups before are at work yet, and would be slowed down by polls: 1 to 2 % */
        asm volatile("nanosleep.u32 600;");
    for (uint end = tile; end > 0;) { /* tiles from `end` on are in prefix */
        PREFIX x = IDENTITY;
        const uint kind = lane < end ? look_back_read(state, epoch, end - 1 - lane, &x) : TILE_PREFIX;
        const uint ready = clprim_sub_group_ballot(kind != 0).x;
        const uint prefixes = clprim_sub_group_ballot(kind == TILE_PREFIX).x;
        const uint needed = prefixes != 0 ? prefixes ^ (prefixes - 1) : ~0u; /* lanes up to the first with a prefix */
        if ((ready & needed) != needed)
            continue;
        if (!(needed >> lane & 1) || lane >= end)
            x = IDENTITY;
        prefix = COMBINE(PREFIX_REDUCE_REVERSED(x), prefix); /* the higher the lane, the earlier the tile */
        if (prefixes != 0)
            break;
        end -= 32;
    }
    return prefix;
}
#else
typedef struct {
    PREFIX values[LOOK_BACK_WINDOW];
    uint ready; /* a bit for each place of the window whose tile has published something; has published a prefix */
    uint prefixes;
    uint end;
    /* in local memory: PoCL 3.1 takes a variable that one work-item changes in such a loop for uniform */
    PREFIX prefix;
} look_back_window;

/* As many work-items as the window has places read a tile each; the first work-item folds what is there. Bits show how
 * far it can go, so that its loads need not wait for each other. */
ALWAYS_INLINE PREFIX look_back(__global ulong *state, uint epoch, uint tile, __local look_back_window *window)
{
    const uint lid = (uint)get_local_id(0);
    if (lid == 0) {
        window->prefix = IDENTITY;
        window->ready = window->prefixes = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the prefix, which all read at the end; the bits */
    for (uint end = tile; end > 0;) {
        if (lid < LOOK_BACK_WINDOW && lid < end) {
            PREFIX x = IDENTITY;
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
            const uint folded = first != 0 ? first | (first - 1) : usable;
            PREFIX prefix = window->prefix;
#pragma unroll
            for (uint k = 0; k < LOOK_BACK_WINDOW; k++)
                if (folded >> k & 1)
                    prefix = COMBINE(window->values[k], prefix);
            window->prefix = prefix;
            window->end = first != 0 ? 0 : end - popcount(folded);
            window->ready = window->prefixes = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* how far it went; the window may be filled again */
        end = window->end;
    }
    return window->prefix;
}
#endif
#endif

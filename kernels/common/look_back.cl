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
 * (clprim_device_info.has_forward_progress). Elsewhere, with FALLBACK, nobody waits at all: the loop above is run once for
 * each tile that a group finds missing after LOOKS + 1 looks. It computes the fold as the tile's own group does, bit by
 * bit: so words may come from both. If LOOKS is 0, a group begins with the tile before its own without a look, and tiles
 * have the numbers of groups. Without FALLBACK the loop is run once.
 *
 * Parameters: VALUE...; LOOK_BACK_HEADER, LOOK_BACK_LINE; FALLBACK, then also LOOKS.
 * Where what is looked back at is of another type than VALUEs: PREFIX, PREFIX_SIZE and PREFIX_REDUCE_REVERSED(x), over all
 * lanes, the last one first; IDENTITY and COMBINE are then for both. Where LONG_PREFIX is 1, PREFIXes are what sums of VALUEs are
 * carried in, with PREFIX and PREFIX_SIZE: then a kernel looks back by a function of its own.
 * Source: Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back; Smith, Levien and Owens 2025,
 * Decoupled Fallback: A Portable Single-Pass GPU Scan. */
#include "common/subgroup.cl"
#include "common/subgroup_values.cl"
#include "common/device_scope.cl"

#define TILE_TOTAL 1u
#define TILE_PREFIX 2u

#if !defined(LOOK_BACK_HEADER) || !defined(LOOK_BACK_LINE)
#error "LOOK_BACK_HEADER and LOOK_BACK_LINE must be given"
#endif
#ifndef PREFIX
#define PREFIX VALUE
#define PREFIX_SIZE VALUE_SIZE
#define PREFIX_REDUCE_REVERSED(x) subgroup_reduce_reversed(x)
#endif
#define PREFIX_WORDS ((PREFIX_SIZE + 3) / 4)
typedef union {
    uint words[PREFIX_WORDS];
    PREFIX value;
} prefix_words;

#define LOOK_BACK_STRIDE ((PREFIX_WORDS + 1 + LOOK_BACK_LINE - 1) / LOOK_BACK_LINE * LOOK_BACK_LINE)
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

/* What a tile's words say: its kind and *x; 0 where it has not published, or they are of different kinds, as while it changes
 * them. */
static inline uint look_back_parse(const tagged_word *loaded, uint epoch, PREFIX *x)
{
    prefix_words theirs = {{0}};
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

static inline uint look_back_read(__global ulong *state, uint epoch, uint tile, PREFIX *x)
{
    __global tagged_word *words = look_back_words(state, tile);
    tagged_word loaded[TAGGED_PARTS];
#pragma unroll
    for (uint p = 0; p < TAGGED_PARTS; p++)
        loaded[p] = tagged_load(words + p);
    return look_back_parse(loaded, epoch, x);
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

#if TAGGED_WORDS && TAGGED_BITS == 16
#define LOOK_BACK_PEEKS 1
#else
#define LOOK_BACK_PEEKS 0
#endif
/* As look_back_read; with LOOK_BACK_PEEKS what was there at some earlier time, too (device_peek): ordinary loads cost less than
 * atomics. */
static inline uint look_back_peek(__global ulong *state, uint epoch, uint tile, PREFIX *x)
{
#if LOOK_BACK_PEEKS
    const volatile __global uint2 *words = (const volatile __global uint2 *)look_back_words(state, tile);
    tagged_word loaded[TAGGED_PARTS];
#pragma unroll
    for (uint p = 0; p < TAGGED_PARTS; p += 2) {
        const uint2 two = words[p / 2];
        loaded[p] = two.x;
        loaded[p + 1] = two.y;
    }
    return look_back_parse(loaded, epoch, x);
#else
    return look_back_read(state, epoch, tile, x);
#endif
}

#define LOOK_BACK_SLEEPERS 1024 /* with fewer tiles there is no time to lose */
#define LOOK_BACK_DONE (~0u) /* no tile */
#define LOOK_BACK_INLINE static inline __attribute__((always_inline)) /* barriers are inside */

#if SUB_GROUP_MEANS == 1 && defined(SUBGROUP_SHUFFLE)
#define LOOK_BACK_BY_LANES 1
#else
#define LOOK_BACK_BY_LANES 0
#endif
#if FALLBACK && (!defined(LOOKS) || !TAGGED_WORDS)
#error "LOOKS and tagged words must be given"
#endif

#ifdef LONG_PREFIX /* tiles behind the last prefix are summed up as VALUEs */
typedef VALUE look_back_sum;
#define LOOK_BACK_SUM(x) (x).value
#define LOOK_BACK_TOTAL(sum) prefix_begin(sum)
#define LOOK_BACK_JOIN(prefix, sum) prefix_then(prefix, sum)
#define LOOK_BACK_NONE prefix_begin(IDENTITY)
#define LOOK_BACK_REDUCE_REVERSED(x) subgroup_reduce_reversed(x)
#else
typedef PREFIX look_back_sum;
#define LOOK_BACK_SUM(x) (x)
#define LOOK_BACK_TOTAL(sum) (sum)
#define LOOK_BACK_JOIN(prefix, sum) COMBINE(prefix, sum)
#define LOOK_BACK_NONE IDENTITY
#define LOOK_BACK_REDUCE_REVERSED(x) PREFIX_REDUCE_REVERSED(x)
#endif

#if !LOOK_BACK_BY_LANES
/* Each of a few work-items, the readers, reads some tiles at once and folds them: one work-item would have to fold all tiles
 * of the window one after the other. Where there are fences between a tag and its value, a reader would wait at each tile. */
#define LOOK_BACK_EACH (TAGGED_WORDS ? 4 : 1)
#define LOOK_BACK_READERS (GROUP_SIZE < 32 / LOOK_BACK_EACH ? GROUP_SIZE : 32 / LOOK_BACK_EACH)

/* Of the tiles of one reader, up to the first that has published a prefix, or nothing. */
typedef struct {
    PREFIX value;   /* their fold */
    uint totals;    /* how many have published their own folds */
    uint is_prefix; /* one has published a prefix, which is in the fold */
} look_back_share;
#endif

#if FALLBACK || !LOOK_BACK_BY_LANES
typedef struct {
    PREFIX prefix;        /* once end is 0: of all tiles before one's own */
    look_back_sum behind; /* of the tiles from `end` to one's own */
    uint end; /* in local memory: PoCL 3.1 takes a variable that one work-item changes in a loop with barriers for uniform */
#if FALLBACK
    uint looks; /* that count as made before the first one */
    uint is_late;
#endif
#if !LOOK_BACK_BY_LANES
    look_back_share shares[LOOK_BACK_READERS];
#endif
} look_back_window;
#endif

#if !LOOK_BACK_BY_LANES
static inline look_back_share look_back_read_share(__global ulong *state, uint epoch, uint end, uint reader)
{
    PREFIX x[LOOK_BACK_EACH];
    uint kinds[LOOK_BACK_EACH];
#pragma unroll
    for (uint k = 0; k < LOOK_BACK_EACH; k++) { /* no branches: all loads are issued before one is waited for */
        const uint back = reader * LOOK_BACK_EACH + k;
        x[k] = LOOK_BACK_NONE;
        const uint kind = look_back_peek(state, epoch, back < end ? end - 1 - back : 0, &x[k]);
        kinds[k] = back < end ? kind : 0;
    }
    if (LOOK_BACK_PEEKS && reader == 0 && kinds[0] == 0) /* only the nearest tile has to be waited for */
        kinds[0] = look_back_read(state, epoch, end - 1, &x[0]);
    look_back_share share = {LOOK_BACK_NONE, 0, 0};
    look_back_sum sum = IDENTITY;
    bool goes_on = true;
#pragma unroll
    for (uint k = 0; k < LOOK_BACK_EACH; k++) {
        goes_on = goes_on && kinds[k] != 0;
        if (goes_on && kinds[k] == TILE_PREFIX) {
            share.value = LOOK_BACK_JOIN(x[k], sum);
            share.is_prefix = 1;
            goes_on = false;
        } else if (goes_on) {
            sum = COMBINE(LOOK_BACK_SUM(x[k]), sum);
            share.totals++;
        }
    }
    if (!share.is_prefix)
        share.value = LOOK_BACK_TOTAL(sum);
    return share;
}

/* One look at the window before tile `end`; all work-items call it. Returns where it ends then, as window->end: 0 if a prefix is
 * found, else before the window, or behind the nearest tile that has published nothing. */
LOOK_BACK_INLINE uint look_back_step(__global ulong *state, uint epoch, uint end, __local look_back_window *window)
{
    const uint lid = (uint)get_local_id(0);
    if (lid < LOOK_BACK_READERS)
        window->shares[lid] = look_back_read_share(state, epoch, end, lid);
    barrier(CLK_LOCAL_MEM_FENCE); /* the shares */
    if (lid == 0) {
        look_back_sum behind = window->behind;
        uint then = end;
        bool goes_on = true;
#pragma unroll
        for (uint r = 0; r < LOOK_BACK_READERS; r++) {
            const look_back_share share = window->shares[r];
            if (goes_on && share.is_prefix) {
                window->prefix = LOOK_BACK_JOIN(share.value, behind);
                then = 0;
            } else if (goes_on) {
                behind = COMBINE(LOOK_BACK_SUM(share.value), behind);
                then -= share.totals;
            }
            goes_on = goes_on && !share.is_prefix && share.totals == LOOK_BACK_EACH;
        }
        window->behind = behind;
        window->end = then;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* how far it went; shares may be written again */
    return window->end;
}
#endif

#if FALLBACK
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

/* By one work-item: x is the fold of tile `at`: one's own; or the one that look_back_missing has asked for. Nobody knows
 * whether its own group or others that miss it, too, are about to publish the same bits, so each word is stored only where
 * it is still missing. */
static inline void look_back_bring(__global ulong *state, uint epoch, uint tile, uint at, PREFIX x, uint kind,
                                   __local look_back_window *window)
{
    if (at == tile) {
        look_back_publish(state, epoch, tile, x, kind);
        window->prefix = LOOK_BACK_NONE;
        window->behind = IDENTITY;
        window->end = tile;
        window->looks = LOOKS == 0 && tile > 0;
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

/* Whether tile `at` was published before all work-items had what they have loaded of it: if groups store where they have
 * loaded, but only after they have published all words and after a device_fence, that may then be something else. */
LOOK_BACK_INLINE bool look_back_is_late(__global ulong *state, uint epoch, uint at, __local look_back_window *window)
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

/* Look on from where the window ends until a prefix is found, or a tile that has published nothing in LOOKS + 1 looks in a
 * row: that tile. At the end: LOOK_BACK_DONE; or before, if `returns` and another tile is at hand, one's own tile. */
LOOK_BACK_INLINE uint look_back_missing(__global ulong *state, uint epoch, uint tile, uint at, const bool returns,
                                        __local look_back_window *window)
{
    barrier(CLK_LOCAL_MEM_FENCE); /* what look_back_bring leaves */
#if LOOK_BACK_BY_LANES
    if (subgroup_index() == 0) {
        const uint lane = subgroup_lane();
        uint end = window->end;
        uint looks = window->looks;
        look_back_sum behind = window->behind;
        PREFIX prefix = window->prefix;
        if (tile >= LOOK_BACK_SLEEPERS && end == tile && looks == 0) /* as in look_back */
            asm volatile("nanosleep.u32 600;");
        while (end > 0 && looks <= LOOKS) {
            PREFIX x = LOOK_BACK_NONE;
            const uint kind = lane < end ? look_back_read(state, epoch, end - 1 - lane, &x) : 0;
            const uint ready = subgroup_ballot(kind != 0).x;
            const uint usable = ready & ~(ready + 1); /* with no gap before */
            const uint prefixes = subgroup_ballot(kind == TILE_PREFIX).x & usable;
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
                    found.words[w] = subgroup_shuffle(found.words[w], 31 - clz(first));
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
    uint end = window->end;
    uint looks = window->looks;
    while (end > 0 && looks <= LOOKS) {
        const uint then = look_back_step(state, epoch, end, window);
        looks = then < end ? 0 : looks + 1;
        end = then;
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
#define LOOK_BACK_BRING(state, epoch, tile, at, x, kind, window) look_back_publish(state, epoch, tile, x, kind)
#define LOOK_BACK_MISSING(state, epoch, tile, at, returns, window) LOOK_BACK_DONE
#if !LOOK_BACK_BY_LANES
LOOK_BACK_INLINE PREFIX look_back(__global ulong *state, uint epoch, uint tile, __local look_back_window *window)
{
    if (get_local_id(0) == 0) {
        window->prefix = LOOK_BACK_NONE;
        window->behind = IDENTITY;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the prefix, which all read at the end */
    for (uint end = tile; end > 0;)
        end = look_back_step(state, epoch, end, window);
    return window->prefix;
}
#elif !defined(LONG_PREFIX) /* else by the kernel's own file */
typedef uint look_back_window; /* not needed */

/* The first sub-group reads 32 tiles at a time, each lane one; the other sub-groups pass by. */
static inline PREFIX look_back(__global ulong *state, uint epoch, uint tile, __local look_back_window *window)
{
    PREFIX prefix = IDENTITY;
    if (subgroup_index() > 0)
        return prefix;
    const uint lane = subgroup_lane();
    if (tile >= LOOK_BACK_SLEEPERS) /* the groups before are at work yet, and would be slowed down by polls: 1 to 2 % */
        asm volatile("nanosleep.u32 600;");
    for (uint end = tile; end > 0;) { /* tiles from `end` on are in prefix */
        PREFIX x = IDENTITY;
        const uint kind = lane < end ? look_back_read(state, epoch, end - 1 - lane, &x) : TILE_PREFIX;
        const uint ready = subgroup_ballot(kind != 0).x;
        const uint prefixes = subgroup_ballot(kind == TILE_PREFIX).x;
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
#endif
#endif

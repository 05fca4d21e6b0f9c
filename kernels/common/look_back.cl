/* look_back.cl: decoupled look-back: the fold of all tiles before one's own, while the other tiles are still at work.
 *
 *     tile = group_ticket((volatile __global uint *)state, groups, &shared);  // one's own
 *     look_back_publish(state, epoch, tile, total, TILE_TOTAL);       // by one work-item, as early as possible
 *     prefix = look_back(state, epoch, tile, window);                 // valid in work-item 0; all call it
 *     look_back_publish(state, epoch, tile, COMBINE(prefix, total), TILE_PREFIX);
 *
 * A tile publishes its own fold, then looks back over those of its predecessors until one has published the fold of
 * everything up to it.
 *
 * state is memory that only this kernel uses, LOOK_BACK_WORDS(tiles) words of 64 bits, all 0 before the first launch.
 * epoch, less than 2^30 and not 0, differs from that of every launch before, so that nothing needs to be cleared in
 * between. A tile's words have cache lines of their own: those who poll them would else slow down those who
 * write their neighbours (on an H200 3.2 instead of 3.8 TB/s).
 *
 * Nobody waits for a tile that was not started (ticket.cl). That a started group runs on is the host's to know
 * (clprim_device_info.has_forward_progress); elsewhere it takes a variant that does not wait.
 *
 * Parameters: VALUE...; LOOK_BACK_HEADER, LOOK_BACK_LINE; subgroup.cl, words.cl, subgroup_values.cl and device_scope.cl come before; ticket.cl beside it.
 * Where what is looked back at is of another type than VALUEs: PREFIX, PREFIX_SIZE and PREFIX_REDUCE_REVERSED(x), over all
 * lanes, the last one first; IDENTITY and COMBINE are then for both. Where LONG_PREFIX is 1, PREFIXes are what sums of VALUEs are
 * carried in, with PREFIX and PREFIX_SIZE: then a kernel looks back by a function of its own.
 * Source: Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back. */
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
static inline void look_back_publish(__global ulong *state, uint epoch, uint tile, PREFIX x, uint kind)
{
    prefix_words mine = {{0}};
    mine.value = x;
#pragma unroll
    for (uint w = 0; w < PREFIX_WORDS; w++)
        tagged_store(state + LOOK_BACK_WORDS(tile) + w, epoch << 2 | kind, mine.words[w]);
}

/* 0 where the tile has not published, or its words are of different kinds, as while it changes them. */
static inline uint look_back_read(__global ulong *state, uint epoch, uint tile, PREFIX *x)
{
    __global ulong *words = state + LOOK_BACK_WORDS(tile);
    prefix_words theirs;
    ulong loaded[PREFIX_WORDS];
#pragma unroll
    for (uint w = 0; w < PREFIX_WORDS; w++)
        loaded[w] = tagged_load(words + w);
    const uint tag = (uint)(loaded[0] >> 32);
    bool agree = tag >> 2 == epoch;
#pragma unroll
    for (uint w = 0; w < PREFIX_WORDS; w++) {
        agree = agree && (uint)(loaded[w] >> 32) == tag;
        theirs.words[w] = (uint)loaded[w];
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
#define LOOK_BACK_WINDOW (GROUP_SIZE < 32 ? GROUP_SIZE : 32)

#ifdef LONG_PREFIX
/* by the kernel's own file */
#elif SUB_GROUP_MEANS == 1 && defined(SUBGROUP_SHUFFLE)
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
#else
typedef struct {
    PREFIX values[LOOK_BACK_WINDOW];
    uint ready; /* a bit for each place of the window whose tile has published something; has published a prefix */
    uint prefixes;
    uint end;
    PREFIX prefix; /* in local memory: PoCL 3.1 takes a variable that one work-item changes in such a loop for uniform */
} look_back_window;

/* As many work-items as the window has places read a tile each; the first work-item folds what is there. Bits show how far
 * it can go, so that its loads need not wait for each other. */
static inline __attribute__((always_inline)) PREFIX look_back(__global ulong *state, uint epoch, uint tile,
                                                              __local look_back_window *window)
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

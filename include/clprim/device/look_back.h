// SPDX-License-Identifier: MIT
/* clprim/device/look_back.h: decoupled look-back, for kernels that go through an array once: a group gets the fold of
 * all tiles before its own while other groups still process them. OpenCL C 1.2. See base.h for what the macros take,
 * and docs/guides/compaction.md for an example.
 *
 *     CLPRIM_LOOK_BACK(NAME, TYPE, EXPRESSION, IDENTITY, SIZE)
 *         NAME_memory               a type. The kernel declares one in local memory: __local NAME_memory memory;
 *         NAME_tile                 a type: the group's tile, and how far it has looked back
 *         NAME_begin(state, epoch, tiles, &memory)   a group takes a tile
 *         NAME_publish(&tile, total)                 it publishes the tile's fold, as early as it can
 *         NAME_look_back(&tile)                      it looks back: true if the fold of another tile is needed
 *
 * A kernel of `tiles` groups, each of which calls these functions like this, once:
 *
 *     NAME_tile tile = NAME_begin(state, epoch, tiles, &memory);
 *     do {
 *         total = ...;                     // the fold of tile number tile.at, which is at first tile.own
 *         NAME_publish(&tile, total);
 *     } while (NAME_look_back(&tile));
 *     ... tile.prefix ...                  // the fold of all tiles before tile.own; IDENTITY in tile 0
 *
 * Groups may wait for one another only if the device promises that a group that has started keeps running
 * (CLPRIM_FORWARD_PROGRESS is 1). Elsewhere a group that finds nothing where it looks computes the missing tile's fold
 * itself, by the loop above. So the loop's body may run for any tile, and must give the same bits for it in any group.
 * With forward progress it runs once, and compilers see that. A kernel without this promise must not overwrite what the
 * loop's body reads.
 *
 * All work-items of the group call all functions, and `total` is the same in all of them. There is one barrier in begin
 * (none if groups start in the order of their numbers), none in publish, and at least one in look_back: what the group
 * wrote to local memory before it is visible after it.
 *
 * `state` is global memory of CLPRIM_LOOK_BACK_BYTES(sizeof(TYPE), tiles) bytes, for the most tiles that a launch has.
 * The host can use this macro, too (clprim/device.h). It begins at a multiple of 16 bytes, as buffers do. The state is all 0
 * before the first launch. It is for one program and one launch at a time, and nothing else may write to it.
 *
 * `epoch` is the number of the launch, 1 to CLPRIM_LOOK_BACK_EPOCHS. Each launch on the same state has another one. It
 * tells groups which values were published in this launch, so nothing needs to be cleared between launches. When all
 * epochs have been used, or a launch did not run to its end, fill the state with 0 and begin again with 1.
 *
 * Macros that a program may define in front of this header; clprim_device_options() defines the first three:
 *     CLPRIM_FORWARD_PROGRESS  1: a group that has started keeps running while others wait for it. Default: 0
 *     CLPRIM_GROUPS_IN_ORDER   1: groups start in the order of their numbers. Default: 0 (a tile's number is a ticket)
 *     CLPRIM_INT64_ATOMICS     1: there is cl_khr_int64_base_atomics. Default: 0 (words of 32 bits, twice as many)
 *     CLPRIM_PEEKS             0: no ordinary loads of words that other groups write, which cost less than atomics. For
 *                              race detectors, which do not know that a word's tag shows whether it is old. Default: 1
 *     CLPRIM_LOOK_BACK_LOOKS   how often a group looks at a tile before it computes it itself, 0 to 2^30. Default: 32.
 *                              0: a group computes the tile before its own without a look; for tests
 *
 * Source: Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back; Smith, Levien and Owens
 * 2025, Decoupled Fallback: A Portable Single-Pass GPU Scan. */
#ifndef CLPRIM_DEVICE_LOOK_BACK_H
#define CLPRIM_DEVICE_LOOK_BACK_H

/* The words of a tile have their own cache lines: otherwise, groups that poll them would slow down groups that write
 * neighbouring words. The lines before the first tile contain the ticket. */
#define CLPRIM__LOOK_BACK_STRIDE(size)      ((((size) + 3) / 4 * 8 + 127) / 128 * 128)
#define CLPRIM_LOOK_BACK_BYTES(size, tiles) (((size_t)(tiles) + 1) * CLPRIM__LOOK_BACK_STRIDE(size))

/* The last epoch. A tag has 16 bits, two of which say what the word contains. */
#define CLPRIM_LOOK_BACK_EPOCHS 16383

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)

#include <clprim/device/base.h>
#include <clprim/device/sub_group.h>
#include <clprim/device/tagged_words.h>

#ifndef CLPRIM_FORWARD_PROGRESS
#define CLPRIM_FORWARD_PROGRESS 0
#endif
#ifndef CLPRIM_GROUPS_IN_ORDER
#define CLPRIM_GROUPS_IN_ORDER 0
#endif
#ifndef CLPRIM_LOOK_BACK_LOOKS
#define CLPRIM_LOOK_BACK_LOOKS 32
#endif

/* Whether a group continues to look after this many looks without success, and how many looks a group makes first. It
 * may make none at all. */
#define CLPRIM__IS_PATIENT(looks) (CLPRIM_FORWARD_PROGRESS || (looks) <= CLPRIM_LOOK_BACK_LOOKS)
#define CLPRIM__FIRST_LOOK        (!CLPRIM_FORWARD_PROGRESS && CLPRIM_LOOK_BACK_LOOKS == 0)

#define CLPRIM__NO_TILE           0xffffffffu

/* The value that a tile has published: its own fold, or the fold of all tiles up to it. */
#define CLPRIM__TOTAL  1u
#define CLPRIM__PREFIX 2u

/* Numbers for groups, in the order in which they start: whoever has one knows that all groups with smaller ones have
 * started. A group that expects nothing of others needs none. *ticket is 0 before the launch and after it. */
CLPRIM__INLINE uint clprim__draw_ticket(volatile __global uint *ticket, uint tiles, __local uint *shared)
{
#if CLPRIM_GROUPS_IN_ORDER || (!CLPRIM_FORWARD_PROGRESS && CLPRIM_LOOK_BACK_LOOKS == 0)
    return (uint)get_group_id(0);
#else
    if (get_local_id(0) == 0) {
        const uint mine = atomic_inc(ticket);
        if (mine == tiles - 1)
            (void)atomic_xchg(ticket, 0u); /* for the next launch */
        *shared = mine;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the ticket */
    return *shared;
#endif
}

/* Before the first look: with few tiles there is no time to lose; with many, those before are still at work, and polls
 * would slow them down. Measured: 1 to 2 % of a scan. */
CLPRIM__INLINE void clprim__pause(uint tile)
{
#if CLPRIM__SUB_GROUPS_BY == 1
    if (tile >= 1024)
        asm volatile("nanosleep.u32 600;");
#endif
}

/* ready, prefixes: a bit for each place of the window, of which place 0 is that of the latest tile, whose tile has
 * published something; has published a prefix. Returns the places to fold: those up to the first prefix, or all
 * before the first place that is not ready. */
CLPRIM__INLINE uint clprim__foldable(uint ready, uint prefixes)
{
    const uint usable = ready & ~(ready + 1);
    const uint first = prefixes & usable & (0 - (prefixes & usable));
    return first != 0 ? first | (first - 1) : usable;
}

/* The part of a value's words that tagged word p contains. */
CLPRIM__INLINE uint clprim__part(const __private uint *words, uint p)
{
    return CLPRIM__TAGGED_BITS == 32 ? words[p] : words[p / 2] >> p % 2 * 16 & 0xffff;
}

/* PREFIX_store and PREFIX_load: store and load a tile's words, where PREFIX is NAME_inner. load: returns 0 if the tile
 * has not published in this launch, or if its words are of different kinds because its group is changing them.
 * PREFIX_peek may still return 0 long after a tile has published. So if peeking is possible, PREFIX_look_at decides; it
 * reads further words only if the first one has been published. */
#define CLPRIM__DEFINE_TILE_WORDS(PREFIX, NAME, TYPE)                                                                  \
    CLPRIM__DEFINE_WORDS(NAME, TYPE)                                                                                   \
    CLPRIM__INLINE __global clprim__tagged_word *PREFIX##_words_of(CLPRIM_PARAMETERS __global ulong *state, uint tile) \
    {                                                                                                                  \
        state += (tile + (size_t)1) * (CLPRIM__LOOK_BACK_STRIDE(sizeof(TYPE)) / sizeof(*state));                       \
        return (__global clprim__tagged_word *)state;                                                                  \
    }                                                                                                                  \
    CLPRIM__INLINE void PREFIX##_store(CLPRIM_PARAMETERS __global ulong *state, uint epoch, uint tile, TYPE x,         \
                                       uint kind)                                                                      \
    {                                                                                                                  \
        __global clprim__tagged_word *words = PREFIX##_words_of(CLPRIM_PASSED state, tile);                            \
        NAME##_inner_words mine = {{0}};                                                                               \
        mine.value = x;                                                                                                \
        CLPRIM__UNROLL                                                                                                 \
        for (uint p = 0; p < CLPRIM__TAGGED_WORDS(sizeof(TYPE)); p += CLPRIM__WORDS_AT_ONCE) {                         \
            const clprim__tagged_word word = clprim__tagged(epoch << 2 | kind, clprim__part(mine.words, p));           \
            if (CLPRIM__WORDS_AT_ONCE == 2 && p + 1 < CLPRIM__TAGGED_WORDS(sizeof(TYPE)))                              \
                clprim__publish_pair(words + p, word,                                                                  \
                                     clprim__tagged(epoch << 2 | kind, clprim__part(mine.words, p + 1)));              \
            else                                                                                                       \
                clprim__publish(words + p, word);                                                                      \
        }                                                                                                              \
    }                                                                                                                  \
    CLPRIM__INLINE uint PREFIX##_read(CLPRIM_PARAMETERS const __private clprim__tagged_word *loaded, uint epoch,       \
                                      __private TYPE *x)                                                               \
    {                                                                                                                  \
        NAME##_inner_words theirs = {{0}};                                                                             \
        const uint tag = clprim__tag_of(loaded[0]);                                                                    \
        bool agree = tag >> 2 == epoch;                                                                                \
        CLPRIM__UNROLL                                                                                                 \
        for (uint p = 0; p < CLPRIM__TAGGED_WORDS(sizeof(TYPE)); p++) {                                                \
            agree = agree && clprim__tag_of(loaded[p]) == tag;                                                         \
            if (CLPRIM__TAGGED_BITS == 32)                                                                             \
                theirs.words[p] = (uint)loaded[p];                                                                     \
            else                                                                                                       \
                theirs.words[p / 2] |= ((uint)loaded[p] & 0xffff) << p % 2 * 16;                                       \
        }                                                                                                              \
        *x = theirs.value;                                                                                             \
        return agree ? tag & 3 : 0;                                                                                    \
    }                                                                                                                  \
    CLPRIM__INLINE uint PREFIX##_peek(CLPRIM_PARAMETERS __global ulong *state, uint epoch, uint tile,                  \
                                      __private TYPE *x)                                                               \
    {                                                                                                                  \
        __global clprim__tagged_word *words = PREFIX##_words_of(CLPRIM_PASSED state, tile);                            \
        clprim__tagged_word loaded[CLPRIM__TAGGED_WORDS(sizeof(TYPE))];                                                \
        CLPRIM__UNROLL                                                                                                 \
        for (uint p = 0; p < CLPRIM__TAGGED_WORDS(sizeof(TYPE)); p += CLPRIM__WORDS_AT_ONCE) {                         \
            if (p + CLPRIM__WORDS_AT_ONCE <= CLPRIM__TAGGED_WORDS(sizeof(TYPE)))                                       \
                clprim__peek_at(loaded + p, words + p);                                                                \
            else                                                                                                       \
                loaded[p] = clprim__look_at(words + p);                                                                \
        }                                                                                                              \
        return PREFIX##_read(CLPRIM_PASSED loaded, epoch, x);                                                          \
    }                                                                                                                  \
    CLPRIM__INLINE uint PREFIX##_look_at(CLPRIM_PARAMETERS __global ulong *state, uint epoch, uint tile,               \
                                         __private TYPE *x)                                                            \
    {                                                                                                                  \
        __global clprim__tagged_word *words = PREFIX##_words_of(CLPRIM_PASSED state, tile);                            \
        clprim__tagged_word loaded[CLPRIM__TAGGED_WORDS(sizeof(TYPE))] = {0};                                          \
        CLPRIM__UNROLL                                                                                                 \
        for (uint p = 0; p < CLPRIM__TAGGED_WORDS(sizeof(TYPE)); p++)                                                  \
            if (!CLPRIM__CAN_PEEK || p == 0 || clprim__tag_of(loaded[0]) >> 2 == epoch)                                \
                loaded[p] = clprim__look_at(words + p);                                                                \
        return PREFIX##_read(CLPRIM_PASSED loaded, epoch, x);                                                          \
    }                                                                                                                  \
    CLPRIM__INLINE uint PREFIX##_load(CLPRIM_PARAMETERS __global ulong *state, uint epoch, uint tile,                  \
                                      __private TYPE *x)                                                               \
    {                                                                                                                  \
        const uint kind = PREFIX##_peek(CLPRIM_PASSED state, epoch, tile, x);                                          \
        return CLPRIM__CAN_PEEK && kind == 0 ? PREFIX##_look_at(CLPRIM_PASSED state, epoch, tile, x) : kind;           \
    }

#define CLPRIM__DEFINE_TILE(NAME, TYPE)                                                                                \
    typedef struct NAME##_tile {                                                                                       \
        uint own;          /* the group's tile */                                                                      \
        uint at;           /* the tile whose fold is to be computed */                                                 \
        TYPE prefix;       /* at the end: the fold of all tiles before the group's */                                  \
        TYPE total;        /* of the group's tile */                                                                   \
        bool is_published; /* the group's tile */                                                                      \
        uint epoch;                                                                                                    \
        __global ulong *state;                                                                                         \
        __local NAME##_memory *memory;                                                                                 \
    } NAME##_tile;

/* The result of a group's look-back so far. Only one work-item, the leader, writes it and publishes, so that its stores
 * keep their order: work-item 0, or lane 0 of sub-group 0. */
#define CLPRIM__FOUND(TYPE)                                                                                            \
    TYPE before; /* the fold of the tiles from `end` to before the own one. At the end: of all tiles before it */      \
    uint end;                                                                                                          \
    uint looks; /* in vain, at tile end - 1 */                                                                         \
    uint ticket;

/* NAME_inner_look, called by all work-items: continue to look, from memory->end on, until a prefix is found. If groups
 * do not wait for each other, also stop at a tile that has published nothing in this many successive looks. Returns
 * that tile, or CLPRIM__NO_TILE. */
#if CLPRIM_SUB_GROUPS
#define CLPRIM__IS_LEADER() (clprim_sub_group_index() == 0 && clprim_sub_group_lane() == 0)

/* Whether what was found stays in registers from look to look. PoCL 3.1 would take such a variable for uniform. */
#define CLPRIM__FOUND_IS_KEPT (CLPRIM__SUB_GROUPS_BY == 1)

/* The first sub-group looks at up to 32 tiles at a time, each lane at one. The other sub-groups pass by. */
#define CLPRIM__DEFINE_TILE_MEMORY(NAME, TYPE, SIZE)                                                                   \
    typedef struct NAME##_memory {                                                                                     \
        CLPRIM__FOUND(TYPE)                                                                                            \
        uint missing;                                                                                                  \
    } NAME##_memory;

/* NAME_inner_fold: the fold of the first `count` lanes, of which the higher ones have the earlier tiles, and the last
 * one a prefix if has_prefix; then that of `before`, which is IDENTITY if is_first. Valid in lane 0. The library's kernels
 * have others, for what they know of their types. */
#define CLPRIM__DEFINE_TILE_FOLD(NAME, TYPE, SIZE)                                                                     \
    CLPRIM__DEFINE_MOVE(NAME##_inner, NAME, shuffle_down, TYPE, SIZE)                                                  \
    CLPRIM__INLINE TYPE NAME##_inner_fold(CLPRIM_PARAMETERS TYPE x, uint count, bool has_prefix, TYPE before,          \
                                          bool is_first)                                                               \
    {                                                                                                                  \
        CLPRIM__UNROLL                                                                                                 \
        for (uint distance = 1; distance < 32; distance *= 2) {                                                        \
            const TYPE theirs = NAME##_inner_shuffle_down(CLPRIM_PASSED x, distance);                                  \
            if (clprim_sub_group_lane() + distance < count)                                                            \
                x = NAME##_combine(CLPRIM_PASSED theirs, x);                                                           \
        }                                                                                                              \
        if (clprim_sub_group_lane() == 0 && !is_first)                                                                 \
            x = NAME##_combine(CLPRIM_PASSED x, before);                                                               \
        return x;                                                                                                      \
    }

#define CLPRIM__DEFINE_LOOK(NAME, TYPE, IDENTITY, SIZE)                                                                \
    CLPRIM__INLINE void NAME##_inner_start(CLPRIM_PARAMETERS const __private NAME##_tile *tile)                        \
    {                                                                                                                  \
        if (!CLPRIM__FOUND_IS_KEPT)                                                                                    \
            tile->memory->before = tile->prefix;                                                                       \
        if (!CLPRIM_FORWARD_PROGRESS) {                                                                                \
            tile->memory->end = tile->own;                                                                             \
            tile->memory->looks = CLPRIM__FIRST_LOOK;                                                                  \
        }                                                                                                              \
    }                                                                                                                  \
    CLPRIM__INLINE uint NAME##_inner_look(CLPRIM_PARAMETERS const __private NAME##_tile *tile)                         \
    {                                                                                                                  \
        __local NAME##_memory *memory = tile->memory;                                                                  \
        if (!CLPRIM_FORWARD_PROGRESS)                                                                                  \
            barrier(CLK_LOCAL_MEM_FENCE); /* all have read what was missing */                                         \
        if (clprim_sub_group_index() == 0) {                                                                           \
            const uint lane = clprim_sub_group_lane();                                                                 \
            const uint lanes = min(32u, clprim__sub_group_size(SIZE));                                                 \
            clprim__sub_group_sync(SIZE); /* the leader has stored what it found */                                    \
            const uint own = tile->own;                                                                                \
            const TYPE none = IDENTITY;                                                                                \
            TYPE found = none;                                                                                         \
            uint end = CLPRIM_FORWARD_PROGRESS ? own : memory->end;                                                    \
            uint looks = CLPRIM_FORWARD_PROGRESS ? 0 : memory->looks;                                                  \
            if (end == own && looks == 0)                                                                              \
                clprim__pause(own);                                                                                    \
            if (CLPRIM__FOUND_IS_KEPT && !CLPRIM_FORWARD_PROGRESS && end != own)                                       \
                found = memory->before;                                                                                \
            while (end > 0 && CLPRIM__IS_PATIENT(looks)) {                                                             \
                TYPE x = none;                                                                                         \
                const bool is_there = lane < min(lanes, end); /* else load anyway: all loads go out together */        \
                uint kind =                                                                                            \
                    NAME##_inner_load(CLPRIM_PASSED tile->state, tile->epoch, is_there ? end - 1 - lane : 0, &x);      \
                kind = is_there ? kind : 0;                                                                            \
                const uint prefixes = clprim__ballot(kind == CLPRIM__PREFIX, SIZE).x;                                  \
                const uint ready = clprim__ballot(kind != 0, SIZE).x;                                                  \
                const uint folded = clprim__foldable(ready, prefixes);                                                 \
                const uint count = popcount(folded);                                                                   \
                const bool has_prefix = (folded & prefixes) != 0;                                                      \
                const bool is_vain = !has_prefix && count < lanes;                                                     \
                looks = is_vain ? looks + 1 : 0;                                                                       \
                if (is_vain && CLPRIM__IS_PATIENT(looks))                                                              \
                    continue;                                                                                          \
                TYPE before = none;                                                                                    \
                if (CLPRIM__FOUND_IS_KEPT)                                                                             \
                    before = found;                                                                                    \
                else if (lane == 0)                                                                                    \
                    before = memory->before;                                                                           \
                x = NAME##_inner_fold(CLPRIM_PASSED x, count, has_prefix, before, end == own);                         \
                if (CLPRIM__FOUND_IS_KEPT && (CLPRIM_FORWARD_PROGRESS || count > 0))                                   \
                    found = x;                                                                                         \
                if (lane == 0 && (CLPRIM_FORWARD_PROGRESS || count > 0)) {                                             \
                    memory->before = x;                                                                                \
                    if (has_prefix)                                                                                    \
                        NAME##_inner_store(CLPRIM_PASSED tile->state, tile->epoch, own,                                \
                                           NAME##_combine(CLPRIM_PASSED x, tile->total), CLPRIM__PREFIX);              \
                }                                                                                                      \
                end = has_prefix ? 0 : end - count;                                                                    \
            }                                                                                                          \
            if (!CLPRIM_FORWARD_PROGRESS && lane == 0) {                                                               \
                memory->end = end;                                                                                     \
                memory->missing = end - 1;                                                                             \
            }                                                                                                          \
        }                                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE); /* the first sub-group has stored what it found */                               \
        return CLPRIM_FORWARD_PROGRESS ? CLPRIM__NO_TILE : memory->missing;                                            \
    }
#else
#define CLPRIM__IS_LEADER() (get_local_id(0) == 0)

/* A window has rows. Each row has a work-item, which looks at its tiles and folds those that have published, up to the
 * first prefix; work-item 0 folds the rows. If groups finish a tile faster than a look, they wait for their looks. So
 * kernels of the library that have registers to spare define how many tiles a row has, and for how large values. */
#ifndef CLPRIM__LOOK_ROW
#define CLPRIM__LOOK_ROW 1
#endif
#ifndef CLPRIM__LOOK_ROW_BYTES
#define CLPRIM__LOOK_ROW_BYTES 8
#endif
#define CLPRIM__IN_ROW(TYPE)    (sizeof(TYPE) <= CLPRIM__LOOK_ROW_BYTES ? CLPRIM__LOOK_ROW : 1)
#define CLPRIM__MOST_ROWS(TYPE) (CLPRIM__IN_ROW(TYPE) == 1 ? 32u : CLPRIM__CAN_PEEK ? 16u : 8u)
#define CLPRIM__ROWS_AT_ONCE(TYPE)                                                                                     \
    (sizeof(TYPE) <= CLPRIM__LOOK_ROW_BYTES ? 4u : 1u) /* so that it waits for local memory once */
#define CLPRIM__LOOK_ROWS(TYPE, SIZE) ((SIZE) < CLPRIM__MOST_ROWS(TYPE) ? (SIZE) : CLPRIM__MOST_ROWS(TYPE))

#define CLPRIM__DEFINE_TILE_MEMORY(NAME, TYPE, SIZE)                                                                   \
    typedef struct NAME##_memory {                                                                                     \
        CLPRIM__FOUND(TYPE)                                                                                            \
        TYPE values[CLPRIM__LOOK_ROWS(TYPE, SIZE)];                                                                    \
        uint kinds[CLPRIM__LOOK_ROWS(TYPE, SIZE)];                                                                     \
    } NAME##_memory;
#define CLPRIM__DEFINE_TILE_FOLD(NAME, TYPE, SIZE) /* by single work-items */

/* NAME_inner_look_at_row computes the fold of the tiles of a row that have published, and combines their number with
 * the kind of the last one. It peeks at all tiles, and looks at one: the first tile that seems to have published
 * nothing. In the first row, this is the tile for which the group waits. NAME_inner_add: work-item 0 adds the rows to
 * what was found. */
#define CLPRIM__DEFINE_LOOK(NAME, TYPE, IDENTITY, SIZE)                                                                \
    CLPRIM__INLINE void NAME##_inner_start(CLPRIM_PARAMETERS const __private NAME##_tile *tile)                        \
    {                                                                                                                  \
        tile->memory->end = tile->own;                                                                                 \
        tile->memory->looks = CLPRIM__FIRST_LOOK;                                                                      \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_inner_look_at_row(CLPRIM_PARAMETERS const __private NAME##_tile *tile, uint end,        \
                                                 uint row)                                                             \
    {                                                                                                                  \
        const uint first = row * CLPRIM__IN_ROW(TYPE);                                                                 \
        TYPE values[CLPRIM__IN_ROW(TYPE)];                                                                             \
        uint kinds[CLPRIM__IN_ROW(TYPE)];                                                                              \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < CLPRIM__IN_ROW(TYPE); k++) {                                                              \
            const uint at = first + k < end ? end - 1 - first - k : 0;                                                 \
            kinds[k] = NAME##_inner_peek(CLPRIM_PASSED tile->state, tile->epoch, at, &values[k]);                      \
            kinds[k] = first + k < end ? kinds[k] : 0;                                                                 \
        }                                                                                                              \
        uint stop = 0; /* how many folds come before a prefix, or before nothing */                                    \
        bool is_vain = false;                                                                                          \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < CLPRIM__IN_ROW(TYPE); k++)                                                                \
            if (stop == k) {                                                                                           \
                is_vain = kinds[k] == 0;                                                                               \
                stop += kinds[k] == CLPRIM__TOTAL;                                                                     \
            }                                                                                                          \
        if (CLPRIM__CAN_PEEK && is_vain && first + stop < end) {                                                       \
            TYPE seen = values[0];                                                                                     \
            const uint kind =                                                                                          \
                NAME##_inner_look_at(CLPRIM_PASSED tile->state, tile->epoch, end - 1 - first - stop, &seen);           \
            CLPRIM__UNROLL                                                                                             \
            for (uint k = 0; k < CLPRIM__IN_ROW(TYPE); k++)                                                            \
                if (k == stop) {                                                                                       \
                    kinds[k] = kind;                                                                                   \
                    values[k] = seen;                                                                                  \
                }                                                                                                      \
        }                                                                                                              \
        TYPE x = values[0];                                                                                            \
        uint kind = kinds[0];                                                                                          \
        uint count = kind != 0;                                                                                        \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 1; k < CLPRIM__IN_ROW(TYPE); k++)                                                                \
            if (count == k && kind == CLPRIM__TOTAL && kinds[k] != 0) {                                                \
                x = NAME##_combine(CLPRIM_PASSED values[k], x);                                                        \
                kind = kinds[k];                                                                                       \
                count = k + 1;                                                                                         \
            }                                                                                                          \
        tile->memory->values[row] = x;                                                                                 \
        tile->memory->kinds[row] = count << 2 | kind;                                                                  \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_inner_add(CLPRIM_PARAMETERS const __private NAME##_tile *tile)                          \
    {                                                                                                                  \
        __local NAME##_memory *memory = tile->memory;                                                                  \
        TYPE before = memory->before;                                                                                  \
        uint end = memory->end;                                                                                        \
        bool goes_on = true;                                                                                           \
        for (uint first = 0; first < CLPRIM__LOOK_ROWS(TYPE, SIZE) && goes_on; first += CLPRIM__ROWS_AT_ONCE(TYPE)) {  \
            TYPE values[CLPRIM__ROWS_AT_ONCE(TYPE)];                                                                   \
            uint kinds[CLPRIM__ROWS_AT_ONCE(TYPE)];                                                                    \
            CLPRIM__UNROLL                                                                                             \
            for (uint k = 0; k < CLPRIM__ROWS_AT_ONCE(TYPE); k++) {                                                    \
                const uint row = min(first + k, CLPRIM__LOOK_ROWS(TYPE, SIZE) - 1u);                                   \
                values[k] = memory->values[row];                                                                       \
                kinds[k] = first + k == row ? memory->kinds[row] : 0;                                                  \
            }                                                                                                          \
            CLPRIM__UNROLL                                                                                             \
            for (uint k = 0; k < CLPRIM__ROWS_AT_ONCE(TYPE); k++) {                                                    \
                const uint count = kinds[k] >> 2;                                                                      \
                if (goes_on && count > 0) {                                                                            \
                    if (end == tile->own)                                                                              \
                        before = values[k];                                                                            \
                    else                                                                                               \
                        before = NAME##_combine(CLPRIM_PASSED values[k], before);                                      \
                    end = (kinds[k] & 3) == CLPRIM__PREFIX ? 0 : end - count;                                          \
                }                                                                                                      \
                goes_on = goes_on && end > 0 && count == CLPRIM__IN_ROW(TYPE);                                         \
            }                                                                                                          \
        }                                                                                                              \
        if (end == 0)                                                                                                  \
            NAME##_inner_store(CLPRIM_PASSED tile->state, tile->epoch, tile->own,                                      \
                               NAME##_combine(CLPRIM_PASSED before, tile->total), CLPRIM__PREFIX);                     \
        memory->before = before;                                                                                       \
        memory->end = end;                                                                                             \
    }                                                                                                                  \
    CLPRIM__INLINE uint NAME##_inner_look(CLPRIM_PARAMETERS const __private NAME##_tile *tile)                         \
    {                                                                                                                  \
        __local NAME##_memory *memory = tile->memory;                                                                  \
        const uint lid = (uint)get_local_id(0);                                                                        \
        barrier(CLK_LOCAL_MEM_FENCE); /* the leader has stored what it found */                                        \
        uint end = memory->end;                                                                                        \
        uint looks = memory->looks;                                                                                    \
        while (end > 0 && CLPRIM__IS_PATIENT(looks)) {                                                                 \
            if (lid < CLPRIM__LOOK_ROWS(TYPE, SIZE))                                                                   \
                NAME##_inner_look_at_row(CLPRIM_PASSED tile, end, lid);                                                \
            barrier(CLK_LOCAL_MEM_FENCE); /* the rows are folded */                                                    \
            if (lid == 0)                                                                                              \
                NAME##_inner_add(CLPRIM_PASSED tile);                                                                  \
            barrier(CLK_LOCAL_MEM_FENCE); /* how far it went; others may be looked at */                               \
            looks = memory->end < end ? 0 : looks + 1;                                                                 \
            end = memory->end;                                                                                         \
        }                                                                                                              \
        if (!CLPRIM_FORWARD_PROGRESS)                                                                                  \
            barrier(CLK_LOCAL_MEM_FENCE); /* all have read how far it went */                                          \
        return CLPRIM_FORWARD_PROGRESS ? CLPRIM__NO_TILE : end - 1;                                                    \
    }
#endif

/* NAME_inner_bring: x is the fold of tile `at`, which was missing. Its own group, or other groups that need it, may be
 * about to publish the same bits. So each word is written only if it is still missing. */
#define CLPRIM_LOOK_BACK(NAME, TYPE, EXPRESSION, IDENTITY, SIZE)                                                       \
    CLPRIM__DEFINE_COMBINE(NAME, TYPE, EXPRESSION)                                                                     \
    CLPRIM__DEFINE_TILE_WORDS(NAME##_inner, NAME, TYPE)                                                                \
    CLPRIM__DEFINE_TILE_FOLD(NAME, TYPE, SIZE)                                                                         \
    CLPRIM__DEFINE_LOOK_BACK(NAME, TYPE, IDENTITY, SIZE)

#define CLPRIM__DEFINE_LOOK_BACK(NAME, TYPE, IDENTITY, SIZE)                                                           \
    CLPRIM__DEFINE_TILE_MEMORY(NAME, TYPE, SIZE)                                                                       \
    CLPRIM__DEFINE_TILE(NAME, TYPE)                                                                                    \
    CLPRIM__DEFINE_LOOK(NAME, TYPE, IDENTITY, SIZE)                                                                    \
    CLPRIM__INLINE NAME##_tile NAME##_begin(CLPRIM_PARAMETERS __global ulong *state, uint epoch, uint tiles,           \
                                            __local NAME##_memory *memory)                                             \
    {                                                                                                                  \
        NAME##_tile tile;                                                                                              \
        const TYPE none = IDENTITY;                                                                                    \
        tile.own = clprim__draw_ticket((volatile __global uint *)state, tiles, &memory->ticket);                       \
        tile.at = tile.own;                                                                                            \
        tile.prefix = tile.total = none;                                                                               \
        tile.is_published = false;                                                                                     \
        tile.epoch = epoch;                                                                                            \
        tile.state = state;                                                                                            \
        tile.memory = memory;                                                                                          \
        return tile;                                                                                                   \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_inner_bring(CLPRIM_PARAMETERS const __private NAME##_tile *tile, TYPE x, uint kind)     \
    {                                                                                                                  \
        __local NAME##_memory *memory = tile->memory;                                                                  \
        __global clprim__tagged_word *words = NAME##_inner_words_of(CLPRIM_PASSED tile->state, tile->at);              \
        NAME##_inner_words mine = {{0}};                                                                               \
        TYPE theirs;                                                                                                   \
        mine.value = x;                                                                                                \
        CLPRIM__UNROLL                                                                                                 \
        for (uint p = 0; p < CLPRIM__TAGGED_WORDS(sizeof(TYPE)); p++) {                                                \
            const clprim__tagged_word there = clprim__look_at(words + p);                                              \
            if (clprim__tag_of(there) >> 2 != tile->epoch)                                                             \
                clprim__offer(words + p, there, clprim__tagged(tile->epoch << 2 | kind, clprim__part(mine.words, p))); \
        }                                                                                                              \
        const uint found = NAME##_inner_load(CLPRIM_PASSED tile->state, tile->epoch, tile->at, &theirs);               \
        if (found != 0) { /* else its group is about to change it from a total to a prefix */                          \
            kind = found;                                                                                              \
            x = theirs;                                                                                                \
        }                                                                                                              \
        memory->before = memory->end == tile->own ? x : NAME##_combine(CLPRIM_PASSED x, memory->before);               \
        memory->end = kind == CLPRIM__PREFIX ? 0 : tile->at;                                                           \
        memory->looks = 0;                                                                                             \
        if (kind == CLPRIM__PREFIX)                                                                                    \
            NAME##_inner_store(CLPRIM_PASSED tile->state, tile->epoch, tile->own,                                      \
                               NAME##_combine(CLPRIM_PASSED memory->before, tile->total), CLPRIM__PREFIX);             \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_inner_publish(CLPRIM_PARAMETERS __private NAME##_tile *tile, TYPE total, uint kind)     \
    {                                                                                                                  \
        const bool is_own = CLPRIM_FORWARD_PROGRESS || tile->at == tile->own;                                          \
        if (is_own)                                                                                                    \
            tile->total = total;                                                                                       \
        if (CLPRIM__IS_LEADER()) {                                                                                     \
            if (!is_own) {                                                                                             \
                NAME##_inner_bring(CLPRIM_PASSED tile, total, kind);                                                   \
            } else if (!tile->is_published) {                                                                          \
                NAME##_inner_store(CLPRIM_PASSED tile->state, tile->epoch, tile->own, total, kind);                    \
                NAME##_inner_start(CLPRIM_PASSED tile);                                                                \
            }                                                                                                          \
        }                                                                                                              \
        tile->is_published = true;                                                                                     \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_publish(CLPRIM_PARAMETERS __private NAME##_tile *tile, TYPE total)                      \
    {                                                                                                                  \
        NAME##_inner_publish(CLPRIM_PASSED tile, total, tile->at > 0 ? CLPRIM__TOTAL : CLPRIM__PREFIX);                \
    }                                                                                                                  \
    CLPRIM__INLINE bool NAME##_look_back(CLPRIM_PARAMETERS __private NAME##_tile *tile)                                \
    {                                                                                                                  \
        const uint missing = NAME##_inner_look(CLPRIM_PASSED tile);                                                    \
        if (missing != CLPRIM__NO_TILE) {                                                                              \
            tile->at = missing;                                                                                        \
            return true;                                                                                               \
        }                                                                                                              \
        if (tile->own > 0)                                                                                             \
            tile->prefix = tile->memory->before;                                                                       \
        return false;                                                                                                  \
    }

#endif
#endif

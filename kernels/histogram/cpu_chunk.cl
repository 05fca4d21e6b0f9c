// SPDX-License-Identifier: MIT
/* histogram_cpu_chunk: each group is one work-item, with one chunk of the array and COPIES tables in global memory,
 * which it uses in turn. So an element need not wait until the element before it is counted, even if both are in the
 * same bin. The tables become rows for histogram_merge. Float weights are summed in double precision, if the device has
 * it and they are not F64: the tables then have SUMs, and come after the rows of all groups. Otherwise they are summed
 * in blocks (slots.cl), and a table of errors follows each group's own table.
 * Why: a few tables for each core need no atomics, which suits a CPU, while on a GPU each group has a single work-
 * item.
 * Parameters: the prelude, which with WEIGHTS_FLOATS has SUM and SUM_SIZE; COPIES, a power of two; GROUP_SIZE 1; ITEMS
 * 1 if elements are in an array. */
#include "histogram/modes.h"
#include "common/packet.cl"
#include "histogram/args.h"
#include "histogram/parts/bins.cl"
#include "histogram/parts/slots.cl"

#if !defined(COPIES)
#error "COPIES must be given"
#endif
#if WEIGHT_KIND != WEIGHTS_FLOATS
#define SUM WORD
#endif
#define TABLE_PARAMETERS , __global SUM *tables
#define TABLE_ARGUMENTS  , tables

static inline void count(uint slot, uint k, WORD amount TABLE_PARAMETERS)
{
    __global SUM *sum = tables + (size_t)(k % COPIES) * TABLE + slot;
#if WEIGHT_KIND == WEIGHTS_FLOATS
    *sum += is_outside(slot) ? (SUM)1 : (SUM)WEIGHT_OF(amount);
#else
    *sum = word_sum(slot, *sum, amount);
#endif
}

#include "histogram/parts/count_tiles.cl"
#include "histogram/parts/count_lines.cl"

/* If bins must be computed, they are computed for many elements before these are counted, so that the computation is
 * vectorised. For elements from an expression, this was no faster. */
#define COMPUTES_AHEAD (MAPPING != 0 && CHANNELS == 1 && WEIGHT_KIND == WEIGHTS_NONE && PACK > 1 && !STRIDED)
#if COMPUTES_AHEAD
#if GROUP_SIZE != 1 || ITEMS != 1
#error "a tile must be a packet"
#endif
#define AHEAD 64 /* in elements; whole packets */

static inline void count_ahead(ulong i, element_source in TABLE_PARAMETERS INPUT_PARAMETERS)
{
    uint slots[AHEAD];
    for (uint k = 0; k < AHEAD; k++)
        slots[k] = bin_of(SOURCE_AT(in, i + k) BINS_ARGUMENTS);
#pragma unroll 8
    for (uint k = 0; k < AHEAD; k++)
        count(slots[k], k, 1 TABLE_ARGUMENTS);
}

/* Count the whole tiles from `begin` to before `end`; each tile is a packet. Returns the first tile that is left. */
static inline uint count_whole_tiles(uint begin, uint end, element_source in, ulong n TABLE_PARAMETERS INPUT_PARAMETERS)
{
    const uint end_of_whole = min(end, END_OF_WHOLE_ROWS(in, n));
    for (; begin + AHEAD / PACK <= end_of_whole; begin += AHEAD / PACK)
        count_ahead((ulong)begin * PACK - PACKET_SHIFT(in), in TABLE_ARGUMENTS INPUT_ARGUMENTS);
    return begin;
}
#endif

#if WEIGHT_KIND == WEIGHTS_FLOATS
#ifndef SUM_SIZE
#error "SUM_SIZE must be given"
#endif
#define IS_SUM_WIDE (SUM_SIZE > WORD_SIZE)
/* A float can count up to so many, and SUMs also count the elements outside all bins. */
#define BLOCK_TILES (IS_SUM_WIDE ? 0xffffffffu : min(4 * BLOCK_ELEMENTS, 1u << 23) / PACK)

/* The sum of a slot over all copies, which are reset to 0. */
static inline WORD take_copies(__global SUM *tables, uint slot)
{
    SUM sum = tables[slot];
    tables[slot] = 0;
    for (uint copy = 1; copy < COPIES; copy++) {
        sum += tables[(size_t)copy * TABLE + slot];
        tables[(size_t)copy * TABLE + slot] = 0;
    }
    return is_outside(slot) ? (WORD)sum : WORD_OF((WEIGHT)sum);
}

/* Add what is counted in the tables to the sums. */
static inline void add_block(__global SUM *tables, __global WORD *sums, __global WORD *errors)
{
    for (uint slot = 0; slot < TABLE; slot++) {
        const WORD block = take_copies(tables, slot);
        errors[slot] = word_sum(slot, errors[slot], word_error(slot, sums[slot], block));
        sums[slot] = word_sum(slot, sums[slot], block);
    }
}

/* Like count_tiles, but in blocks. */
static inline void count_blocks(uint begin, uint end, element_source in, ulong n,
                                __global WORD *sums TABLE_PARAMETERS INPUT_PARAMETERS)
{
    __global WORD *errors = (__global WORD *)(tables + (size_t)COPIES * TABLE);
    if (IS_SUM_WIDE || end <= begin + BLOCK_TILES) { /* a single block */
        count_tiles(begin, end, in, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
        for (uint slot = 0; slot < TABLE; slot++)
            sums[slot] = take_copies(tables, slot);
        return;
    }
    for (uint slot = 0; slot < TABLE; slot++)
        sums[slot] = errors[slot] = 0;
    for (uint stop; begin < end; begin = stop) {
        stop = begin + min(BLOCK_TILES, end - begin);
        count_tiles(begin, stop, in, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
        add_block(tables, sums, errors);
    }
    for (uint slot = 0; slot < TABLE; slot++)
        sums[slot] = corrected(slot, sums[slot], errors[slot]);
}
#endif

__kernel GROUP_OF(1) void histogram_cpu_chunk(ARGS_OF(HISTOGRAM_COUNT))
{
    const histogram_args args = ARGS(HISTOGRAM_NUMBERS);
    const element_source elements = SOURCE_OF(args);
    const ulong n = launch_count(args.n, args.start);
#if WEIGHT_KIND == WEIGHTS_FLOATS
    __global SUM *tables =
        (__global SUM *)(scratch + (get_num_groups(0) * TABLE + 1) / 2 * 2); /* aligned for doubles */
    tables += get_group_id(0) * (size_t)(COPIES + !IS_SUM_WIDE) * TABLE;
#else
    __global WORD *tables = scratch + get_group_id(0) * COPIES * TABLE;
#endif
    const uint tiles = tiles_of(elements, n);
    const uint chunk = (tiles + (uint)get_num_groups(0) - 1) / (uint)get_num_groups(0);
    uint begin = (uint)get_group_id(0) * chunk;
    const uint end = min(tiles, begin + chunk);
    for (uint i = 0; i < COPIES * TABLE; i++)
        tables[i] = 0;
#if COMPUTES_AHEAD
    if (begin < end && begin < FIRST_WHOLE_ROW(elements))
        count_tile(begin++, elements, n TABLE_ARGUMENTS INPUT_OF(args));
    begin = count_whole_tiles(begin, end, elements, n TABLE_ARGUMENTS INPUT_OF(args));
#endif
#if WEIGHT_KIND == WEIGHTS_FLOATS
    count_blocks(begin, end, elements, n, scratch + get_group_id(0) * TABLE TABLE_ARGUMENTS INPUT_OF(args));
#else
    count_tiles(begin, end, elements, n TABLE_ARGUMENTS INPUT_OF(args));
#endif
}

#include "histogram/cumulate.cl"
#include "histogram/merge.cl"

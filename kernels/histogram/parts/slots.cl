// SPDX-License-Identifier: MIT
/* slots.cl: the elements of a tile, and the slots in which they are counted. A table has a slot for each bin of each
 * active channel. If elements may belong to no bin, each channel has one more slot for them.
 *
 * A row has a packet for each work-item of a group; a tile has ITEMS rows. Rows begin at addresses that are aligned for
 * packets, up to a packet before in[0]. Elements before in[0] or from in[n] on are not counted.
 *
 * A variant defines how the k-th element of a packet is counted, and then includes the code that passes all of a
 * group's elements to it:
 *     #define TABLE_PARAMETERS ..., TABLE_ARGUMENTS ...       what its count() needs, each beginning with a comma
 *     static inline void count(uint slot, uint k, WORD amount TABLE_PARAMETERS) { ... }
 *     #include "histogram/parts/count_elements.cl"
 * Then there are
 *     COUNT_ELEMENTS(args)      in a kernel: count all elements of the group's share
 * and from count_tiles.cl, or with STRIDED from count_lines.cl:
 *     count_tile(tile, elements, n TABLE_ARGUMENTS INPUT_ARGUMENTS)   count one tile of tiles_of(elements, n)
 *     count_tiles(begin, end, elements, n TABLE_ARGUMENTS INPUT_ARGUMENTS)    count the tiles from `begin` to before
 *                                                                             `end`
 *     count_share(sharer, sharers, begin, end, elements, n TABLE_ARGUMENTS INPUT_ARGUMENTS)
 *         count the share of one of `sharers` groups that share the rows from `begin` to before `end`, of
 *         rows_of(elements, n): shares are as equal as rows allow, with as many rows at a time as all groups have
 *
 * With STRIDED, elements are in lines of line_length elements, line_stride elements apart, which is at least
 * line_length: element i is the (i % line_length)-th of line i / line_length. Packets then belong to one line after
 * another. They begin at aligned addresses, up to a packet before the line. Gaps between lines are not read.
 *
 * The call's start-th element, counted over all channels, is the first element of the launch. It is in[in_offset],
 * unless there is no array (INPUT_AT). A kernel with HISTOGRAM_INPUT passes INPUT_OF(args) on, and begins with
 *     const element_source elements = SOURCE_OF(args);              where elements are read from
 *     const ulong n = launch_count(args.n, args.start);             how many there are, at most args.n
 *
 * Tables have WORDs, unsigned integers. They hold counts or, with weights, the bits of sums. For elements in no bin,
 * they always hold counts.
 *
 * Parameters: CHANNELS, ACTIVE; STRIDED, 0 or 1, and 0 with INPUT_AT; MAY_MISS 0 if no element is outside all bins;
 * WEIGHT, the weights' type, if there are any, and WEIGHT_KIND (modes.h); WORD, WORD_SIZE; GROUP_SIZE; ITEMS packets
 * per work-item. */
#include "histogram/modes.h"
#include "common/packet.cl"
#include "histogram/args.h"
#include "histogram/parts/bins.cl"

#if !defined(CHANNELS) || !defined(ACTIVE) || !defined(MAY_MISS) || !defined(WEIGHT_KIND) || !defined(WORD)
#error "CHANNELS, ACTIVE, MAY_MISS, WEIGHT_KIND and WORD must be given"
#endif
#if !defined(ITEMS)
#error "ITEMS must be given"
#endif
#if !defined(STRIDED)
#error "STRIDED must be given"
#endif
#if STRIDED && defined(INPUT_AT)
#error "elements that come from an expression have no stride"
#endif

#ifdef INPUT_AT
typedef ulong element_source; /* the index of the first element */
#define SOURCE_OF(args)      ((args).start)
#define SOURCE_AT(source, i) INPUT_AT((source) + (i))
#elif STRIDED
typedef struct {
    const __global ELEMENT *in;
    ulong stride;
    uint length;  /* elements per line */
    uint packets; /* packets per line, wherever it begins */
} element_source;
#define SOURCE_OF(args)      lines_of(in + (args).in_offset, (args).line_length, (args).line_stride)
#define SOURCE_AT(source, i) ((source).in[(uint)(i) / (source).length * (source).stride + (uint)(i) % (source).length])

/* Lines whose distance is a multiple of a packet all begin at the same offset from an aligned address. */
static inline element_source lines_of(const __global ELEMENT *in, uint length, ulong stride)
{
    element_source lines;
    const uint before = stride % PACK == 0 ? PACKET_SHIFT(in) : PACK - 1;
    lines.in = in;
    lines.stride = stride;
    lines.length = length;
    lines.packets = (length + before + PACK - 1) / PACK;
    return lines;
}
#else
typedef const __global ELEMENT *element_source;
#define SOURCE_OF(args)      (in + (args).in_offset)
#define SOURCE_AT(source, i) ((source)[i])
#endif

static inline ulong launch_count(ulong n, ulong start)
{
    const ulong count = CALL_COUNT_0(~0ul); /* per channel; without .count_at, the host's number */
    if (count >= (start + n) / CHANNELS)
        return n;
    return count * CHANNELS > start ? count * CHANNELS - start : 0;
}

#define SLOTS (BINS + MAY_MISS)
#define TABLE (ACTIVE * SLOTS)

#if WEIGHT_KIND == WEIGHTS_NONE
#define INPUT_PARAMETERS BINS_PARAMETERS
#define INPUT_ARGUMENTS  BINS_ARGUMENTS
#define INPUT_OF(args)   BINS_ARGUMENTS
#else
#define INPUT_PARAMETERS BINS_PARAMETERS, const __global WEIGHT *weights
#define INPUT_ARGUMENTS  BINS_ARGUMENTS, weights
#define INPUT_OF(args)   BINS_ARGUMENTS, weights + (args).weights_offset
#endif

#define ROW ((uint)GROUP_SIZE * PACK) /* in elements */

#if STRIDED
static inline uint rows_of(element_source in, ulong n)
{
    const uint lines = ((uint)n + in.length - 1) / in.length;
    return (lines * in.packets + GROUP_SIZE - 1) / GROUP_SIZE;
}
#else
/* The rows all of whose elements exist. */
#define FIRST_WHOLE_ROW(in)      (PACKET_SHIFT(in) != 0)
#define END_OF_WHOLE_ROWS(in, n) max((uint)(((n) + PACKET_SHIFT(in)) / ROW), (uint)FIRST_WHOLE_ROW(in))

static inline uint rows_of(element_source in, ulong n)
{
    return (uint)((n + PACKET_SHIFT(in) + ROW - 1) / ROW);
}
#endif

static inline uint tiles_of(element_source in, ulong n)
{
    return (rows_of(in, n) + ITEMS - 1) / ITEMS;
}

/* Whether this is the slot for a channel's elements outside all bins. */
static inline bool is_outside(uint slot)
{
    return MAY_MISS && slot % SLOTS == BINS;
}

#if WORD_SIZE == 8
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define WORD_ADD     atom_add
#define WORD_XCHG    atom_xchg
#define WORD_CMPXCHG atom_cmpxchg
#else
#define WORD_ADD     atomic_add
#define WORD_XCHG    atomic_xchg
#define WORD_CMPXCHG atomic_cmpxchg
#endif

/* The sum of two words of one slot. */
static inline WORD word_sum(uint slot, WORD a, WORD b)
{
#if WEIGHT_KIND == WEIGHTS_FLOATS
    if (!is_outside(slot))
        return WORD_OF(WEIGHT_OF(a) + WEIGHT_OF(b));
#endif
    return a + b;
}

#if WEIGHT_KIND == WEIGHTS_FLOATS
/* Float sums would lose more digits the more weights a bin has. So a group sums weights block by block: tables hold the
 * sums of a block, which are added to the group's sums, and the rounding errors of these additions are accumulated (as
 * in long_sum.cl). A block has so many elements that this takes little of the time. */
#define BLOCK_ELEMENTS (TABLE < 256 ? 4096u : TABLE < 1 << 24 ? 16u * TABLE : 1u << 28)

/* The rounding error of word_sum(slot, a, b), as a word; 0 for counts. */
static inline WORD word_error(uint slot, WORD a, WORD b)
{
    if (is_outside(slot))
        return 0;
    const WEIGHT value = WEIGHT_OF(a) + WEIGHT_OF(b);
    const WEIGHT added = value - WEIGHT_OF(a);
    return WORD_OF((WEIGHT_OF(a) - (value - added)) + (WEIGHT_OF(b) - added));
}

/* The sum, corrected by all rounding errors; these are NaN once the sum is infinite. */
static inline WORD corrected(uint slot, WORD sum, WORD error)
{
    return !is_outside(slot) && isfinite(WEIGHT_OF(error)) ? word_sum(slot, sum, error) : sum;
}
#endif

/* The value that an element adds to its slot: its weight, or 1. */
static inline WORD amount_of(uint slot, WORD weight)
{
#if WEIGHT_KIND == WEIGHTS_NONE
    return 1;
#else
    return is_outside(slot) ? 1 : weight;
#endif
}

/* slots.cl: the elements of a tile, and where each is counted. A table has a slot for each bin of each active channel;
 * where elements may belong to none, each channel has one more slot for these.
 *
 * A row is a packet for each work-item of a group, a tile ITEMS rows. Rows begin where packets are aligned in memory,
 * up to a packet before in[0]; what lies before in[0] or from in[n] on is not counted.
 *
 * A variant says how one element is counted, the k-th of its packet, and then includes what hands all of a group's on:
 *     #define TABLE_PARAMETERS ..., TABLE_ARGUMENTS ...       what its count() needs, each beginning with a comma
 *     static inline void count(uint slot, uint k, WORD amount TABLE_PARAMETERS) { ... }
 *     #include "histogram/parts/count_elements.cl"
 * Then there are
 *     COUNT_ELEMENTS(args)      in a kernel: all elements of the group's share
 * and of count_tiles.cl, with STRIDED of count_lines.cl:
 *     count_tile(tile, elements, n TABLE_ARGUMENTS INPUT_ARGUMENTS)   the elements of one tile of tiles_of(elements, n)
 *     count_tiles(begin, end, elements, n TABLE_ARGUMENTS INPUT_ARGUMENTS)    those of the tiles from `begin` to before
 *                                                                             `end`
 *     count_share(sharer, sharers, begin, end, elements, n TABLE_ARGUMENTS INPUT_ARGUMENTS)
 *         those of one group where so many share the rows from `begin` to before `end`, of rows_of(elements, n): as
 *         even as rows allow, as many rows at a time as all have
 *
 * With STRIDED elements are in lines of line_length elements, line_stride elements apart, which is at least as many:
 * element i is the (i % line_length)-th of line i / line_length. Packets are then those of a line after the other, and
 * begin where they are aligned in memory, up to a packet before the line. What lies between lines is not read.
 *
 * The start-th element of the call's, all channels together, is the first of the launch, and lies at in[in_offset],
 * unless there is no array (INPUT_AT). A kernel that takes HISTOGRAM_INPUT hands on INPUT_OF(args), and begins with
 *     const element_source elements = SOURCE_OF(args);              where elements are read from
 *     const ulong n = launch_count(args.n, args.start);             how many there are, of n at most
 *
 * Tables have WORDs, unsigned integers. They hold counts, or with weights the bits of sums; what belongs to no bin is
 * counted even then.
 *
 * Parameters: CHANNELS, ACTIVE; STRIDED, 0 or 1, and 0 with INPUT_AT; MAY_MISS 0 where no element is outside all bins;
 * WEIGHT, the weights' type, where there are any, and WEIGHT_KIND (modes.h); WORD, WORD_SIZE;
 * GROUP_SIZE; ITEMS packets a work-item. */
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
    uint length;  /* elements of a line */
    uint packets; /* that a line takes, wherever it begins */
} element_source;
#define SOURCE_OF(args)      lines_of(in + (args).in_offset, (args).line_length, (args).line_stride)
#define SOURCE_AT(source, i) ((source).in[(uint)(i) / (source).length * (source).stride + (uint)(i) % (source).length])

/* Lines that are a multiple of a packet apart all begin as far behind an aligned place. */
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
    const ulong count = CALL_COUNT_0(~0ul); /* of a channel; as many as the host says without .count_at */
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

#define ROW ((uint)GROUP_SIZE * PACK) /* elements */

#if STRIDED
static inline uint rows_of(element_source in, ulong n)
{
    const uint lines = ((uint)n + in.length - 1) / in.length;
    return (lines * in.packets + GROUP_SIZE - 1) / GROUP_SIZE;
}
#else
/* Rows all of whose elements exist. */
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

/* Is this slot one of a channel's elements outside all bins? */
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
/* Sums of floats would lose digits the more weights a bin has. So what a group counts is added up block by block:
 * tables hold the weights of a block, which are added to the group's sums, and what that rounds away to errors (as
 * long_sum.cl does). The elements of a block are worth the time that this takes. */
#define BLOCK_ELEMENTS (TABLE < 256 ? 4096u : TABLE < 1 << 24 ? 16u * TABLE : 1u << 28)

/* What is rounded away from word_sum(slot, a, b), as a word; of counts it is 0. */
static inline WORD word_error(uint slot, WORD a, WORD b)
{
    if (is_outside(slot))
        return 0;
    const WEIGHT value = WEIGHT_OF(a) + WEIGHT_OF(b);
    const WEIGHT added = value - WEIGHT_OF(a);
    return WORD_OF((WEIGHT_OF(a) - (value - added)) + (WEIGHT_OF(b) - added));
}

/* The sum with all that was rounded away, which is NaN once the sum is infinite. */
static inline WORD corrected(uint slot, WORD sum, WORD error)
{
    return !is_outside(slot) && isfinite(WEIGHT_OF(error)) ? word_sum(slot, sum, error) : sum;
}
#endif

/* What an element adds to its slot: its weight, or 1. */
static inline WORD amount_of(uint slot, WORD weight)
{
#if WEIGHT_KIND == WEIGHTS_NONE
    return 1;
#else
    return is_outside(slot) ? 1 : weight;
#endif
}

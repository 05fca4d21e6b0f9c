// SPDX-License-Identifier: MIT
/* segments.cl: where segments are, and where their results are written.
 *
 * Segment s has the elements from offset s up to offset s + 1; without offsets (HAS_OFFSETS 0), segment_length
 * elements. Offsets beyond n count as n, and a segment whose offsets descend is empty. So for any offsets, nothing is
 * read or written out of bounds. The first k of segment s go to row s of the outputs, which has k elements.
 *
 * Parameters: images in the order in which the first k are wanted, without values; HAS_OFFSETS; OFFSET, an unsigned
 * integer type; CARRIED_SIZE; if it is not 0, CARRIED; CARRIES_INDICES: indices in the segment are written. */
#include "segmented_top_k/args.h"
#include "top_k/parts/target.cl"

#if !defined(HAS_OFFSETS) || !defined(OFFSET) || !defined(CARRIED_SIZE) || !defined(CARRIES_INDICES)
#error "HAS_OFFSETS, OFFSET, CARRIED_SIZE and CARRIES_INDICES must be given"
#endif

/* From here on, scans add up counts. */
#undef VALUE_SIZE
#define VALUE         uint
#define VALUE_SIZE    4
#define IDENTITY      0u
#define COMBINE(a, b) ((a) + (b))
#define COMMUTATIVE   1
#define REDUX         "add.u32"

typedef struct {
    ulong begin;
    ulong length;
} segment;

/* SEGMENT_AT(s) is segment s; no segment is longer than MOST_LENGTH. */
#if HAS_OFFSETS
#define SEGMENT_AT(s) segment_between(offsets + args.offsets_offset + (s), args.n)
#define MOST_LENGTH   args.n
static inline segment segment_between(const __global OFFSET *ends, ulong n)
{
    const ulong end = min((ulong)ends[1], n);
    segment own;
    own.begin = min((ulong)ends[0], end);
    own.length = end - own.begin;
    return own;
}
#else
#define SEGMENT_AT(s) ((segment){(s)*args.segment_length, args.segment_length})
#define MOST_LENGTH   args.segment_length
#endif

/* Write element i of a segment to place `at` of the outputs. */
static inline void put(ulong at, KEY key, segment own, ulong i, target to)
{
    to.keys[at] = key;
#if CARRIED_SIZE && CARRIES_INDICES
    to.carried[at] = (CARRIED)i;
#elif CARRIED_SIZE
    to.carried[at] = to.carried_in[own.begin + i];
#endif
}

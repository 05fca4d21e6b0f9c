// SPDX-License-Identifier: MIT
/* units.cl: units, on which the groups of select.cl work. A unit is a segment, or one part of a segment that is divided
 * into parts of part_length elements. A part writes its first k to a slot of scratch memory, as keys and their indices
 * in the segment. The slots of a segment are contiguous, so its candidates are an array: all parts except the last have
 * k of them.
 *
 * Without offsets, each segment has `parts` parts, and units are numbered through them. With offsets, short.cl adds
 * units to one list, and segments with several parts to another, in any order. A header, which is 0 before, has the
 * lengths of the lists. If offsets are not sorted, entries that would be beyond the ends of the lists are left out.
 * Parameters: UNITS, SLOTS and JOINS, words of the header. */
#include "segmented_top_k/parts/segments.cl"

#if !defined(UNITS) || !defined(SLOTS) || !defined(JOINS)
#error "UNITS, SLOTS and JOINS must be given"
#endif

#define NONE 0xffffffffu

/* A unit in the list, or a segment with several parts. The slot is that of the first part, or NONE. */
typedef struct {
    uint segment;
    uint part;
    uint slot;
    uint unused;
} unit_entry;

/* How many units there are; with args.joins, how many segments with several parts. */
static inline uint units_there(__global uchar *scratch, const segmented_top_k_args args)
{
#if HAS_OFFSETS
    return args.joins ? min(((const __global uint *)scratch)[JOINS], args.joins_most)
                      : min(((const __global uint *)scratch)[UNITS], args.units_most);
#else
    return (uint)(args.joins ? args.segments : args.segments * args.parts);
#endif
}

/* Entry number u of these. */
static inline unit_entry unit_number(uint u, __global uchar *scratch, const segmented_top_k_args args)
{
#if HAS_OFFSETS
    return ((const __global unit_entry *)(scratch + (args.joins ? args.joins_at : args.units_at)))[u];
#else
    unit_entry own;
    own.segment = args.joins ? u : u / args.parts;
    own.part = u - own.segment * args.parts;
    own.slot = args.parts == 1 ? NONE : own.segment * args.parts;
    own.unused = 0;
    return own;
#endif
}

#if HAS_OFFSETS
/* Reserve `count` numbers. NONE if these are not among the first `most`. With unsorted offsets, the total may wrap
 * around, and entries are mixed: users of their slots must check them. */
static inline uint reserve(volatile __global uint *total, uint count, uint most)
{
    const uint first = atomic_add(total, count);
    return first < most && count <= most - first ? first : NONE;
}

static inline void enter_segment(__global uchar *scratch, const segmented_top_k_args args, uint s, segment own)
{
    volatile __global uint *header = (volatile __global uint *)scratch;
    __global unit_entry *units = (__global unit_entry *)(scratch + args.units_at);
    const uint count = (uint)((own.length - 1) / args.part_length) + 1;
    unit_entry entry = {s, 0, NONE, 0};
    if (count > 1) {
        entry.slot = reserve(header + SLOTS, count, args.slots_most);
        const uint join = entry.slot != NONE ? reserve(header + JOINS, 1, args.joins_most) : NONE;
        if (join == NONE)
            return;
        ((__global unit_entry *)(scratch + args.joins_at))[join] = entry;
    }
    const uint first = atomic_add(header + UNITS, count);
    for (; entry.part < count && first + entry.part < args.units_most; entry.part++)
        units[first + entry.part] = entry;
}
#endif

// SPDX-License-Identifier: MIT
/* scan_mark_heads: for segments by offsets, sets a bit for each element at which a segment begins or ends. The bits, 32
 * elements per word, are the HEADs of kernels/scan/parts/elements.cl with SEGMENTS_BY_MARKS, for scans without tiles.
 * All bits are 0 before.
 *
 * A work-item has MARKS consecutive offsets. It collects the bits of one word before it sets them, because neighbouring
 * offsets often fall into the same word. Empty segments have equal offsets, of which only the last one sets a bit:
 * otherwise millions of work-items might set the same bit. Offsets beyond the array are ignored.
 *
 * Parameters: OFFSET, an unsigned integer type; GROUP_SIZE; MARKS; FIRST_BEGINS: whether element 0 begins a segment in
 * any case (1), or has no bit (0). */
#include "scan/args.h"

#if !defined(OFFSET) || !defined(GROUP_SIZE) || !defined(MARKS) || !defined(FIRST_BEGINS)
#error "OFFSET, GROUP_SIZE, MARKS and FIRST_BEGINS must be given"
#endif

static inline void set_bits(__global uint *word, uint bits)
{
    if (bits != 0)
        (void)atomic_or((volatile __global uint *)word, bits);
}

__kernel GROUP_OF(GROUP_SIZE) void scan_mark_heads(ARGS_OF(SCAN_MARK))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    const __global OFFSET *offsets = heads + args.heads_offset;
    __global uint *marks = work + args.work_at;
    const ulong ends = args.ends;
    const ulong n = args.n;
    const ulong first = (ulong)get_global_id(0) * MARKS;
    const ulong stop = min(ends, first + MARKS);
    ulong word = 0;
    uint bits = FIRST_BEGINS && get_global_id(0) == 0;
    for (ulong s = first; s < stop; s++) {
        const ulong at = offsets[s];
        if (at >= n || (at == 0 && !FIRST_BEGINS) || (s + 1 < ends && offsets[s + 1] == at))
            continue;
        if (at / 32 != word) {
            set_bits(marks + word, bits);
            bits = 0;
            word = at / 32;
        }
        bits |= 1u << at % 32;
    }
    set_bits(marks + word, bits);
}

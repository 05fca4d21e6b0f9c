// SPDX-License-Identifier: MIT
/* scan_bit_reversed: the tree of scan_work_efficient over an array whose indices have their bits reversed. The index of
 * a right node of level d ends in d + 1 ones, and that of a left node in a zero and d ones. Reversed, these bits come
 * first, and the rest of the index counts consecutive places. So on every level, neighbouring work-items access
 * neighbouring memory. What is wrong with it: loading and storing permute the array, and these accesses are as
 * scattered as they can be.
 * Why: every level reads neighbouring words, but bringing the array into that order and back is as scattered as can
 * be, and costs more than a single scan saves.
 * Source: the course's essay, which asks whether it pays off; docs/scan.md answers.
 * Parameters: the operator's prelude; GROUP_SIZE. */
static ulong scan_place(ulong i, uint bits)
{
    /* Swap halves, then quarters, and so on, down to neighbouring bits. */
    i = i << 32 | i >> 32;
    i = (i & 0x0000ffff0000fffful) << 16 | (i >> 16 & 0x0000ffff0000fffful);
    i = (i & 0x00ff00ff00ff00fful) << 8 | (i >> 8 & 0x00ff00ff00ff00fful);
    i = (i & 0x0f0f0f0f0f0f0f0ful) << 4 | (i >> 4 & 0x0f0f0f0f0f0f0f0ful);
    i = (i & 0x3333333333333333ul) << 2 | (i >> 2 & 0x3333333333333333ul);
    i = (i & 0x5555555555555555ul) << 1 | (i >> 1 & 0x5555555555555555ul);
    return i >> (64 - bits);
}

/* The left nodes of a level come first: their places begin with d ones, followed by a zero. The right nodes follow. */
static ulong left_node(ulong pair, uint level, uint bits)
{
    return (1ul << bits) - (1ul << (bits - level)) + pair;
}

static ulong right_node(ulong pair, uint level, uint bits)
{
    return left_node(pair, level, bits) + (1ul << (bits - level - 1));
}

#define IS_BIT_REVERSED
#include "scan/work_efficient.cl"

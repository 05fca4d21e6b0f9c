/* scan_bit_reversed: the same tree over an array whose indices have their bits reversed. A right node of level d has an
 * index that ends in d + 1 ones, a left one in a zero and d ones; reversed, these bits come first, and what is left of
 * the index counts through neighbours: on every level work-items side by side access memory side by side. The price is
 * that loading and storing permute the array, which is as scattered as memory can be.
 * Source: the course's essay, which asks whether it pays; docs/scan.md answers.
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

/* First of the left nodes: d ones, then zeros. They are followed by as many right ones. */
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

/* scan_work_efficient: the tree lies in the array as it is: pairs of level d are 2^(d + 1) apart. 2 n operations, but
 * from the second level on each access of neighbouring work-items falls into another cache line.
 * Source: Blelloch 1990; Harris, Sengupta and Owens 2007, GPU Gems 3, chapter 39.
 * Parameters: the operator's prelude; GROUP_SIZE. */
#include "scan/parts/levels.cl"
#include "scan/parts/tree.cl"

static ulong scan_place(ulong i, uint bits)
{
    return i;
}

static ulong left_node(ulong pair, uint level, uint bits)
{
    return (2 * pair + 1 << level) - 1;
}

static ulong right_node(ulong pair, uint level, uint bits)
{
    return (2 * pair + 2 << level) - 1;
}

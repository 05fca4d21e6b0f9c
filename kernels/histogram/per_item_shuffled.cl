/* per_item_shuffled.cl: where a work-item has its counter of a slot: beside those of the other work-items for that
 * slot. Lanes next to each other have words next to each other, whatever the data; the four bytes of a word belong to
 * lanes a quarter of the group apart. Source: the lecture, tid + 64 * bin, with tid shuffled. */
static inline uint counter_at(uint item, uint slot)
{
    const uint quarter = GROUP_SIZE < 4 ? 1 : GROUP_SIZE / 4;
    return slot * GROUP_SIZE + item / quarter + item % quarter * (GROUP_SIZE / quarter);
}

#include "histogram/parts/item_tables.cl"
#include "histogram/parts/count_lines.cl"
#include "histogram/cumulate.cl"
#include "histogram/merge.cl"

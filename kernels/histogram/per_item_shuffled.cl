// SPDX-License-Identifier: MIT
/* per_item_shuffled.cl: like per_item.cl, but the counters of a bin are adjacent, one for each work-item. Neighbouring
 * lanes then use neighbouring words, whatever the data are. For that, the four bytes of a word belong to lanes that are
 * a quarter of the group apart.
 * Why: the counters of a bin lie side by side, so the bank does not depend on the data, which shows most where many
 * elements are equal.
 * Source: the lecture's second way, tid + 64 * bin, with tid shuffled. */
static inline uint counter_at(uint item, uint slot)
{
    const uint quarter = GROUP_SIZE < 4 ? 1 : GROUP_SIZE / 4;
    return slot * GROUP_SIZE + item / quarter + item % quarter * (GROUP_SIZE / quarter);
}
#define IS_SHUFFLED

#include "histogram/per_item.cl"

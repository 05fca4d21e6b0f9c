/* per_item.cl: where a work-item has its counter of a slot: all of its own together. Which bank that is in depends on
 * the data, so that lanes meet there or not as the data will have it. Source: the lecture, tid * 64 + bin. */
#include "histogram/parts/slots.cl"

static inline uint counter_at(uint item, uint slot)
{
    return item * TABLE + slot;
}

#include "histogram/parts/item_tables.cl"
#include "histogram/parts/count_lines.cl"
#include "histogram/cumulate.cl"
#include "histogram/merge.cl"

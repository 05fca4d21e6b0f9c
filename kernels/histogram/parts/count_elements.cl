// SPDX-License-Identifier: MIT
/* count_elements.cl: COUNT_ELEMENTS(args) passes each element of the group's share to the variant's count(): see
 * slots.cl. */
#include "histogram/parts/slots.cl"
#include "histogram/parts/count_tiles.cl"
#include "histogram/parts/count_lines.cl"

#define COUNT_ELEMENTS(args)                                                                                           \
    {                                                                                                                  \
        const element_source elements = SOURCE_OF(args);                                                               \
        const ulong n = launch_count(args.n, args.start);                                                              \
        count_share((uint)get_group_id(0), (uint)get_num_groups(0), 0, rows_of(elements, n), elements,                 \
                    n TABLE_ARGUMENTS INPUT_OF(args));                                                                 \
    }

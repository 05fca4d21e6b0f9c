// SPDX-License-Identifier: MIT
/* top_k_order: if few elements were found, one group sorts them in local memory, by merging. The sort is stable.
 * Without sub-groups of 32, a radix sort of so few elements takes longer: its digits have 4 bits, and each work-item
 * counts the digits of its own keys.
 *
 * With ORDERS. keys_in and carried_in are not the call's arrays, but those with the found elements, beginning with the
 * first.
 * Parameters: TAKEN, the most elements; GROUP_SIZE. */
#include "common/subgroup.cl"
#include "radix_sort/parts/keys.cl"
#include "top_k/args.h"
#include "clprim/device/work_group_merge.h"

#if !defined(ORDERS) || !defined(TAKEN)
#error "ORDERS and TAKEN must be given"
#endif

#if ORDERS
#define ORDERED_ITEMS ((TAKEN + GROUP_SIZE - 1) / GROUP_SIZE) /* per work-item */

CLPRIM_WORK_GROUP_MERGE_SORT_PAIRS(clprim__ordered, KEY, uint, a < b, GROUP_SIZE, ORDERED_ITEMS)

__kernel GROUP_OF(GROUP_SIZE) void top_k_order(ARGS_OF(TOP_K_COPY))
{
    const top_k_args args = ARGS(TOP_K_NUMBERS);
    __local clprim__ordered_memory memory;
    const uint n = (uint)CALL_COUNT_0(args.n);
    const uint lid = (uint)get_local_id(0);
    KEY images[ORDERED_ITEMS];
    uint places[ORDERED_ITEMS];
#pragma unroll
    for (uint k = 0; k < ORDERED_ITEMS; k++) {
        places[k] = lid * ORDERED_ITEMS + k;
        images[k] = places[k] < n ? image_of(keys_in[args.keys_in_offset + places[k]]) : 0;
    }
    clprim__ordered_sort_to_striped(images, places, n, &memory);
#pragma unroll
    for (uint k = 0; k < ORDERED_ITEMS; k++) {
        const uint i = k * GROUP_SIZE + lid;
        if (i < n) {
            keys_out[args.keys_out_offset + i] = key_of(images[k]);
#if CARRIED_SIZE
            carried_out[args.carried_out_offset + i] = carried_in[args.carried_in_offset + places[k]];
#endif
        }
    }
}
#endif

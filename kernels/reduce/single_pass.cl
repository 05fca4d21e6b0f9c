// SPDX-License-Identifier: MIT
/* reduce_single_pass: a fixed number of groups shares the input, with ITEMS loads of 16 bytes in flight per work-item.
 * It takes one launch: one group folds what the others wrote.
 * Why: loads of 16 bytes take fewer instructions, and one launch replaces the passes, which matters most in small
 * arrays.
 * Source: the loads after CUB's DeviceReduce; for the collection, see collect.cl.
 * Parameters: the operator's prelude; GROUP_SIZE power of two; ITEMS loads in flight. */
#include "common/long_sum.cl"
#include "common/collect.cl"
#include "common/packet.cl"
#include "common/group_reduce.cl"
#include "reduce/args.h"
#include "reduce/parts/passes.cl"

#ifndef ITEMS
#error "ITEMS must be given"
#endif
#if defined(INPUT_PACK) && !defined(PICK_input)
#error "PICK_input must be given with INPUT_PACK"
#endif
#ifndef OUTPUT
#error "the operator's prelude must come before"
#endif

#define TILE_PACKETS (GROUP_SIZE * ITEMS)

#ifdef INPUT_PACK /* a packet is the data from which some elements are computed */
#define LOADED             input_loads
#define LOADED_COUNT       INPUT_PACK
#define LOAD(p)            input_load(p, is_packed)
#define LOADED_AT(l, k, i) INPUT_ELEMENT(PICK_input(l, k, i))
#else
#define LOADED             packet_words
#define LOADED_COUNT       PACK
#define LOAD(p)            PACKET_AT(packets, head, p)
#define LOADED_AT(l, k, i) packet_element(l, k)
#endif

/* Fold x with the elements of a packet, whose first element is the `first`-th of the range. */
static inline VALUE fold_packet(VALUE x, LOADED loaded, ulong first)
{
#ifdef INDEXED
    /* Find the best of the packet first, the first one if several are equal: indices within the packet are small
     * numbers. Only a better element then replaces x. */
    KEY best = FLIP(LOADED_AT(loaded, 0, first));
    uint at = 0;
#pragma unroll
    for (uint j = 1; j < LOADED_COUNT; j++) {
        const KEY key = FLIP(LOADED_AT(loaded, j, first + j));
        at = IS_BETTER(key, best) ? j : at;
        best = IS_BETTER(key, best) ? key : best;
    }
    return COMBINE(x, ((VALUE){first + at, best}));
#else
#pragma unroll
    for (uint j = 0; j < LOADED_COUNT; j++)
        x = COMBINE(x, VALUE_AT(LOADED_AT(loaded, j, first + j), first + j));
    return x;
#endif
}

/* Fold all chains, and reset them. */
static inline VALUE fold_chains(VALUE *chains)
{
    VALUE x = chains[0];
#pragma unroll
    for (uint u = 1; u < ITEMS; u++)
        x = COMBINE(x, chains[u]);
#pragma unroll
    for (uint u = 0; u < ITEMS; u++)
        chains[u] = IDENTITY;
    return x;
}

/* Fold a work-item's share of in[0 .. n). Groups take whole tiles in turn, as long as there is one for each group. A
 * tile is contiguous, which is faster for memory than loads at a distance of the whole grid (10 % on an H200). The
 * remaining packets are spread over the whole grid, so that in small arrays every work-item has a packet. A few
 * elements remain before the first packet and after the last one. is_packed: packets of an expression's arrays are
 * aligned. */
static inline VALUE fold_share(const __global ELEMENT *in, ulong n, bool is_packed)
{
    const ulong gid = get_global_id(0);
    const ulong grid = get_global_size(0);
    const ulong head = min(n, (ulong)PACKET_HEAD(in));
    const __global packet_words *packets = (const __global packet_words *)(in + head);
    const ulong num_packets = (n - head) / LOADED_COUNT;
    const ulong tail = head + num_packets * LOADED_COUNT;

    LOADED loaded[ITEMS];
    VALUE chains[ITEMS]; /* independent of each other */
    long_sum blocks = long_begin(IDENTITY);
#pragma unroll
    for (uint u = 0; u < ITEMS; u++)
        chains[u] = IDENTITY;
    ulong rest = 0; /* computed by additions, because a 64-bit division takes longer than a small array */
    for (; rest + grid * ITEMS <= num_packets; rest += grid * ITEMS) {
        const ulong p = rest + (ulong)get_group_id(0) * TILE_PACKETS + get_local_id(0);
#pragma unroll
        for (uint u = 0; u < ITEMS; u++)
            loaded[u] = LOAD(p + u * GROUP_SIZE);
#pragma unroll
        for (uint u = 0; u < ITEMS; u++)
            chains[u] = fold_packet(chains[u], loaded[u], head + (p + u * GROUP_SIZE) * LOADED_COUNT);
        if (FLOAT_SUM) /* the elements that are loaded at once are a block */
            blocks = long_then(blocks, fold_chains(chains));
    }
#pragma unroll
    for (uint u = 0; u < ITEMS; u++)
        if (rest + gid + u * grid < num_packets)
            loaded[u] = LOAD(rest + gid + u * grid);
#pragma unroll
    for (uint u = 0; u < ITEMS; u++)
        if (rest + gid + u * grid < num_packets)
            chains[u] = fold_packet(chains[u], loaded[u], head + (rest + gid + u * grid) * LOADED_COUNT);

    VALUE x = fold_chains(chains);
    if (FLOAT_SUM)
        x = long_value(long_then(blocks, x));
    for (ulong i = gid; i < head; i += grid)
        x = COMBINE(x, VALUE_AT(ELEMENT_AT(in, i), i));
    for (ulong i = tail + gid; i < n; i += grid)
        x = COMBINE(x, VALUE_AT(ELEMENT_AT(in, i), i));
    return x;
}

static inline VALUE fold_elements(const __global ELEMENT *in, ulong n)
{
#ifdef INPUT_PACK
    return input_is_packed() ? fold_share(in, n, true) : fold_share(in, n, false);
#else
    return fold_share(in, n, true);
#endif
}

__kernel GROUP_OF(GROUP_SIZE) void reduce_single_pass(ARGS_OF(REDUCE_ONCE))
{
    const reduce_args args = ARGS(REDUCE_NUMBERS);
    __local clprim__group_memory data;
    __local uint is_last;
    const uint lid = (uint)get_local_id(0);
    const uint groups = (uint)get_num_groups(0);
    const ulong n = CALL_COUNT_0(args.n);

    VALUE x = clprim__group_reduce_to_first(fold_elements((const __global ELEMENT *)in + args.in_offset, n), &data);
    if (groups > 1) {
        if (!collect_publish(state, args.epoch, x, &is_last))
            return;
        if (lid != 0)
            x = IDENTITY; /* the group's own value is in work-item 0 */
        for (uint g = lid; g < groups; g += GROUP_SIZE)
            if (g != get_group_id(0))
                x = COMBINE(x, collect_value(state, args.epoch, g));
        barrier(CLK_LOCAL_MEM_FENCE); /* all work-items are done with `data` */
        x = clprim__group_reduce_to_first(x, &data);
    }
    if (lid == 0)
        ((__global OUTPUT *)out)[args.out_offset] = OUTPUT_OF(RESULT_OF(FROM_INITIAL(x, n == 0)), 0);
}

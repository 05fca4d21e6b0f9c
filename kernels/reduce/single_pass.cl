/* reduce_single_pass: one launch. A fixed number of groups strides over the input in tiles, ITEMS loads of 16 bytes in
 * flight per work-item; each group publishes its value and takes a ticket, and the group with the last ticket folds
 * the values of all. The ticket counter is set back by that group, so that the next launch finds it as this one did.
 * Source: the "threadfence reduction" of NVIDIA's samples; the loads after CUB's DeviceReduce.
 * Parameters: the operator's prelude, subgroup.cl, words.cl, device_scope.cl, packet.cl, group_reduce.cl; GROUP_SIZE power of
 * two; ITEMS packets a work-item and tile. */
#ifndef ITEMS
#error "ITEMS must be given"
#endif

#define PARTIALS_AT 32 /* words into the state: the counter has a cache line of its own */
#define TILE (GROUP_SIZE * ITEMS) /* in packets */

static inline VALUE fold_packet(VALUE x, const __global packet_words *p, ulong first)
{
    packet loaded;
    loaded.words = *p;
#pragma unroll
    for (uint j = 0; j < PACK; j++)
        x = COMBINE(x, VALUE_AT(loaded.elements[j], first + j));
    return x;
}

/* Each group's share of in[0 .. n): whole tiles turn by turn, then single packets, then single elements. */
static inline VALUE fold_share(const __global ELEMENT *in, ulong n)
{
    const uint lid = (uint)get_local_id(0);
    const ulong head = min(n, (ulong)PACKET_HEAD(in));
    const __global packet_words *packets = (const __global packet_words *)(in + head);
    const ulong num_packets = (n - head) / PACK;
    const ulong num_tiles = num_packets / TILE;

    VALUE lanes[ITEMS]; /* independent chains */
#pragma unroll
    for (uint u = 0; u < ITEMS; u++)
        lanes[u] = IDENTITY;
    for (ulong t = get_group_id(0); t < num_tiles; t += get_num_groups(0)) {
        packet loaded[ITEMS];
        const ulong first = t * TILE + lid;
#pragma unroll
        for (uint u = 0; u < ITEMS; u++)
            loaded[u].words = packets[first + u * GROUP_SIZE];
#pragma unroll
        for (uint u = 0; u < ITEMS; u++) {
#pragma unroll
            for (uint j = 0; j < PACK; j++)
                lanes[u] = COMBINE(lanes[u], VALUE_AT(loaded[u].elements[j], head + (first + u * GROUP_SIZE) * PACK + j));
        }
    }
    VALUE x = lanes[0];
#pragma unroll
    for (uint u = 1; u < ITEMS; u++)
        x = COMBINE(x, lanes[u]);
    for (ulong p = num_tiles * TILE + get_global_id(0); p < num_packets; p += get_global_size(0))
        x = fold_packet(x, packets + p, head + p * PACK);
    if (get_global_id(0) < head)
        x = COMBINE(x, VALUE_AT(in[get_global_id(0)], get_global_id(0)));
    const ulong tail = head + num_packets * PACK + get_global_id(0);
    if (tail < n)
        x = COMBINE(x, VALUE_AT(in[tail], tail));
    return x;
}

/* state: the counter, 0 at the start and at the end, then from PARTIALS_AT on VALUE_WORDS words for each group. */
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
reduce_single_pass(const __global ELEMENT *in, ulong in_offset, ulong n, __global RESULT *out, ulong out_offset,
                   volatile __global uint *state)
{
    __local VALUE data[GROUP_REDUCE_VALUES];
    __local uint is_last;
    const uint lid = (uint)get_local_id(0);
    const uint groups = (uint)get_num_groups(0);
    volatile __global uint *partials = state + PARTIALS_AT;

    value_words mine = {{0}};
    mine.value = group_reduce(fold_share(in + in_offset, n), data);
    if (groups == 1) {
        if (lid == 0)
            out[out_offset] = RESULT_OF(mine.value);
        return;
    }
    if (lid == 0) {
        for (uint w = 0; w < VALUE_WORDS; w++)
            device_store(partials + get_group_id(0) * VALUE_WORDS + w, mine.words[w]);
        device_fence(); /* the value before the ticket */
        is_last = atomic_inc(state) == groups - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* is_last; and data is free again */
    if (!is_last)
        return;
    device_fence(); /* the tickets before the values */
    VALUE x = IDENTITY;
    for (uint g = lid; g < groups; g += GROUP_SIZE) {
        value_words theirs;
        for (uint w = 0; w < VALUE_WORDS; w++)
            theirs.words[w] = device_load(partials + g * VALUE_WORDS + w);
        x = COMBINE(x, theirs.value);
    }
    x = group_reduce(x, data);
    if (lid == 0) {
        out[out_offset] = RESULT_OF(x);
        *state = 0; /* for the next launch, which cannot begin before this one ends */
    }
}

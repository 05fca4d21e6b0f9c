/* device_functions.cl: each function for callers' kernels is called. compilers.py compiles it by all means of sub-groups. */
#ifdef ONLY_BY_DISTANCE
#undef cl_khr_subgroup_shuffle
#undef cl_khr_subgroup_ballot
#undef cl_intel_subgroups
#endif
#include <clprim/device/sub_group.h>
#include <clprim/device/work_group_exchange.h>
#include <clprim/device/work_group_load.h>
#include <clprim/device/work_group_reduce.h>
#include <clprim/device/work_group_scan.h>

typedef struct {
    uint x, y, z;
} three;

CLPRIM_SUB_GROUP(moves, double)
CLPRIM_SUB_GROUP_SCAN(lanes, char, a + b, 0)
CLPRIM_WORK_GROUP_EXCHANGE(exchanges, ushort, SIZE, 3)
CLPRIM_WORK_GROUP_LOAD(tiles, three, SIZE, 4)
CLPRIM_WORK_GROUP_REDUCE(most, float4, max(a, b), SIZE)
CLPRIM_WORK_GROUP_SCAN(sums, three, ((three){a.x + b.x, a.y ^ b.y, b.z}), {0}, SIZE)

__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1))) void groups(__global three *threes, __global float4 *floats,
                                                                       __global ushort *shorts, uint n)
{
    __local exchanges_memory exchanging;
    __local tiles_memory loading, storing;
    __local most_memory comparing;
    __local sums_memory adding[4];
    const uint i = get_global_id(0);
    const three none = {0};
    three threes_here[4], total;
    ushort shorts_here[3] = {shorts[i], shorts[i + SIZE], shorts[i + 2 * SIZE]};
    floats[i] = most_reduce(floats[i], &comparing);
    tiles_load_blocked(threes_here, threes, 0, n, none, &loading);
    threes_here[0] = sums_exclusive(threes_here[0], &total, &adding[0]);
    threes_here[1] = sums_inclusive(threes_here[1], &total, &adding[1]);
    sums_exclusive_items(threes_here, 4, &total, &adding[2]);
    sums_inclusive_items(threes_here, 4, &total, &adding[3]);
    tiles_store_blocked(threes, 0, n, threes_here, &storing);
    tiles_load_striped(threes_here, threes, SIZE, n, total);
    tiles_store_striped(threes, 2 * SIZE, n, threes_here);
    exchanges_striped_to_blocked(shorts_here, &exchanging);
    barrier(CLK_LOCAL_MEM_FENCE);
    exchanges_blocked_to_striped(shorts_here, &exchanging);
    shorts[i] = shorts_here[0] + shorts_here[1] + shorts_here[2];
}

__kernel void sub_groups(__global double *doubles, __global uint *words)
{
    const uint i = get_global_id(0);
    const double x = doubles[i];
    const bool vote = x > 0;
    doubles[i] = moves_shuffle(x, 0) + moves_broadcast(x, 0) + moves_shuffle_up(x, 1) + moves_shuffle_down(x, 1) +
                 moves_shuffle_xor(x, 1);
    clprim_sub_group_sync();
    words[i] = clprim_sub_group_width() + clprim_sub_group_size() + clprim_sub_group_count() +
               clprim_sub_group_index() + clprim_sub_group_lane() + clprim_sub_group_ballot(vote).x +
               clprim_sub_group_votes(vote) + clprim_sub_group_any(vote) + clprim_sub_group_all(vote);
    words[i] += lanes_reduce((char)i) + lanes_inclusive((char)i) + lanes_exclusive((char)i);
}

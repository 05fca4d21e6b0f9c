// SPDX-License-Identifier: MIT
// group_peers.hpp: kernels made from another library's functions for work-groups, to compare with. Each does what the
// kernel of that operation in bench_group.cpp does.
#ifndef CLPRIM_BENCHMARKS_GROUP_PEERS_HPP
#define CLPRIM_BENCHMARKS_GROUP_PEERS_HPP

#include "peer.hpp"

namespace peers {

enum class GroupOp { scan, reduce, reduce_all, histogram, radix_sort, radix_sort_pairs, merge_sort };

constexpr unsigned GROUP_BINS = 256;

// Between two sorts of a tile the keys change like this, each on its own, so that they are no longer sorted.
constexpr unsigned GROUP_FACTOR = 2654435769U;

struct GroupShape {
    unsigned size;  // work-items in a group: 128, 256 or 512
    unsigned items; // values of each: 1, 4, 8 or 16
};

struct GroupTask {
    GroupOp op;
    GroupShape shape;
    unsigned n;      // elements of the input: whole tiles
    unsigned rounds; // how often each tile goes through the function
    std::size_t out_bytes;
};

// CUB's block primitives: BlockScan, BlockReduce and BlockHistogram; BlockRadixSort and BlockMergeSort. nullptr: such a
// shape was not compiled.
std::unique_ptr<Device> cub_group(const GroupTask &task);
std::unique_ptr<Device> cub_group_sort(const GroupTask &task);

} // namespace peers

#endif

// SPDX-License-Identifier: MIT
// segmented_sort_peers.hpp: sorts by segments by others, to compare with, all upwards. What a peer is not timed with is
// nullptr. Keys: U32 and U64; values are of the keys' type, and keep their order where keys are equal.
#ifndef CLPRIM_BENCHMARKS_SEGMENTED_SORT_PEERS_HPP
#define CLPRIM_BENCHMARKS_SEGMENTED_SORT_PEERS_HPP

#include "peer.hpp"

#include <cstdint>

namespace peers {

// Segment s has the elements from offsets[s] up to offsets[s + 1].
struct Segments {
    const std::uint32_t *offsets;
    std::size_t count;
};

// On the host, where the keys lie; returns when they are sorted.
using HostSegmentedSort = void (*)(void *keys, const Segments &segments);

HostSegmentedSort std_segmented_sort(clprim_type type);        // std::sort, segment after segment
HostSegmentedSort std_stable_segmented_sort(clprim_type type); // std::stable_sort
HostSegmentedSort tbb_segmented_sort(clprim_type type);        // tbb::parallel_for over the segments, std::sort in each

// cub::DeviceSegmentedSort's SortKeys and StableSortPairs, or with `radix` cub::DeviceSegmentedRadixSort's SortKeys and
// SortPairs, of the first n elements, and indices, of its inputs, which they leave as they are. The offsets are copied.
std::unique_ptr<Device> cub_segmented_sort(clprim_type type, bool pairs, bool radix, std::size_t n,
                                           const Segments &segments);

} // namespace peers

#endif

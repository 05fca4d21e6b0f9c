// SPDX-License-Identifier: MIT
// segmented_top_k_peers.hpp: the k largest keys of each segment by others, to compare with, the largest first. What a peer
// is not timed with is nullptr. Keys: U32.
#ifndef CLPRIM_BENCHMARKS_SEGMENTED_TOP_K_PEERS_HPP
#define CLPRIM_BENCHMARKS_SEGMENTED_TOP_K_PEERS_HPP

#include "peer.hpp"
#include "segmented_sort_peers.hpp"

namespace peers {

// On the host: a row of k keys for each segment, of which only the first min(k, length) are written.
using HostSegmentedTopK = void (*)(void *out, const void *keys, std::size_t k, const Segments &segments);

HostSegmentedTopK std_segmented_top_k(); // std::partial_sort_copy, segment after segment
HostSegmentedTopK tbb_segmented_top_k(); // tbb::parallel_for over the segments; nullptr without TBB

// cub::DeviceSegmentedRadixSort of all n keys with their indices in the array, or with `by_segments`
// cub::DeviceSegmentedSort: n keys and behind them n indices, each segment where it was. The offsets are copied.
std::unique_ptr<Device> cub_segmented_top_k(std::size_t n, bool by_segments, const Segments &segments);

// A row of k keys for each of `rows` rows, in any order, by cub::DeviceBatchedTopK. nullptr with a CUB that has none, and
// for lengths and k that it is not compiled for: 64 with 8, 256 with 8, 1024 with 10.
std::unique_ptr<Device> cub_batched_top_k(std::size_t rows, std::size_t length, std::size_t k);

} // namespace peers

#endif

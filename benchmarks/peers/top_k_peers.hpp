// SPDX-License-Identifier: MIT
// top_k_peers.hpp: the k largest keys by others, to compare with, the largest first. What a peer is not timed with is
// nullptr. Keys: U32 and F32 (without NaN).
#ifndef CLPRIM_BENCHMARKS_TOP_K_PEERS_HPP
#define CLPRIM_BENCHMARKS_TOP_K_PEERS_HPP

#include "peer.hpp"

namespace peers {

// On the host, where the keys lie; returns when the first k of them are the result.
using HostTopK = void (*)(void *keys, std::size_t n, std::size_t k);

HostTopK std_nth_element(clprim_type type);     // std::nth_element, and std::sort of the k
HostTopK std_par_nth_element(clprim_type type); // the same with std::execution::par_unseq; nullptr without TBB

// From one place to another: std::partial_sort_copy.
using HostTopKCopy = void (*)(void *out, const void *keys, std::size_t n, std::size_t k);

HostTopKCopy std_partial_sort_copy(clprim_type type);

// All keys sorted by cub::DeviceRadixSort, with their indices where these are wanted: the result lies at the beginning,
// the indices from element n on. wide: the count is handed over as a size_t, else as an int.
std::unique_ptr<Device> cub_top_k(clprim_type type, bool indices, std::size_t n, bool wide);

// The keys in any order, of equal ones any, by cub::DeviceTopK; nullptr with a CUB that has none. U32 alone.
std::unique_ptr<Device> cub_top_k_unsorted(clprim_type type, std::size_t n, std::size_t k, bool wide);

} // namespace peers

#endif

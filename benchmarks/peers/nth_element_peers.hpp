// SPDX-License-Identifier: MIT
// nth_element_peers.hpp: keys at several ranks by others, to compare with. What a peer is not timed with is nullptr. Keys:
// U32, U64 and F32 (without NaN).
#ifndef CLPRIM_BENCHMARKS_NTH_ELEMENT_PEERS_HPP
#define CLPRIM_BENCHMARKS_NTH_ELEMENT_PEERS_HPP

#include "peer.hpp"

#include <vector>

namespace peers {

// In ascending order, all different.
using Ranks = std::vector<std::uint32_t>;

// On the host, where the keys lie; returns when the key at each rank is where it would be in the sorted array.
using HostNthElement = void (*)(void *keys, std::size_t n, const Ranks &ranks);

HostNthElement std_nth_element(clprim_type type);     // std::nth_element for each rank, of the keys behind the last one
HostNthElement std_par_nth_element(clprim_type type); // the same with std::execution::par_unseq; nullptr without TBB
HostNthElement std_sort_all(clprim_type type);        // std::sort

// All keys sorted by cub::DeviceRadixSort. wide: the count is handed over as a size_t, else as an int.
std::unique_ptr<Device> cub_nth_element(clprim_type type, std::size_t n, bool wide);

// The rank + 1 smallest keys in any order, by cub::DeviceTopK; nullptr with a CUB that has none.
std::unique_ptr<Device> cub_smallest(clprim_type type, std::size_t n, std::size_t rank, bool wide);

} // namespace peers

#endif

// SPDX-License-Identifier: MIT
// radix_sort_peers.hpp: sorts by others, to compare with, all upwards. What a peer is not timed with is nullptr. Keys:
// U32, U64, F32 (without NaN) and U8; values are of the keys' type, U32 or U64, and keep their order where keys are
// equal.
#ifndef CLPRIM_BENCHMARKS_RADIX_SORT_PEERS_HPP
#define CLPRIM_BENCHMARKS_RADIX_SORT_PEERS_HPP

#include "peer.hpp"

namespace peers {

// On the host, where the keys lie; returns when they are sorted.
using HostSort = void (*)(void *keys, std::size_t n);

HostSort std_sort(clprim_type type);        // std::sort
HostSort std_stable_sort(clprim_type type); // std::stable_sort
HostSort tbb_sort(clprim_type type);        // tbb::parallel_sort; nullptr without TBB

// The same with values, from one place to another: sorted keys, then the values. Of the three only std::stable_sort
// keeps the values' order.
using HostSortPairs = void (*)(void *out, const void *keys, const void *values, std::size_t n);

HostSortPairs std_stable_sort_pairs(clprim_type type);

// boost::compute::sort, and with pairs sort_by_key, whose values are 0, 1, ...; in place.
std::unique_ptr<Device> boost_compute_sort(const BoostTarget &target, clprim_type type, bool pairs, std::size_t n);

// cub::DeviceRadixSort's SortKeys and SortPairs of the first n elements, and indices, of its inputs, which it leaves as
// they are; wide: the count is handed over as a size_t, else as an int.
std::unique_ptr<Device> cub_sort(clprim_type type, bool pairs, std::size_t n, bool wide);

} // namespace peers

#endif

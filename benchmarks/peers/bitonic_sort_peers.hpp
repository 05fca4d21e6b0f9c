// SPDX-License-Identifier: MIT
// bitonic_sort_peers.hpp: sorts by comparisons, by others, all upwards. What a peer is not timed with is nullptr. Keys:
// U32, U64, F32 (without NaN); values, of U32 keys, are U32.
#ifndef CLPRIM_BENCHMARKS_BITONIC_SORT_PEERS_HPP
#define CLPRIM_BENCHMARKS_BITONIC_SORT_PEERS_HPP

#include "peer.hpp"

namespace peers {

// On the host, where the keys lie; returns when they are sorted.
using HostSort = void (*)(void *keys, std::size_t n);

HostSort std_sort(clprim_type type);        // std::sort
HostSort std_stable_sort(clprim_type type); // std::stable_sort
HostSort tbb_sort(clprim_type type);        // tbb::parallel_sort; nullptr without TBB

// The same with values, from one place to another: sorted keys, then the values.
using HostSortPairs = void (*)(void *out, const void *keys, const void *values, std::size_t n);

HostSortPairs std_sort_pairs();        // std::sort
HostSortPairs std_stable_sort_pairs(); // std::stable_sort

// boost::compute::sort with a comparison of the caller's, in place: a merge sort.
std::unique_ptr<Device> boost_compute_merge_sort(const BoostTarget &target, clprim_type type, std::size_t n);

// cub::DeviceMergeSort's SortKeysCopy and SortPairsCopy of the first n elements, and indices, of its inputs, which it
// leaves as they are; wide: the count is handed over as a size_t, else as an int.
std::unique_ptr<Device> cub_merge_sort(clprim_type type, bool pairs, std::size_t n, bool wide);

} // namespace peers

#endif

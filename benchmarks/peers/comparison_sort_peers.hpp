// SPDX-License-Identifier: MIT
// comparison_sort_peers.hpp: sorts of records by a part of them, by others. Numbers are sorted by
// bitonic_sort_peers.hpp's.
#ifndef CLPRIM_BENCHMARKS_COMPARISON_SORT_PEERS_HPP
#define CLPRIM_BENCHMARKS_COMPARISON_SORT_PEERS_HPP

#include "bitonic_sort_peers.hpp"

#include <cstdint>

namespace peers {

// 16 bytes, of which the first four are compared.
struct Record {
    std::uint32_t key, other[3];
};

inline bool operator<(const Record &a, const Record &b)
{
    return a.key < b.key;
}

HostSort std_sort_records();        // std::sort
HostSort std_stable_sort_records(); // std::stable_sort
HostSort tbb_sort_records();        // tbb::parallel_sort; nullptr without TBB

// cub::DeviceMergeSort's SortKeysCopy of the first n records of its inputs, which it leaves as they are.
std::unique_ptr<Device> cub_merge_sort_records(std::size_t n, bool wide);

} // namespace peers

#endif

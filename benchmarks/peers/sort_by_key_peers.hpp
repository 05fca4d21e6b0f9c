// SPDX-License-Identifier: MIT
// sort_by_key_peers.hpp: sorts of several arrays by keys, by others, to compare with: upwards, and stable. Keys are
// U32, elements are made of U32; word w of array a is a * n * words + w before the sort. Outputs are the arrays one
// after another and then the keys.
#ifndef CLPRIM_BENCHMARKS_SORT_BY_KEY_PEERS_HPP
#define CLPRIM_BENCHMARKS_SORT_BY_KEY_PEERS_HPP

#include "peer.hpp"

#include <cstdint>

namespace peers {

// What is sorted beside the keys: arrays of elements of so many words.
struct Arrays {
    std::size_t count;
    std::size_t words;
};

// On the host: indices are sorted by their keys, then all is gathered. in: all arrays, one after another.
using HostSortByKey = void (*)(std::uint32_t *out, const std::uint32_t *keys, const std::uint32_t *in, Arrays arrays,
                               std::size_t n);

HostSortByKey std_stable_sort_by_key(); // std::stable_sort, one core
HostSortByKey tbb_sort_by_key();        // tbb::parallel_sort, keys and then indices compared; nullptr without TBB

// boost::compute::sort_by_key, which takes one array; of one word, else nullptr. In place.
std::unique_ptr<Device> boost_compute_sort_by_key(const BoostTarget &target, Arrays arrays, std::size_t n);

// cub::DeviceRadixSort::SortPairs of keys and indices, then a kernel that gathers each array; wide: the count is handed
// over as a size_t, else as an int.
std::unique_ptr<Device> cub_sort_by_key(Arrays arrays, std::size_t n, bool wide);

} // namespace peers

#endif

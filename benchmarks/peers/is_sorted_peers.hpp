// SPDX-License-Identifier: MIT
// is_sorted_peers.hpp: tests of order by others. What a peer is not timed with is nullptr. Keys: U32, U64.
#ifndef CLPRIM_BENCHMARKS_IS_SORTED_PEERS_HPP
#define CLPRIM_BENCHMARKS_IS_SORTED_PEERS_HPP

#include "peer.hpp"

namespace peers {

// On the host: up to where n elements are in order.
using HostIsSorted = std::size_t (*)(const void *in, std::size_t n);

HostIsSorted std_is_sorted(clprim_type type);     // std::is_sorted_until
HostIsSorted std_is_sorted_par(clprim_type type); // par_unseq; nullptr without TBB

// boost::compute::is_sorted of the target's elements, and thrust::is_sorted_until of those on the host, of which it
// makes a copy. Their output is a number of 4 bytes: n, or less where the elements are not in order.
std::unique_ptr<Device> boost_compute_is_sorted(const BoostTarget &target, clprim_type type, std::size_t n);
std::unique_ptr<Device> cub_is_sorted(clprim_type type, const void *in, std::size_t n);

} // namespace peers

#endif

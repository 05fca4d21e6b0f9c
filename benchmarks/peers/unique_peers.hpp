// SPDX-License-Identifier: MIT
// unique_peers.hpp: the first elements of runs of equal ones by others, to compare with. What a peer is not timed with
// is nullptr. Elements are of U32.
#ifndef CLPRIM_BENCHMARKS_UNIQUE_PEERS_HPP
#define CLPRIM_BENCHMARKS_UNIQUE_PEERS_HPP

#include "peer.hpp"

namespace peers {

// On the host; returns the number of runs when their first elements are in out.
using HostUnique = std::size_t (*)(void *out, const void *in, std::size_t n);

HostUnique c_unique();       // a plain loop
HostUnique std_unique();     // std::unique_copy
HostUnique std_par_unique(); // the same with std::execution::par_unseq; nullptr without TBB

// boost::compute::unique_copy. It hands the count to the host, so start() blocks.
std::unique_ptr<Device> boost_compute_unique(const BoostTarget &target, std::size_t n);

// cub::DeviceSelect::Unique on the first n elements of its input.
std::unique_ptr<Device> cub_unique(std::size_t n, bool wide);

// With values of U32: n elements from the beginning of the output on are the keys, the next n the values. A plain loop;
// cub::DeviceSelect::UniqueByKey on the first n of its values as keys, and of its indices as values.
std::size_t c_unique_by_key(void *out, const void *keys, const void *values, std::size_t n);
std::unique_ptr<Device> cub_unique_by_key(std::size_t n, bool wide);

} // namespace peers

#endif

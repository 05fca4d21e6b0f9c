// SPDX-License-Identifier: MIT
// reduce_by_key_peers.hpp: sums of runs of equal keys by others, to compare with. Keys, values and sums are of U32; n
// elements from the beginning of the output on are the keys, the next n the sums.
#ifndef CLPRIM_BENCHMARKS_REDUCE_BY_KEY_PEERS_HPP
#define CLPRIM_BENCHMARKS_REDUCE_BY_KEY_PEERS_HPP

#include "peer.hpp"

namespace peers {

// A plain loop on the host; returns the number of runs. The C++ standard library has nothing for it.
std::size_t c_reduce_by_key(void *out, const void *keys, const void *values, std::size_t n);

// boost::compute::reduce_by_key. It hands the count to the host, so start() blocks.
std::unique_ptr<Device> boost_compute_reduce_by_key(const BoostTarget &keys, cl_mem values, std::size_t n);

// cub::DeviceReduce::ReduceByKey on the first n of its values as keys, and of its indices as values.
std::unique_ptr<Device> cub_reduce_by_key(std::size_t n, bool wide);

} // namespace peers

#endif

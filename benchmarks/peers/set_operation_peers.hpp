// SPDX-License-Identifier: MIT
// set_operation_peers.hpp: set operations by others, upwards. What a peer is not timed with is nullptr. Keys: U32, U64; a
// and b, each in order, lie one behind the other.
#ifndef CLPRIM_BENCHMARKS_SET_OPERATION_PEERS_HPP
#define CLPRIM_BENCHMARKS_SET_OPERATION_PEERS_HPP

#include "peer.hpp"

namespace peers {

// On the host, from one place to another; returns the number of elements when it is done.
using HostSetOperation = std::size_t (*)(void *out, const void *in, std::size_t a_count, std::size_t b_count);

HostSetOperation std_set_operation(clprim_set_op op, clprim_type type);
HostSetOperation std_set_operation_par(clprim_set_op op, clprim_type type); // par_unseq; nullptr without TBB

// thrust::set_union and its like, of elements on the host, of which it makes a copy.
std::unique_ptr<Device> cub_set_operation(clprim_set_op op, clprim_type type, const void *in, std::size_t a_count,
                                          std::size_t b_count);

} // namespace peers

#endif

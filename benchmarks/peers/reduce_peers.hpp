// SPDX-License-Identifier: MIT
// reduce_peers.hpp: reductions by others, to compare with. Each gives what clPRIM gives: one element, or for ARGMAX a
// clprim_indexed. A pair of type and operator that a peer is not timed with gives nullptr.
// Types: I32 I64 U8 F32 F64. Operators: SUM (integers wrap), and for F32 also MIN and ARGMAX.
#ifndef CLPRIM_BENCHMARKS_REDUCE_PEERS_HPP
#define CLPRIM_BENCHMARKS_REDUCE_PEERS_HPP

#include "peer.hpp"

namespace peers {

// On the host; returns when the result is in *out.
using HostReduce = void (*)(void *out, const void *in, std::size_t n);

HostReduce c_reduce(clprim_type type, clprim_op op);       // a plain loop
HostReduce std_reduce(clprim_type type, clprim_op op);     // std::reduce, std::min_element, std::max_element
HostReduce std_par_reduce(clprim_type type, clprim_op op); // the same with std::execution::par_unseq; nullptr w/o TBB

// boost::compute::reduce. It hands the result to the host, so start() blocks.
std::unique_ptr<Device> boost_compute_reduce(const BoostTarget &target, clprim_type type, clprim_op op, std::size_t n);

// cub::DeviceReduce over the first n elements of its input; wide: the count is handed over as a size_t, else as an int.
std::unique_ptr<Device> cub_reduce(clprim_type type, clprim_op op, std::size_t n, bool wide);

// The same of elements that an expression over i gives, F32: x[i] * y[i], where y is behind the n elements of x (by an
// iterator), and x[i] > limit ? x[i] : 0 (by TransformReduce).
std::unique_ptr<Device> cub_reduce_dot(std::size_t n, bool wide);
std::unique_ptr<Device> cub_reduce_masked(std::size_t n, bool wide, float limit);

} // namespace peers

#endif

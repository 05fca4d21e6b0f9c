// SPDX-License-Identifier: MIT
// merge_peers.hpp: merges by others, upwards. What a peer is not timed with is nullptr. Keys: U32, U64; a and b, each
// in order, lie one behind the other.
#ifndef CLPRIM_BENCHMARKS_MERGE_PEERS_HPP
#define CLPRIM_BENCHMARKS_MERGE_PEERS_HPP

#include "peer.hpp"

namespace peers {

// On the host, from one place to another; returns when it is done.
using HostMerge = void (*)(void *out, const void *in, std::size_t a_count, std::size_t b_count);

HostMerge std_merge(clprim_type type);
HostMerge std_merge_par(clprim_type type); // par_unseq; nullptr without TBB

// boost::compute::merge of the elements of a buffer of the target's context.
std::unique_ptr<Device> boost_compute_merge(const BoostTarget &target, clprim_type type, std::size_t a_count,
                                            std::size_t b_count);

// cub::DeviceMerge::MergeKeys of elements on the host, of which it makes a copy.
std::unique_ptr<Device> cub_merge(clprim_type type, const void *in, std::size_t a_count, std::size_t b_count);

} // namespace peers

#endif

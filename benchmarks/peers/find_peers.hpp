// SPDX-License-Identifier: MIT
// find_peers.hpp: searches for a value by others. What a peer is not timed with is nullptr. Elements: U32, U64.
#ifndef CLPRIM_BENCHMARKS_FIND_PEERS_HPP
#define CLPRIM_BENCHMARKS_FIND_PEERS_HPP

#include "peer.hpp"

#include <cstdint>

namespace peers {

// On the host: the first of n elements that is the wanted one; n if there is none.
using HostFind = std::size_t (*)(const void *in, std::size_t n, std::uint64_t wanted);

HostFind std_find(clprim_type type);     // std::find_if
HostFind std_find_par(clprim_type type); // par_unseq; nullptr without TBB

// thrust::find_if of elements on the host, of which it makes a copy. The output is a number of 4 bytes.
std::unique_ptr<Device> cub_find(clprim_type type, const void *in, std::size_t n, std::uint64_t wanted);

} // namespace peers

#endif

// SPDX-License-Identifier: MIT
// search_peers.hpp: lower bounds by others. What a peer is not timed with is nullptr. Keys: U32, U64; indices of 4
// bytes.
#ifndef CLPRIM_BENCHMARKS_SEARCH_PEERS_HPP
#define CLPRIM_BENCHMARKS_SEARCH_PEERS_HPP

#include "peer.hpp"

namespace peers {

// On the host: std::lower_bound for each of m needles in n elements that are in order.
using HostSearch = void (*)(void *out, const void *in, std::size_t n, const void *needles, std::size_t m);

HostSearch std_search(clprim_type type);
HostSearch std_search_par(clprim_type type); // on all cores by TBB; nullptr without it

// thrust::lower_bound, vectorized, of elements on the host, of which it makes a copy.
std::unique_ptr<Device> cub_search(clprim_type type, const void *in, std::size_t n, const void *needles, std::size_t m);

} // namespace peers

#endif

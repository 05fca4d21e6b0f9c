// empty_peers.hpp: a launch of nothing by others.
#ifndef CLPRIM_BENCHMARKS_EMPTY_PEERS_HPP
#define CLPRIM_BENCHMARKS_EMPTY_PEERS_HPP

#include "peer.hpp"

namespace peers {

// An empty kernel of one thread block, launched by CUDA.
std::unique_ptr<Device> cub_empty();

} // namespace peers

#endif

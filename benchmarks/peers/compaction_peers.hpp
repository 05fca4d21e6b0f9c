// SPDX-License-Identifier: MIT
// compaction_peers.hpp: a stream compaction by another library's look-back, to compare with.
#ifndef CLPRIM_BENCHMARKS_COMPACTION_PEERS_HPP
#define CLPRIM_BENCHMARKS_COMPACTION_PEERS_HPP

#include "peer.hpp"

namespace peers {

// A kernel of cub::ScanTileState and cub::TilePrefixCallbackOp that keeps the floats above a limit: tiles of 256 threads
// and 8, 16 or 32 elements of each. n: whole tiles, fewer than 2^31 elements.
std::unique_ptr<Device> cub_compaction(std::size_t n, unsigned items, float limit);

} // namespace peers

#endif

// SPDX-License-Identifier: MIT
// batched_copy_peers.hpp: copies of segments by others, to compare with: from anywhere, one behind the other.
#ifndef CLPRIM_BENCHMARKS_BATCHED_COPY_PEERS_HPP
#define CLPRIM_BENCHMARKS_BATCHED_COPY_PEERS_HPP

#include "peer.hpp"

#include <cstdint>

namespace peers {

// Segment s has the elements from offsets[s] up to offsets[s + 1] of the output; those of the input begin at begins[s].
struct Batch {
    const std::uint32_t *offsets;
    const std::uint32_t *begins;
    std::size_t count;
};

// cub::DeviceMemcpy::Batched of elements of its input. Offsets and begins are copied.
std::unique_ptr<Device> cub_batched_copy(clprim_type type, std::size_t n, const Batch &batch);

} // namespace peers

#endif

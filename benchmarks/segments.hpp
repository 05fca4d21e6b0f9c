// SPDX-License-Identifier: MIT
// segments.hpp: segments of random lengths, by where they begin.
#ifndef CLPRIM_BENCHMARKS_SEGMENTS_HPP
#define CLPRIM_BENCHMARKS_SEGMENTS_HPP

#include "harness.hpp"
#include "peers/segmented_sort_peers.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace bench {

// Numbers of 31 bits.
class Random {
  public:
    std::size_t operator()()
    {
        state_ = state_ * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        return state_ >> 33;
    }

  private:
    std::uint64_t state_ = 1;
};

// Offsets of segments that cover n elements, of length(random, where it begins); the last one may be shorter.
template <class Length> std::vector<std::uint32_t> make_offsets(std::size_t n, Length length)
{
    std::vector<std::uint32_t> offsets = {0};
    Random random;
    for (std::size_t at = 0; at < n;) {
        at += std::min<std::size_t>(length(random, at), n - at);
        offsets.push_back(static_cast<std::uint32_t>(at));
    }
    return offsets;
}

// Offsets on the host and on the device.
struct Offsets {
    std::vector<std::uint32_t> offsets;
    Buffer device;

    peers::Segments segments() const
    {
        return {offsets.data(), offsets.size() - 1};
    }
    void upload(Session &session)
    {
        device = session.new_buffer(offsets.size() * sizeof offsets[0], offsets.data());
    }
};

} // namespace bench

#endif

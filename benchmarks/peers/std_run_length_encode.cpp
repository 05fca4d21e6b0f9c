// SPDX-License-Identifier: MIT
// std_run_length_encode.cpp: runs and their lengths on the host.
#include "run_length_encode_peers.hpp"

#include <cstdint>

namespace peers {

std::size_t c_run_length_encode(void *out, const void *in, std::size_t n)
{
    const auto *x = static_cast<const std::uint32_t *>(in);
    auto *elements = static_cast<std::uint32_t *>(out);
    std::uint32_t *lengths = elements + n;
    std::size_t runs = 0;
    for (std::size_t begin = 0, end = 0; begin < n; begin = end, runs++) {
        for (end = begin + 1; end < n && x[end] == x[begin];)
            end++;
        elements[runs] = x[begin];
        lengths[runs] = static_cast<std::uint32_t>(end - begin);
    }
    return runs;
}

std::size_t c_non_trivial_runs(void *out, const void *in, std::size_t n)
{
    const auto *x = static_cast<const std::uint32_t *>(in);
    auto *offsets = static_cast<std::uint32_t *>(out);
    std::uint32_t *lengths = offsets + n;
    std::size_t runs = 0;
    for (std::size_t begin = 0, end = 0; begin < n; begin = end) {
        for (end = begin + 1; end < n && x[end] == x[begin];)
            end++;
        if (end - begin < 2)
            continue;
        offsets[runs] = static_cast<std::uint32_t>(begin);
        lengths[runs++] = static_cast<std::uint32_t>(end - begin);
    }
    return runs;
}

} // namespace peers

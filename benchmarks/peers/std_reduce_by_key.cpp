// SPDX-License-Identifier: MIT
// std_reduce_by_key.cpp: sums of runs on the host.
#include "reduce_by_key_peers.hpp"

#include <cstdint>

namespace peers {

std::size_t c_reduce_by_key(void *out, const void *keys, const void *values, std::size_t n)
{
    const auto *key = static_cast<const std::uint32_t *>(keys);
    const auto *value = static_cast<const std::uint32_t *>(values);
    auto *keys_out = static_cast<std::uint32_t *>(out);
    std::uint32_t *sums = keys_out + n;
    std::size_t runs = 0;
    for (std::size_t i = 0; i < n; runs++) {
        const std::uint32_t own = key[i];
        std::uint32_t sum = 0;
        for (; i < n && key[i] == own; i++)
            sum += value[i];
        keys_out[runs] = own;
        sums[runs] = sum;
    }
    return runs;
}

} // namespace peers

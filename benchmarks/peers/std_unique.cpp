// SPDX-License-Identifier: MIT
// std_unique.cpp: the first elements of runs on the host: a plain loop, and the C++ standard library's.
#include "host.hpp"
#include "unique_peers.hpp"

#include <algorithm>
#include <cstdint>

namespace peers {
namespace {

std::size_t by_loop(void *out, const void *in, std::size_t n)
{
    const auto *x = static_cast<const std::uint32_t *>(in);
    auto *y = static_cast<std::uint32_t *>(out);
    std::size_t count = 0;
    for (std::size_t i = 0; i < n; i++)
        if (i == 0 || x[i] != x[i - 1])
            y[count++] = x[i];
    return count;
}

template <class... Policy> std::size_t by_std(void *out, const void *in, std::size_t n)
{
    const auto *x = static_cast<const std::uint32_t *>(in);
    auto *y = static_cast<std::uint32_t *>(out);
    return static_cast<std::size_t>(std::unique_copy(POLICY<Policy>..., x, x + n, y) - y);
}

} // namespace

HostUnique c_unique()
{
    return by_loop;
}

std::size_t c_unique_by_key(void *out, const void *keys, const void *values, std::size_t n)
{
    const auto *x = static_cast<const std::uint32_t *>(keys);
    const auto *v = static_cast<const std::uint32_t *>(values);
    auto *y = static_cast<std::uint32_t *>(out);
    std::size_t count = 0;
    for (std::size_t i = 0; i < n; i++)
        if (i == 0 || x[i] != x[i - 1]) {
            y[count] = x[i];
            y[n + count++] = v[i];
        }
    return count;
}

HostUnique std_unique()
{
    return by_std<>;
}

HostUnique std_par_unique()
{
    return in_parallel<HostUnique>([](auto policy) { return by_std<decltype(policy)>; });
}

} // namespace peers

// SPDX-License-Identifier: MIT
// std_search.cpp: std::lower_bound for one needle after the other, on one core and on all.
#include "host.hpp"
#include "search_peers.hpp"

#include <algorithm>
#include <cstdint>

namespace peers {
namespace {

template <class T, bool parallel>
void search(void *out, const void *in, std::size_t n, const void *needles, std::size_t m)
{
    for_each<parallel>(m, [=](std::size_t i) {
        const T *x = static_cast<const T *>(in);
        static_cast<std::uint32_t *>(out)[i] =
            static_cast<std::uint32_t>(std::lower_bound(x, x + n, static_cast<const T *>(needles)[i]) - x);
    });
}

template <bool parallel> HostSearch pick(clprim_type type)
{
    return for_type<std::uint32_t, std::uint64_t>(
        type, [](auto zero) -> HostSearch { return search<decltype(zero), parallel>; });
}

} // namespace

HostSearch std_search(clprim_type type)
{
    return pick<false>(type);
}

HostSearch std_search_par(clprim_type type)
{
    return in_parallel<HostSearch>([=](auto) { return pick<true>(type); });
}

} // namespace peers

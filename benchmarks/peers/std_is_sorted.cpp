// SPDX-License-Identifier: MIT
// std_is_sorted.cpp: the C++ standard library's is_sorted_until, on one core and on all.
#include "host.hpp"
#include "is_sorted_peers.hpp"

#include <algorithm>
#include <cstdint>

namespace peers {
namespace {

template <class T, class... Policy> std::size_t sorted_until(const void *in, std::size_t n)
{
    const T *x = static_cast<const T *>(in);
    return static_cast<std::size_t>(std::is_sorted_until(POLICY<Policy>..., x, x + n) - x);
}

template <class... Policy> HostIsSorted pick(clprim_type type, Policy...)
{
    return for_type<std::uint32_t, std::uint64_t>(
        type, [](auto zero) -> HostIsSorted { return sorted_until<decltype(zero), Policy...>; });
}

} // namespace

HostIsSorted std_is_sorted(clprim_type type)
{
    return pick(type);
}

HostIsSorted std_is_sorted_par(clprim_type type)
{
    return in_parallel<HostIsSorted>([=](auto policy) { return pick(type, policy); });
}

} // namespace peers

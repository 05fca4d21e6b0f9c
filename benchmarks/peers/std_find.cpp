// SPDX-License-Identifier: MIT
// std_find.cpp: the C++ standard library's find_if, on one core and on all.
#include "find_peers.hpp"
#include "host.hpp"

#include <algorithm>

namespace peers {
namespace {

template <class T, class... Policy> std::size_t find(const void *in, std::size_t n, std::uint64_t wanted)
{
    const T *x = static_cast<const T *>(in);
    const T value = static_cast<T>(wanted);
    const auto equals = [value](T element) { return element == value; };
    return static_cast<std::size_t>(std::find_if(POLICY<Policy>..., x, x + n, equals) - x);
}

template <class... Policy> HostFind pick(clprim_type type, Policy...)
{
    return for_type<std::uint32_t, std::uint64_t>(
        type, [](auto zero) -> HostFind { return find<decltype(zero), Policy...>; });
}

} // namespace

HostFind std_find(clprim_type type)
{
    return pick(type);
}

HostFind std_find_par(clprim_type type)
{
    return in_parallel<HostFind>([=](auto policy) { return pick(type, policy); });
}

} // namespace peers

// SPDX-License-Identifier: MIT
// std_merge.cpp: the C++ standard library's merge, on one core and on all.
#include "host.hpp"
#include "merge_peers.hpp"

#include <algorithm>
#include <cstdint>

namespace peers {
namespace {

template <class T, class... Policy> void merge(void *out, const void *in, std::size_t a_count, std::size_t b_count)
{
    const T *x = static_cast<const T *>(in);
    std::merge(POLICY<Policy>..., x, x + a_count, x + a_count, x + a_count + b_count, static_cast<T *>(out));
}

template <class... Policy> HostMerge pick(clprim_type type, Policy...)
{
    return for_type<std::uint32_t, std::uint64_t>(
        type, [](auto zero) -> HostMerge { return merge<decltype(zero), Policy...>; });
}

} // namespace

HostMerge std_merge(clprim_type type)
{
    return pick(type);
}

HostMerge std_merge_par(clprim_type type)
{
    return in_parallel<HostMerge>([=](auto policy) { return pick(type, policy); });
}

} // namespace peers

// SPDX-License-Identifier: MIT
// std_top_k.cpp: the C++ standard library's ways to the k largest on the host, sequential and parallel.
#include "host.hpp"
#include "top_k_peers.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>

namespace peers {
namespace {

template <class T, class... Policy> void nth_element(void *keys, std::size_t n, std::size_t k)
{
    T *x = static_cast<T *>(keys);
    if (k < n)
        std::nth_element(POLICY<Policy>..., x, x + k, x + n, std::greater<T>());
    std::sort(POLICY<Policy>..., x, x + std::min(k, n), std::greater<T>());
}

template <class T> void partial_sort_copy(void *out, const void *keys, std::size_t n, std::size_t k)
{
    const T *x = static_cast<const T *>(keys);
    T *y = static_cast<T *>(out);
    std::partial_sort_copy(x, x + n, y, y + k, std::greater<T>());
}

template <class... Policy> HostTopK pick(clprim_type type, Policy...)
{
    return for_type<std::uint32_t, float>(type,
                                          [](auto zero) -> HostTopK { return nth_element<decltype(zero), Policy...>; });
}

} // namespace

HostTopK std_nth_element(clprim_type type)
{
    return pick(type);
}

HostTopK std_par_nth_element(clprim_type type)
{
    return in_parallel<HostTopK>([=](auto policy) { return pick(type, policy); });
}

HostTopKCopy std_partial_sort_copy(clprim_type type)
{
    return for_type<std::uint32_t, float>(type,
                                          [](auto zero) -> HostTopKCopy { return partial_sort_copy<decltype(zero)>; });
}

} // namespace peers

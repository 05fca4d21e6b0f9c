// SPDX-License-Identifier: MIT
// std_nth_element.cpp: the C++ standard library's ways to the keys at several ranks on the host, sequential and parallel.
#include "host.hpp"
#include "nth_element_peers.hpp"

#include <algorithm>
#include <cstdint>

namespace peers {
namespace {

// Keys behind a rank that is found are no less than its key.
template <class T, class... Policy> void each(void *keys, std::size_t n, const Ranks &ranks)
{
    T *const x = static_cast<T *>(keys);
    T *begin = x;
    for (const std::size_t rank : ranks) {
        std::nth_element(POLICY<Policy>..., begin, x + rank, x + n);
        begin = x + rank + 1;
    }
}

template <class T> void sort(void *keys, std::size_t n, const Ranks &)
{
    std::sort(static_cast<T *>(keys), static_cast<T *>(keys) + n);
}

template <class... Policy> HostNthElement pick(clprim_type type, Policy...)
{
    return for_type<std::uint32_t, std::uint64_t, float>(
        type, [](auto zero) -> HostNthElement { return each<decltype(zero), Policy...>; });
}

} // namespace

HostNthElement std_nth_element(clprim_type type)
{
    return pick(type);
}

HostNthElement std_par_nth_element(clprim_type type)
{
    return in_parallel<HostNthElement>([=](auto policy) { return pick(type, policy); });
}

HostNthElement std_sort_all(clprim_type type)
{
    return for_type<std::uint32_t, std::uint64_t, float>(
        type, [](auto zero) -> HostNthElement { return sort<decltype(zero)>; });
}

} // namespace peers

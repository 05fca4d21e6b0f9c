// SPDX-License-Identifier: MIT
// std_radix_sort.cpp: the C++ standard library's sorts on the host, and TBB's on all cores. There is no radix sort in
// either.
#include "radix_sort_peers.hpp"
#include "std_sorts.hpp"

namespace peers {
namespace {

template <class How> HostSort pick(clprim_type type)
{
    return for_type<std::uint8_t, std::uint32_t, std::uint64_t, float>(
        type, [](auto zero) -> HostSort { return sort_keys<How, decltype(zero)>; });
}

} // namespace

HostSort std_sort(clprim_type type)
{
    return pick<Unstable>(type);
}

HostSort std_stable_sort(clprim_type type)
{
    return pick<Stable>(type);
}

HostSort tbb_sort(clprim_type type)
{
    return in_parallel<HostSort>([=](auto) { return pick<Parallel>(type); });
}

HostSortPairs std_stable_sort_pairs(clprim_type type)
{
    return for_type<std::uint32_t, std::uint64_t>(
        type, [](auto zero) -> HostSortPairs { return sort_pairs<Stable, decltype(zero)>; });
}

} // namespace peers

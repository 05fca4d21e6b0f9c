// SPDX-License-Identifier: MIT
// std_segmented_sort.cpp: the C++ standard library's sorts of each segment, one after the other or on all cores.
#include "segmented_sort_peers.hpp"
#include "std_sorts.hpp"

namespace peers {
namespace {

template <class T, class How, bool parallel> void sort(void *keys, const Segments &segments)
{
    T *x = static_cast<T *>(keys);
    for_each<parallel>(segments.count, [&](std::size_t s) {
        How::sort(x + segments.offsets[s], x + segments.offsets[s + 1], std::less<T>());
    });
}

template <class How, bool parallel = false> HostSegmentedSort pick(clprim_type type)
{
    return for_type<std::uint32_t, std::uint64_t>(
        type, [](auto zero) -> HostSegmentedSort { return sort<decltype(zero), How, parallel>; });
}

} // namespace

HostSegmentedSort std_segmented_sort(clprim_type type)
{
    return pick<Unstable>(type);
}

HostSegmentedSort std_stable_segmented_sort(clprim_type type)
{
    return pick<Stable>(type);
}

HostSegmentedSort tbb_segmented_sort(clprim_type type)
{
    return in_parallel<HostSegmentedSort>([=](auto) { return pick<Unstable, true>(type); });
}

} // namespace peers

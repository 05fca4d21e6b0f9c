// SPDX-License-Identifier: MIT
// std_segmented_top_k.cpp: the k largest keys of each segment on the host by std::partial_sort_copy, one segment after the
// other or on all cores.
#include "host.hpp"
#include "segmented_top_k_peers.hpp"

#include <algorithm>
#include <functional>

namespace peers {
namespace {

template <bool parallel> void find(void *out, const void *keys, std::size_t k, const Segments &segments)
{
    for_each<parallel>(segments.count, [&](std::size_t s) {
        const std::uint32_t *x = static_cast<const std::uint32_t *>(keys);
        std::uint32_t *row = static_cast<std::uint32_t *>(out) + s * k;
        std::partial_sort_copy(x + segments.offsets[s], x + segments.offsets[s + 1], row, row + k, std::greater<>());
    });
}

} // namespace

HostSegmentedTopK std_segmented_top_k()
{
    return find<false>;
}

HostSegmentedTopK tbb_segmented_top_k()
{
    return in_parallel<HostSegmentedTopK>([](auto) { return find<true>; });
}

} // namespace peers

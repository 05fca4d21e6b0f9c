// std_segmented_top_k.cpp: the k largest keys of each segment on the host by std::partial_sort_copy, one segment after the
// other or on all cores.
#include "segmented_top_k_peers.hpp"

#include <algorithm>
#include <functional>

#if CLPRIM_BENCH_HAVE_TBB
#include <tbb/parallel_for.h>
#endif

namespace peers {
namespace {

void find(void *out, const void *keys, std::size_t k, const Segments &segments, std::size_t s)
{
    const std::uint32_t *x = static_cast<const std::uint32_t *>(keys);
    std::uint32_t *row = static_cast<std::uint32_t *>(out) + s * k;
    std::partial_sort_copy(x + segments.offsets[s], x + segments.offsets[s + 1], row, row + k, std::greater<>());
}

void serial(void *out, const void *keys, std::size_t k, const Segments &segments)
{
    for (std::size_t s = 0; s < segments.count; s++)
        find(out, keys, k, segments, s);
}

#if CLPRIM_BENCH_HAVE_TBB
void parallel(void *out, const void *keys, std::size_t k, const Segments &segments)
{
    tbb::parallel_for(std::size_t{0}, segments.count, [&](std::size_t s) { find(out, keys, k, segments, s); });
}
#endif

} // namespace

HostSegmentedTopK std_segmented_top_k()
{
    return serial;
}

HostSegmentedTopK tbb_segmented_top_k()
{
#if CLPRIM_BENCH_HAVE_TBB
    return parallel;
#else
    return nullptr;
#endif
}

} // namespace peers

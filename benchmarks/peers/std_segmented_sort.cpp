// std_segmented_sort.cpp: the C++ standard library's sorts of each segment, one after the other or on all cores.
#include "segmented_sort_peers.hpp"

#include <algorithm>

#if CLPRIM_BENCH_HAVE_TBB
#include <tbb/parallel_for.h>
#endif

namespace peers {
namespace {

struct Unstable {
    template <class T> static void sort(void *keys, const Segments &segments)
    {
        T *x = static_cast<T *>(keys);
        for (std::size_t s = 0; s < segments.count; s++)
            std::sort(x + segments.offsets[s], x + segments.offsets[s + 1]);
    }
};

struct Stable {
    template <class T> static void sort(void *keys, const Segments &segments)
    {
        T *x = static_cast<T *>(keys);
        for (std::size_t s = 0; s < segments.count; s++)
            std::stable_sort(x + segments.offsets[s], x + segments.offsets[s + 1]);
    }
};

#if CLPRIM_BENCH_HAVE_TBB
struct Parallel {
    template <class T> static void sort(void *keys, const Segments &segments)
    {
        T *x = static_cast<T *>(keys);
        tbb::parallel_for(std::size_t{0}, segments.count,
                          [&](std::size_t s) { std::sort(x + segments.offsets[s], x + segments.offsets[s + 1]); });
    }
};
#endif

template <class How> HostSegmentedSort pick(clprim_type type)
{
    switch (type) {
    case CLPRIM_U32: return How::template sort<std::uint32_t>;
    case CLPRIM_U64: return How::template sort<std::uint64_t>;
    default: return nullptr;
    }
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
#if CLPRIM_BENCH_HAVE_TBB
    return pick<Parallel>(type);
#else
    (void)type;
    return nullptr;
#endif
}

} // namespace peers

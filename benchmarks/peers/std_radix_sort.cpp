// std_radix_sort.cpp: the C++ standard library's sorts on the host, and TBB's on all cores. There is no radix sort in
// either.
#include "radix_sort_peers.hpp"

#include <algorithm>
#include <cstdint>

#if CLPRIM_BENCH_HAVE_TBB
#include <tbb/parallel_sort.h>
#endif

namespace peers {
namespace {

struct Unstable {
    template <class T> static void sort(void *keys, std::size_t n)
    {
        T *x = static_cast<T *>(keys);
        std::sort(x, x + n);
    }
};

struct Stable {
    template <class T> static void sort(void *keys, std::size_t n)
    {
        T *x = static_cast<T *>(keys);
        std::stable_sort(x, x + n);
    }
};

#if CLPRIM_BENCH_HAVE_TBB
struct Parallel {
    template <class T> static void sort(void *keys, std::size_t n)
    {
        T *x = static_cast<T *>(keys);
        tbb::parallel_sort(x, x + n);
    }
};
#endif

template <class How> HostSort pick(clprim_type type)
{
    switch (type) {
    case CLPRIM_U8: return How::template sort<std::uint8_t>;
    case CLPRIM_U32: return How::template sort<std::uint32_t>;
    case CLPRIM_U64: return How::template sort<std::uint64_t>;
    case CLPRIM_F32: return How::template sort<float>;
    default: return nullptr;
    }
}

// The library sorts one sequence: keys and values are put side by side, and taken apart again.
template <class T> void stable_pairs(void *out, const void *keys, const void *values, std::size_t n)
{
    struct Pair {
        T key;
        T value;
    };
    const T *key = static_cast<const T *>(keys);
    const T *value = static_cast<const T *>(values);
    T *y = static_cast<T *>(out);
    const std::unique_ptr<Pair[]> pairs(new Pair[n]);
    for (std::size_t i = 0; i < n; i++)
        pairs[i] = {key[i], value[i]};
    std::stable_sort(pairs.get(), pairs.get() + n, [](const Pair &a, const Pair &b) { return a.key < b.key; });
    for (std::size_t i = 0; i < n; i++) {
        y[i] = pairs[i].key;
        y[n + i] = pairs[i].value;
    }
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
#if CLPRIM_BENCH_HAVE_TBB
    return pick<Parallel>(type);
#else
    (void)type;
    return nullptr;
#endif
}

HostSortPairs std_stable_sort_pairs(clprim_type type)
{
    return type == CLPRIM_U32   ? stable_pairs<std::uint32_t>
           : type == CLPRIM_U64 ? stable_pairs<std::uint64_t>
                                : nullptr;
}

} // namespace peers

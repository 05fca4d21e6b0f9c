// std_bitonic_sort.cpp: the C++ standard library's sorts on the host, and TBB's on all cores.
#include "bitonic_sort_peers.hpp"
#include "std_sorts.hpp"

#include <cstdint>
#include <functional>

namespace peers {
namespace {

template <class How, class T> void sort_keys(void *keys, std::size_t n)
{
    T *x = static_cast<T *>(keys);
    How::sort(x, x + n, std::less<T>());
}

template <class How> HostSort pick(clprim_type type)
{
    switch (type) {
    case CLPRIM_U32: return sort_keys<How, std::uint32_t>;
    case CLPRIM_U64: return sort_keys<How, std::uint64_t>;
    case CLPRIM_F32: return sort_keys<How, float>;
    default: return nullptr;
    }
}

// The library sorts one sequence: keys and values are put side by side, and taken apart again.
template <class How> void sort_pairs(void *out, const void *keys, const void *values, std::size_t n)
{
    struct Pair {
        std::uint32_t key;
        std::uint32_t value;
    };
    const auto *key = static_cast<const std::uint32_t *>(keys);
    const auto *value = static_cast<const std::uint32_t *>(values);
    auto *y = static_cast<std::uint32_t *>(out);
    const std::unique_ptr<Pair[]> pairs(new Pair[n]);
    for (std::size_t i = 0; i < n; i++)
        pairs[i] = {key[i], value[i]};
    How::sort(pairs.get(), pairs.get() + n, [](const Pair &a, const Pair &b) { return a.key < b.key; });
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

HostSortPairs std_sort_pairs()
{
    return sort_pairs<Unstable>;
}

HostSortPairs std_stable_sort_pairs()
{
    return sort_pairs<Stable>;
}

} // namespace peers

// std_nth_element.cpp: the C++ standard library's ways to the keys at several ranks on the host, sequential and parallel.
#include "nth_element_peers.hpp"

#include <algorithm>
#include <cstdint>

#if CLPRIM_BENCH_HAVE_TBB
#include <execution>
#endif

namespace peers {
namespace {

// Policy: nothing, or an execution policy. Keys behind a rank that is found are no less than its key.
template <class T, class... Policy> void each(void *keys, std::size_t n, const Ranks &ranks, Policy &&...policy)
{
    T *const x = static_cast<T *>(keys);
    T *begin = x;
    for (const std::size_t rank : ranks) {
        std::nth_element(policy..., begin, x + rank, x + n);
        begin = x + rank + 1;
    }
}

template <class T> void serial(void *keys, std::size_t n, const Ranks &ranks)
{
    each<T>(keys, n, ranks);
}

#if CLPRIM_BENCH_HAVE_TBB
template <class T> void parallel(void *keys, std::size_t n, const Ranks &ranks)
{
    each<T>(keys, n, ranks, std::execution::par_unseq);
}
#endif

template <class T> void sort(void *keys, std::size_t n, const Ranks &ranks)
{
    (void)ranks;
    std::sort(static_cast<T *>(keys), static_cast<T *>(keys) + n);
}

template <class Function> Function pick(clprim_type type, Function of_u32, Function of_u64, Function of_f32)
{
    return type == CLPRIM_U32 ? of_u32 : type == CLPRIM_U64 ? of_u64 : type == CLPRIM_F32 ? of_f32 : nullptr;
}

} // namespace

HostNthElement std_nth_element(clprim_type type)
{
    return pick(type, serial<std::uint32_t>, serial<std::uint64_t>, serial<float>);
}

HostNthElement std_par_nth_element(clprim_type type)
{
#if CLPRIM_BENCH_HAVE_TBB
    return pick(type, parallel<std::uint32_t>, parallel<std::uint64_t>, parallel<float>);
#else
    (void)type;
    return nullptr;
#endif
}

HostNthElement std_sort_all(clprim_type type)
{
    return pick(type, sort<std::uint32_t>, sort<std::uint64_t>, sort<float>);
}

} // namespace peers

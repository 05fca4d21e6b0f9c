// std_top_k.cpp: the C++ standard library's ways to the k largest on the host, sequential and parallel.
#include "top_k_peers.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>

#if CLPRIM_BENCH_HAVE_TBB
#include <execution>
#endif

namespace peers {
namespace {

// Policy: nothing, or an execution policy.
template <class T, class... Policy> void nth_element(void *keys, std::size_t n, std::size_t k, Policy &&...policy)
{
    T *x = static_cast<T *>(keys);
    if (k < n)
        std::nth_element(policy..., x, x + k, x + n, std::greater<T>());
    std::sort(policy..., x, x + std::min(k, n), std::greater<T>());
}

template <class T> void serial(void *keys, std::size_t n, std::size_t k)
{
    nth_element<T>(keys, n, k);
}

#if CLPRIM_BENCH_HAVE_TBB
template <class T> void parallel(void *keys, std::size_t n, std::size_t k)
{
    nth_element<T>(keys, n, k, std::execution::par_unseq);
}
#endif

template <class T> void partial_sort_copy(void *out, const void *keys, std::size_t n, std::size_t k)
{
    const T *x = static_cast<const T *>(keys);
    T *y = static_cast<T *>(out);
    std::partial_sort_copy(x, x + n, y, y + k, std::greater<T>());
}

template <class Function> Function pick(clprim_type type, Function of_u32, Function of_f32)
{
    return type == CLPRIM_U32 ? of_u32 : type == CLPRIM_F32 ? of_f32 : nullptr;
}

} // namespace

HostTopK std_nth_element(clprim_type type)
{
    return pick(type, serial<std::uint32_t>, serial<float>);
}

HostTopK std_par_nth_element(clprim_type type)
{
#if CLPRIM_BENCH_HAVE_TBB
    return pick(type, parallel<std::uint32_t>, parallel<float>);
#else
    (void)type;
    return nullptr;
#endif
}

HostTopKCopy std_partial_sort_copy(clprim_type type)
{
    return pick(type, partial_sort_copy<std::uint32_t>, partial_sort_copy<float>);
}

} // namespace peers

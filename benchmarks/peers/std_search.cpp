// std_search.cpp: std::lower_bound for one needle after the other, on one core and on all.
#include "search_peers.hpp"

#include <algorithm>
#include <cstdint>

#if CLPRIM_BENCH_HAVE_TBB
#include <tbb/parallel_for.h>
#endif

namespace peers {
namespace {

template <class T> std::uint32_t place_of(const T *x, std::size_t n, T needle)
{
    return static_cast<std::uint32_t>(std::lower_bound(x, x + n, needle) - x);
}

template <class T> void search(void *out, const void *in, std::size_t n, const void *needles, std::size_t m)
{
    for (std::size_t i = 0; i < m; i++)
        static_cast<std::uint32_t *>(out)[i] =
            place_of(static_cast<const T *>(in), n, static_cast<const T *>(needles)[i]);
}

#if CLPRIM_BENCH_HAVE_TBB
template <class T> void search_par(void *out, const void *in, std::size_t n, const void *needles, std::size_t m)
{
    tbb::parallel_for(std::size_t{0}, m, [=](std::size_t i) {
        static_cast<std::uint32_t *>(out)[i] =
            place_of(static_cast<const T *>(in), n, static_cast<const T *>(needles)[i]);
    });
}
#endif

} // namespace

HostSearch std_search(clprim_type type)
{
    return type == CLPRIM_U32 ? search<std::uint32_t> : type == CLPRIM_U64 ? search<std::uint64_t> : nullptr;
}

HostSearch std_search_par(clprim_type type)
{
#if CLPRIM_BENCH_HAVE_TBB
    return type == CLPRIM_U32 ? search_par<std::uint32_t> : type == CLPRIM_U64 ? search_par<std::uint64_t> : nullptr;
#else
    (void)type;
    return nullptr;
#endif
}

} // namespace peers

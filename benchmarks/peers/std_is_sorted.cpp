// std_is_sorted.cpp: the C++ standard library's is_sorted_until, on one core and on all.
#include "is_sorted_peers.hpp"

#include <algorithm>
#include <cstdint>

#if CLPRIM_BENCH_HAVE_TBB
#include <execution>
#endif

namespace peers {
namespace {

template <class T> std::size_t sorted_until(const void *in, std::size_t n)
{
    const T *x = static_cast<const T *>(in);
    return static_cast<std::size_t>(std::is_sorted_until(x, x + n) - x);
}

#if CLPRIM_BENCH_HAVE_TBB
template <class T> std::size_t sorted_until_par(const void *in, std::size_t n)
{
    const T *x = static_cast<const T *>(in);
    return static_cast<std::size_t>(std::is_sorted_until(std::execution::par_unseq, x, x + n) - x);
}
#endif

} // namespace

HostIsSorted std_is_sorted(clprim_type type)
{
    return type == CLPRIM_U32   ? sorted_until<std::uint32_t>
           : type == CLPRIM_U64 ? sorted_until<std::uint64_t>
                                : nullptr;
}

HostIsSorted std_is_sorted_par(clprim_type type)
{
#if CLPRIM_BENCH_HAVE_TBB
    return type == CLPRIM_U32   ? sorted_until_par<std::uint32_t>
           : type == CLPRIM_U64 ? sorted_until_par<std::uint64_t>
                                : nullptr;
#else
    (void)type;
    return nullptr;
#endif
}

} // namespace peers

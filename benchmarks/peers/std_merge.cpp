// std_merge.cpp: the C++ standard library's merge, on one core and on all.
#include "merge_peers.hpp"

#include <algorithm>
#include <cstdint>

#if CLPRIM_BENCH_HAVE_TBB
#include <execution>
#endif

namespace peers {
namespace {

template <class T> void merge(void *out, const void *in, std::size_t a_count, std::size_t b_count)
{
    const T *x = static_cast<const T *>(in);
    std::merge(x, x + a_count, x + a_count, x + a_count + b_count, static_cast<T *>(out));
}

#if CLPRIM_BENCH_HAVE_TBB
template <class T> void merge_par(void *out, const void *in, std::size_t a_count, std::size_t b_count)
{
    const T *x = static_cast<const T *>(in);
    std::merge(std::execution::par_unseq, x, x + a_count, x + a_count, x + a_count + b_count, static_cast<T *>(out));
}
#endif

} // namespace

HostMerge std_merge(clprim_type type)
{
    return type == CLPRIM_U32 ? merge<std::uint32_t> : type == CLPRIM_U64 ? merge<std::uint64_t> : nullptr;
}

HostMerge std_merge_par(clprim_type type)
{
#if CLPRIM_BENCH_HAVE_TBB
    return type == CLPRIM_U32 ? merge_par<std::uint32_t> : type == CLPRIM_U64 ? merge_par<std::uint64_t> : nullptr;
#else
    (void)type;
    return nullptr;
#endif
}

} // namespace peers

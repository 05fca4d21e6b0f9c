// std_find.cpp: the C++ standard library's find_if, on one core and on all.
#include "find_peers.hpp"

#include <algorithm>

#if CLPRIM_BENCH_HAVE_TBB
#include <execution>
#endif

namespace peers {
namespace {

template <class T> std::size_t find(const void *in, std::size_t n, std::uint64_t wanted)
{
    const T *x = static_cast<const T *>(in);
    const T value = static_cast<T>(wanted);
    return static_cast<std::size_t>(std::find_if(x, x + n, [value](T element) { return element == value; }) - x);
}

#if CLPRIM_BENCH_HAVE_TBB
template <class T> std::size_t find_par(const void *in, std::size_t n, std::uint64_t wanted)
{
    const T *x = static_cast<const T *>(in);
    const T value = static_cast<T>(wanted);
    return static_cast<std::size_t>(
        std::find_if(std::execution::par_unseq, x, x + n, [value](T element) { return element == value; }) - x);
}
#endif

} // namespace

HostFind std_find(clprim_type type)
{
    return type == CLPRIM_U32 ? find<std::uint32_t> : type == CLPRIM_U64 ? find<std::uint64_t> : nullptr;
}

HostFind std_find_par(clprim_type type)
{
#if CLPRIM_BENCH_HAVE_TBB
    return type == CLPRIM_U32 ? find_par<std::uint32_t> : type == CLPRIM_U64 ? find_par<std::uint64_t> : nullptr;
#else
    (void)type;
    return nullptr;
#endif
}

} // namespace peers

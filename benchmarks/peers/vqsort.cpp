// SPDX-License-Identifier: MIT
// vqsort.cpp: see vqsort.hpp. The library chooses the code for the processor at run time.
#include "vqsort.hpp"
#include "types.hpp"

#if CLPRIM_BENCH_HAVE_VQSORT
#include <hwy/contrib/sort/vqsort.h>
#endif

namespace peers {

#if CLPRIM_BENCH_HAVE_VQSORT
namespace {

template <class T> void sort(void *keys, std::size_t n)
{
    hwy::Sorter()(static_cast<T *>(keys), n, hwy::SortAscending());
}

} // namespace

HostSort vqsort(clprim_type type)
{
    return for_type<std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float,
                    double>(type, [](auto zero) -> HostSort { return sort<decltype(zero)>; });
}
#else
HostSort vqsort(clprim_type)
{
    return nullptr;
}
#endif

} // namespace peers

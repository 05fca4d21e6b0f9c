// vqsort.cpp: see vqsort.hpp. The library chooses the code for the processor at run time.
#include "vqsort.hpp"

#include <cstdint>

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
    switch (type) {
    case CLPRIM_I16: return sort<std::int16_t>;
    case CLPRIM_U16: return sort<std::uint16_t>;
    case CLPRIM_I32: return sort<std::int32_t>;
    case CLPRIM_U32: return sort<std::uint32_t>;
    case CLPRIM_I64: return sort<std::int64_t>;
    case CLPRIM_U64: return sort<std::uint64_t>;
    case CLPRIM_F32: return sort<float>;
    case CLPRIM_F64: return sort<double>;
    default: return nullptr;
    }
}
#else
HostSort vqsort(clprim_type)
{
    return nullptr;
}
#endif

} // namespace peers

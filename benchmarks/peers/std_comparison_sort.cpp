// std_comparison_sort.cpp: records, by the C++ standard library on the host, and by TBB on all cores.
#include "comparison_sort_peers.hpp"
#include "std_sorts.hpp"

#include <functional>

namespace peers {
namespace {

template <class How> void sort_records(void *records, std::size_t n)
{
    Record *x = static_cast<Record *>(records);
    How::sort(x, x + n, std::less<Record>());
}

} // namespace

HostSort std_sort_records()
{
    return sort_records<Unstable>;
}

HostSort std_stable_sort_records()
{
    return sort_records<Stable>;
}

HostSort tbb_sort_records()
{
#if CLPRIM_BENCH_HAVE_TBB
    return sort_records<Parallel>;
#else
    return nullptr;
#endif
}

} // namespace peers

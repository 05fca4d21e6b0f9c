// std_sorts.hpp: the sorts of the C++ standard library, and TBB's on all cores, as types that functions are made from.
#ifndef CLPRIM_BENCHMARKS_STD_SORTS_HPP
#define CLPRIM_BENCHMARKS_STD_SORTS_HPP

#include <algorithm>

#if CLPRIM_BENCH_HAVE_TBB
#include <tbb/parallel_sort.h>
#endif

namespace peers {

struct Unstable {
    template <class Iterator, class Less> static void sort(Iterator begin, Iterator end, Less less)
    {
        std::sort(begin, end, less);
    }
};

struct Stable {
    template <class Iterator, class Less> static void sort(Iterator begin, Iterator end, Less less)
    {
        std::stable_sort(begin, end, less);
    }
};

#if CLPRIM_BENCH_HAVE_TBB
struct Parallel {
    template <class Iterator, class Less> static void sort(Iterator begin, Iterator end, Less less)
    {
        tbb::parallel_sort(begin, end, less);
    }
};
#endif

} // namespace peers

#endif

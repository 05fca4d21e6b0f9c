// SPDX-License-Identifier: MIT
// std_sorts.hpp: the sorts of the C++ standard library, and TBB's on all cores, as types that functions are made from, and
// these functions.
#ifndef CLPRIM_BENCHMARKS_STD_SORTS_HPP
#define CLPRIM_BENCHMARKS_STD_SORTS_HPP

#include "host.hpp"

#include <algorithm>
#include <functional>
#include <memory>

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

// Of TBB, without which nothing calls it.
struct Parallel {
    template <class Iterator, class Less> static void sort(Iterator begin, Iterator end, Less less)
    {
#if CLPRIM_BENCH_HAVE_TBB
        tbb::parallel_sort(begin, end, less);
#else
        std::sort(begin, end, less);
#endif
    }
};

template <class How, class T> void sort_keys(void *keys, std::size_t n)
{
    T *x = static_cast<T *>(keys);
    How::sort(x, x + n, std::less<T>());
}

// The library sorts one sequence: keys and values are put side by side, and taken apart again.
template <class How, class T> void sort_pairs(void *out, const void *keys, const void *values, std::size_t n)
{
    struct Pair {
        T key;
        T value;
    };
    const T *key = static_cast<const T *>(keys);
    const T *value = static_cast<const T *>(values);
    T *y = static_cast<T *>(out);
    const std::unique_ptr<Pair[]> pairs(new Pair[n]);
    for (std::size_t i = 0; i < n; i++)
        pairs[i] = {key[i], value[i]};
    How::sort(pairs.get(), pairs.get() + n, [](const Pair &a, const Pair &b) { return a.key < b.key; });
    for (std::size_t i = 0; i < n; i++) {
        y[i] = pairs[i].key;
        y[n + i] = pairs[i].value;
    }
}

} // namespace peers

#endif

// SPDX-License-Identifier: MIT
// host.hpp: what peers on the host share: operators, and how what is parallel is left out where TBB is not there.
#ifndef CLPRIM_BENCHMARKS_HOST_HPP
#define CLPRIM_BENCHMARKS_HOST_HPP

#include "types.hpp"

#include <cstddef>

#if CLPRIM_BENCH_HAVE_TBB
#include <execution>
#include <tbb/parallel_for.h>
#endif

namespace peers {

// Integers wrap around; in C++ only unsigned ones may.
template <class T> struct Plus {
    T operator()(T a, T b) const
    {
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
        else
            return a + b;
    }
};

// Of elements without NaN.
template <class T> struct Max {
    T operator()(T a, T b) const
    {
        return a < b ? b : a;
    }
};

// An execution policy of this type.
template <class Policy> inline constexpr Policy POLICY{};

// pick(policy), with the policy of parallel algorithms; nullptr where there are none. Functions that take such policies as
// types run without one in sequence.
template <class Function, class Pick> Function in_parallel(const Pick &pick)
{
#if CLPRIM_BENCH_HAVE_TBB
    return pick(std::execution::par_unseq);
#else
    (void)pick;
    return nullptr;
#endif
}

// body(0), body(1), ...
template <bool parallel, class Body> void for_each(std::size_t count, const Body &body)
{
#if CLPRIM_BENCH_HAVE_TBB
    if constexpr (parallel)
        return tbb::parallel_for(std::size_t{0}, count, body);
#endif
    for (std::size_t i = 0; i < count; i++)
        body(i);
}

} // namespace peers

#endif

// SPDX-License-Identifier: MIT
// std_segmented_reduce.cpp: folds of segments on the host: plain loops, and the C++ standard library's, one segment after the
// other or on all cores.
#include "host.hpp"
#include "segmented_reduce_peers.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace peers {
namespace {

template <class T> struct Sum {
    static constexpr T FIRST = 0;
    T operator()(T a, T b) const
    {
        return Plus<T>()(a, b);
    }
};

template <class T> struct Least {
    static constexpr T FIRST = std::numeric_limits<T>::infinity();
    T operator()(T a, T b) const
    {
        return b < a ? b : a;
    }
};

struct Plain {
    template <class Op, class T> static T fold(const T *begin, const T *end)
    {
        T x = Op::FIRST;
        for (; begin < end; begin++)
            x = Op()(x, *begin);
        return x;
    }
};

struct Standard {
    template <class Op, class T> static T fold(const T *begin, const T *end)
    {
        return std::transform_reduce(begin, end, Op::FIRST, Op(), [](T x) { return x; });
    }
};

template <class T, class Op, class How, bool parallel> void reduce(void *out, const void *in, const Segments &segments)
{
    const T *x = static_cast<const T *>(in);
    T *results = static_cast<T *>(out);
    const std::uint32_t *offsets = segments.offsets;
    for_each<parallel>(segments.count,
                       [=](std::size_t s) { results[s] = How::template fold<Op>(x + offsets[s], x + offsets[s + 1]); });
}

template <class How, bool parallel = false> HostSegmentedReduce pick(clprim_type type, clprim_op op)
{
    if (type == CLPRIM_F32 && op == CLPRIM_MIN)
        return reduce<float, Least<float>, How, parallel>;
    return for_type<std::int32_t, std::int64_t, float>(type, [](auto zero) -> HostSegmentedReduce {
        using T = decltype(zero);
        return reduce<T, Sum<T>, How, parallel>;
    });
}

} // namespace

HostSegmentedReduce c_segmented_reduce(clprim_type type, clprim_op op)
{
    return pick<Plain>(type, op);
}

HostSegmentedReduce std_segmented_reduce(clprim_type type, clprim_op op)
{
    return pick<Standard>(type, op);
}

HostSegmentedReduce tbb_segmented_reduce(clprim_type type, clprim_op op)
{
    return in_parallel<HostSegmentedReduce>([=](auto) { return pick<Standard, true>(type, op); });
}

} // namespace peers

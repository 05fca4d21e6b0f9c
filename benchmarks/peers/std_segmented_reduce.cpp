// std_segmented_reduce.cpp: folds of segments on the host: plain loops, and the C++ standard library's, one segment after the
// other or on all cores.
#include "numbers.hpp"
#include "segmented_reduce_peers.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#if CLPRIM_BENCH_HAVE_TBB
#include <tbb/parallel_for.h>
#endif

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

struct Serial {
    template <class Body> static void each(std::size_t count, Body body)
    {
        for (std::size_t s = 0; s < count; s++)
            body(s);
    }
};

template <class T, class Op, class How, class Loop> void reduce(void *out, const void *in, const Segments &segments)
{
    const T *x = static_cast<const T *>(in);
    T *results = static_cast<T *>(out);
    const std::uint32_t *offsets = segments.offsets;
    Loop::each(segments.count,
               [=](std::size_t s) { results[s] = How::template fold<Op>(x + offsets[s], x + offsets[s + 1]); });
}

template <class How, class Loop> HostSegmentedReduce pick(clprim_type type, clprim_op op)
{
    switch (type) {
    case CLPRIM_I32: return reduce<std::int32_t, Sum<std::int32_t>, How, Loop>;
    case CLPRIM_I64: return reduce<std::int64_t, Sum<std::int64_t>, How, Loop>;
    case CLPRIM_F32:
        if (op == CLPRIM_MIN)
            return reduce<float, Least<float>, How, Loop>;
        return reduce<float, Sum<float>, How, Loop>;
    default: return nullptr;
    }
}

#if CLPRIM_BENCH_HAVE_TBB
struct Parallel {
    template <class Body> static void each(std::size_t count, Body body)
    {
        tbb::parallel_for(std::size_t{0}, count, body);
    }
};
#endif

} // namespace

HostSegmentedReduce c_segmented_reduce(clprim_type type, clprim_op op)
{
    return pick<Plain, Serial>(type, op);
}

HostSegmentedReduce std_segmented_reduce(clprim_type type, clprim_op op)
{
    return pick<Standard, Serial>(type, op);
}

HostSegmentedReduce tbb_segmented_reduce(clprim_type type, clprim_op op)
{
#if CLPRIM_BENCH_HAVE_TBB
    return pick<Standard, Parallel>(type, op);
#else
    (void)type, (void)op;
    return nullptr;
#endif
}

} // namespace peers

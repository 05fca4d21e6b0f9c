// std_segmented_reduce.cpp: folds of segments on the host: plain loops, and the C++ standard library's, one segment after the
// other or on all cores.
#include "numbers.hpp"
#include "segmented_reduce_peers.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <type_traits>

#if CLPRIM_BENCH_HAVE_TBB
#include <tbb/parallel_for.h>
#endif

namespace peers {
namespace {

template <class T> struct Least {
    T operator()(T a, T b) const
    {
        return b < a ? b : a;
    }
};

// What is folded: F32 with MIN, else SUM.
template <class T> using Operator = std::conditional_t<std::is_floating_point_v<T>, Least<T>, Plus<T>>;
template <class T> constexpr T FIRST = std::is_floating_point_v<T> ? std::numeric_limits<T>::infinity() : T{0};

struct Plain {
    template <class T> static T fold(const T *begin, const T *end)
    {
        T x = FIRST<T>;
        for (; begin < end; begin++)
            x = Operator<T>()(x, *begin);
        return x;
    }
};

struct Standard {
    template <class T> static T fold(const T *begin, const T *end)
    {
        return std::transform_reduce(begin, end, FIRST<T>, Operator<T>(), [](T x) { return x; });
    }
};

struct Serial {
    template <class Body> static void each(std::size_t count, Body body)
    {
        for (std::size_t s = 0; s < count; s++)
            body(s);
    }
};

template <class T, class How, class Loop> void reduce(void *out, const void *in, const Segments &segments)
{
    const T *x = static_cast<const T *>(in);
    T *results = static_cast<T *>(out);
    const std::uint32_t *offsets = segments.offsets;
    Loop::each(segments.count,
               [=](std::size_t s) { results[s] = How::template fold<T>(x + offsets[s], x + offsets[s + 1]); });
}

template <class How, class Loop> HostSegmentedReduce pick(clprim_type type)
{
    switch (type) {
    case CLPRIM_I32: return reduce<std::int32_t, How, Loop>;
    case CLPRIM_I64: return reduce<std::int64_t, How, Loop>;
    case CLPRIM_F32: return reduce<float, How, Loop>;
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

HostSegmentedReduce c_segmented_reduce(clprim_type type)
{
    return pick<Plain, Serial>(type);
}

HostSegmentedReduce std_segmented_reduce(clprim_type type)
{
    return pick<Standard, Serial>(type);
}

HostSegmentedReduce tbb_segmented_reduce(clprim_type type)
{
#if CLPRIM_BENCH_HAVE_TBB
    return pick<Standard, Parallel>(type);
#else
    (void)type;
    return nullptr;
#endif
}

} // namespace peers

// std_reduce.cpp: reductions on the host: a plain loop, and the C++ standard library's, sequential and parallel.
#include "numbers.hpp"
#include "reduce_peers.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>

#if CLPRIM_BENCH_HAVE_TBB
#include <execution>
#endif

namespace peers {
namespace {

template <class T> void store(void *out, T value)
{
    std::memcpy(out, &value, sizeof value);
}

void store_indexed(void *out, const float *first, const float *found)
{
    clprim_indexed result;
    std::memset(&result, 0, sizeof result);
    result.index = static_cast<std::uint64_t>(found - first);
    result.value.f32 = *found;
    std::memcpy(out, &result, sizeof result);
}

template <class T> void c_sum(void *out, const void *in, std::size_t n)
{
    const T *x = static_cast<const T *>(in);
    T sum = 0;
    for (std::size_t i = 0; i < n; i++)
        sum = Plus<T>()(sum, x[i]);
    store(out, sum);
}

void c_min(void *out, const void *in, std::size_t n)
{
    const float *x = static_cast<const float *>(in);
    float least = x[0];
    for (std::size_t i = 1; i < n; i++)
        if (x[i] < least)
            least = x[i];
    store(out, least);
}

void c_argmax(void *out, const void *in, std::size_t n)
{
    const float *x = static_cast<const float *>(in);
    std::size_t best = 0;
    for (std::size_t i = 1; i < n; i++)
        if (x[i] > x[best])
            best = i;
    store_indexed(out, x, x + best);
}

template <class T> void std_sum(void *out, const void *in, std::size_t n)
{
    const T *x = static_cast<const T *>(in);
    store(out, std::reduce(x, x + n, T(0), Plus<T>()));
}

void std_min(void *out, const void *in, std::size_t n)
{
    const float *x = static_cast<const float *>(in);
    store(out, *std::min_element(x, x + n));
}

void std_argmax(void *out, const void *in, std::size_t n)
{
    const float *x = static_cast<const float *>(in);
    store_indexed(out, x, std::max_element(x, x + n));
}

#if CLPRIM_BENCH_HAVE_TBB
template <class T> void std_par_sum(void *out, const void *in, std::size_t n)
{
    const T *x = static_cast<const T *>(in);
    store(out, std::reduce(std::execution::par_unseq, x, x + n, T(0), Plus<T>()));
}

void std_par_min(void *out, const void *in, std::size_t n)
{
    const float *x = static_cast<const float *>(in);
    store(out, std::reduce(std::execution::par_unseq, x, x + n, x[0], [](float a, float b) { return b < a ? b : a; }));
}

void std_par_argmax(void *out, const void *in, std::size_t n)
{
    const float *x = static_cast<const float *>(in);
    store_indexed(out, x, std::max_element(std::execution::par_unseq, x, x + n));
}
#endif

#define SUM_CASES(function)                                                                                            \
    switch (type) {                                                                                                    \
    case CLPRIM_I32: return function<std::int32_t>;                                                                    \
    case CLPRIM_I64: return function<std::int64_t>;                                                                    \
    case CLPRIM_U8: return function<std::uint8_t>;                                                                     \
    case CLPRIM_F32: return function<float>;                                                                           \
    case CLPRIM_F64: return function<double>;                                                                          \
    default: return nullptr;                                                                                           \
    }

HostReduce of_f32(clprim_type type, clprim_op op, HostReduce min, HostReduce argmax)
{
    if (type != CLPRIM_F32)
        return nullptr;
    return op == CLPRIM_MIN ? min : op == CLPRIM_ARGMAX ? argmax : nullptr;
}

} // namespace

HostReduce c_reduce(clprim_type type, clprim_op op)
{
    if (op != CLPRIM_SUM)
        return of_f32(type, op, c_min, c_argmax);
    SUM_CASES(c_sum)
}

HostReduce std_reduce(clprim_type type, clprim_op op)
{
    if (op != CLPRIM_SUM)
        return of_f32(type, op, std_min, std_argmax);
    SUM_CASES(std_sum)
}

HostReduce std_par_reduce(clprim_type type, clprim_op op)
{
#if CLPRIM_BENCH_HAVE_TBB
    if (op != CLPRIM_SUM)
        return of_f32(type, op, std_par_min, std_par_argmax);
    SUM_CASES(std_par_sum)
#else
    (void)type;
    (void)op;
    return nullptr;
#endif
}

} // namespace peers

// SPDX-License-Identifier: MIT
// std_reduce.cpp: reductions on the host: a plain loop, and the C++ standard library's, sequential and parallel.
#include "host.hpp"
#include "reduce_peers.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>

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

template <class T, class... Policy> void std_sum(void *out, const void *in, std::size_t n)
{
    const T *x = static_cast<const T *>(in);
    store(out, std::reduce(POLICY<Policy>..., x, x + n, T(0), Plus<T>()));
}

template <class... Policy> void std_min(void *out, const void *in, std::size_t n)
{
    const float *x = static_cast<const float *>(in);
    if constexpr (sizeof...(Policy) == 0)
        store(out, *std::min_element(x, x + n));
    else
        store(out, std::reduce(POLICY<Policy>..., x, x + n, x[0], [](float a, float b) { return b < a ? b : a; }));
}

template <class... Policy> void std_argmax(void *out, const void *in, std::size_t n)
{
    const float *x = static_cast<const float *>(in);
    store_indexed(out, x, std::max_element(POLICY<Policy>..., x, x + n));
}

// sum(T()) is the sum of elements of T.
template <class Sum> HostReduce pick(clprim_type type, clprim_op op, HostReduce min, HostReduce argmax, const Sum &sum)
{
    if (op == CLPRIM_SUM)
        return for_type<std::int32_t, std::int64_t, std::uint8_t, float, double>(type, sum);
    if (type != CLPRIM_F32)
        return nullptr;
    return op == CLPRIM_MIN ? min : op == CLPRIM_ARGMAX ? argmax : nullptr;
}

template <class... Policy> HostReduce pick_std(clprim_type type, clprim_op op, Policy...)
{
    return pick(type, op, std_min<Policy...>, std_argmax<Policy...>,
                [](auto zero) -> HostReduce { return std_sum<decltype(zero), Policy...>; });
}

} // namespace

HostReduce c_reduce(clprim_type type, clprim_op op)
{
    return pick(type, op, c_min, c_argmax, [](auto zero) -> HostReduce { return c_sum<decltype(zero)>; });
}

HostReduce std_reduce(clprim_type type, clprim_op op)
{
    return pick_std(type, op);
}

HostReduce std_par_reduce(clprim_type type, clprim_op op)
{
    return in_parallel<HostReduce>([=](auto policy) { return pick_std(type, op, policy); });
}

} // namespace peers

// SPDX-License-Identifier: MIT
// std_set_operation.cpp: the C++ standard library's set operations, on one core and on all.
#include "host.hpp"
#include "set_operation_peers.hpp"

#include <algorithm>
#include <cstdint>

namespace peers {
namespace {

template <clprim_set_op Op, class T, class... Policy>
std::size_t by_std(void *out, const void *in, std::size_t a_count, std::size_t b_count)
{
    const T *a = static_cast<const T *>(in);
    const T *b = a + a_count;
    T *to = static_cast<T *>(out);
    T *end = to;
    if constexpr (Op == CLPRIM_SET_UNION)
        end = std::set_union(POLICY<Policy>..., a, b, b, b + b_count, to);
    else if constexpr (Op == CLPRIM_SET_INTERSECTION)
        end = std::set_intersection(POLICY<Policy>..., a, b, b, b + b_count, to);
    else if constexpr (Op == CLPRIM_SET_DIFFERENCE)
        end = std::set_difference(POLICY<Policy>..., a, b, b, b + b_count, to);
    else
        end = std::set_symmetric_difference(POLICY<Policy>..., a, b, b, b + b_count, to);
    return static_cast<std::size_t>(end - to);
}

template <clprim_set_op Op, class... Policy> HostSetOperation of_type(clprim_type type)
{
    return for_type<std::uint32_t, std::uint64_t>(
        type, [](auto zero) -> HostSetOperation { return by_std<Op, decltype(zero), Policy...>; });
}

template <class... Policy> HostSetOperation pick(clprim_set_op op, clprim_type type, Policy...)
{
    switch (op) {
    case CLPRIM_SET_UNION: return of_type<CLPRIM_SET_UNION, Policy...>(type);
    case CLPRIM_SET_INTERSECTION: return of_type<CLPRIM_SET_INTERSECTION, Policy...>(type);
    case CLPRIM_SET_DIFFERENCE: return of_type<CLPRIM_SET_DIFFERENCE, Policy...>(type);
    default: return of_type<CLPRIM_SET_SYMMETRIC_DIFFERENCE, Policy...>(type);
    }
}

} // namespace

HostSetOperation std_set_operation(clprim_set_op op, clprim_type type)
{
    return pick(op, type);
}

HostSetOperation std_set_operation_par(clprim_set_op op, clprim_type type)
{
    return in_parallel<HostSetOperation>([=](auto policy) { return pick(op, type, policy); });
}

} // namespace peers

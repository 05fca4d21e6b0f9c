// std_set_operation.cpp: the C++ standard library's set operations, on one core and on all.
#include "set_operation_peers.hpp"

#include <algorithm>
#include <cstdint>

#if CLPRIM_BENCH_HAVE_TBB
#include <execution>
#endif

namespace peers {
namespace {

// Policy: nothing, or an execution policy.
template <clprim_set_op Op, class T, class... Policy>
std::size_t by_std(void *out, const void *in, std::size_t a_count, std::size_t b_count, Policy &&...policy)
{
    const T *a = static_cast<const T *>(in);
    const T *b = a + a_count;
    T *to = static_cast<T *>(out);
    T *end = to;
    if constexpr (Op == CLPRIM_SET_UNION)
        end = std::set_union(policy..., a, b, b, b + b_count, to);
    else if constexpr (Op == CLPRIM_SET_INTERSECTION)
        end = std::set_intersection(policy..., a, b, b, b + b_count, to);
    else if constexpr (Op == CLPRIM_SET_DIFFERENCE)
        end = std::set_difference(policy..., a, b, b, b + b_count, to);
    else
        end = std::set_symmetric_difference(policy..., a, b, b, b + b_count, to);
    return static_cast<std::size_t>(end - to);
}

template <clprim_set_op Op, class T>
std::size_t sequential(void *out, const void *in, std::size_t a_count, std::size_t b_count)
{
    return by_std<Op, T>(out, in, a_count, b_count);
}

#if CLPRIM_BENCH_HAVE_TBB
template <clprim_set_op Op, class T>
std::size_t parallel(void *out, const void *in, std::size_t a_count, std::size_t b_count)
{
    return by_std<Op, T>(out, in, a_count, b_count, std::execution::par_unseq);
}
#endif

#define OF_TYPE(function, op)                                                                                          \
    (type == CLPRIM_U32   ? function<op, std::uint32_t>                                                                \
     : type == CLPRIM_U64 ? function<op, std::uint64_t>                                                                \
                          : static_cast<HostSetOperation>(nullptr))
#define OF_OP(function)                                                                                                \
    (op == CLPRIM_SET_UNION          ? OF_TYPE(function, CLPRIM_SET_UNION)                                             \
     : op == CLPRIM_SET_INTERSECTION ? OF_TYPE(function, CLPRIM_SET_INTERSECTION)                                      \
     : op == CLPRIM_SET_DIFFERENCE   ? OF_TYPE(function, CLPRIM_SET_DIFFERENCE)                                        \
                                     : OF_TYPE(function, CLPRIM_SET_SYMMETRIC_DIFFERENCE))

} // namespace

HostSetOperation std_set_operation(clprim_set_op op, clprim_type type)
{
    return OF_OP(sequential);
}

HostSetOperation std_set_operation_par(clprim_set_op op, clprim_type type)
{
#if CLPRIM_BENCH_HAVE_TBB
    return OF_OP(parallel);
#else
    (void)op;
    (void)type;
    return nullptr;
#endif
}

} // namespace peers

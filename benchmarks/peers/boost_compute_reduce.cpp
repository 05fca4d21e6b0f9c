// SPDX-License-Identifier: MIT
// boost_compute_reduce.cpp: boost::compute::reduce, the other OpenCL library of primitives.
#include "boost_compute_common.hpp"
#include "reduce_peers.hpp"

#include <boost/compute/algorithm/reduce.hpp>

namespace peers {

namespace compute = boost::compute;

std::unique_ptr<Device> boost_compute_reduce(const BoostTarget &target, clprim_type type, clprim_op op, std::size_t n)
{
    if (op != CLPRIM_SUM)
        return nullptr;
    return for_type<std::int32_t, std::int64_t, std::uint8_t, float, double>(type, [&](auto zero) {
        using T = decltype(zero);
        return boost_result<T>(target, [=](BoostCall &call) {
            T sum{};
            compute::reduce(call.in<T>(0), call.in<T>(n), &sum, compute::plus<T>(), call.queue());
            return sum;
        });
    });
}

} // namespace peers

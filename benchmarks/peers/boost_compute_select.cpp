// SPDX-License-Identifier: MIT
// boost_compute_select.cpp: boost::compute::copy_if.
#include "boost_compute_common.hpp"
#include "select_peers.hpp"

#include <boost/compute/algorithm/copy_if.hpp>
#include <boost/compute/lambda.hpp>

namespace peers {

namespace compute = boost::compute;

std::unique_ptr<Device> boost_compute_select(const BoostTarget &target, Select select, clprim_type type, std::size_t n,
                                             double limit)
{
    if (select != Select::below)
        return nullptr;
    return for_type<std::int32_t, float>(type, [&](auto zero) {
        using T = decltype(zero);
        return boost_call(target, n * sizeof(T), [n, bound = static_cast<T>(limit)](BoostCall &call) {
            using compute::lambda::_1;
            return compute::copy_if(call.in<T>(0), call.in<T>(n), call.out<T>(0), _1 < bound, call.queue()).get_index();
        });
    });
}

} // namespace peers

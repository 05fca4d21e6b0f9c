// SPDX-License-Identifier: MIT
// boost_compute_merge.cpp: boost::compute::merge.
#include "boost_compute_common.hpp"
#include "merge_peers.hpp"

#include <boost/compute/algorithm/merge.hpp>

namespace peers {

namespace compute = boost::compute;

std::unique_ptr<Device> boost_compute_merge(const BoostTarget &target, clprim_type type, std::size_t a_count,
                                            std::size_t b_count)
{
    return for_type<std::uint32_t, std::uint64_t>(type, [&](auto zero) {
        using T = decltype(zero);
        return boost_call(target, (a_count + b_count) * sizeof(T), [=](BoostCall &call) {
            compute::merge(call.in<T>(0), call.in<T>(a_count), call.in<T>(a_count), call.in<T>(a_count + b_count),
                           call.out<T>(0), call.queue());
        });
    });
}

} // namespace peers

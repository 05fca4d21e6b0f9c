// SPDX-License-Identifier: MIT
// boost_compute_is_sorted.cpp: boost::compute::is_sorted, which says whether, but not up to where.
#include "boost_compute_common.hpp"
#include "is_sorted_peers.hpp"

#include <boost/compute/algorithm/is_sorted.hpp>

namespace peers {

namespace compute = boost::compute;

std::unique_ptr<Device> boost_compute_is_sorted(const BoostTarget &target, clprim_type type, std::size_t n)
{
    return for_type<std::uint32_t, std::uint64_t>(type, [&](auto zero) {
        using T = decltype(zero);
        return boost_result<std::uint32_t>(target, [=](BoostCall &call) {
            return compute::is_sorted(call.in<T>(0), call.in<T>(n), call.queue()) ? static_cast<std::uint32_t>(n) : 0;
        });
    });
}

} // namespace peers

// SPDX-License-Identifier: MIT
// boost_compute_unique.cpp: boost::compute::unique_copy.
#include "boost_compute_common.hpp"
#include "unique_peers.hpp"

#include <boost/compute/algorithm/unique_copy.hpp>

namespace peers {

namespace compute = boost::compute;

std::unique_ptr<Device> boost_compute_unique(const BoostTarget &target, std::size_t n)
{
    using T = compute::uint_;
    return boost_call(target, n * sizeof(T), [=](BoostCall &call) {
        return compute::unique_copy(call.in<T>(0), call.in<T>(n), call.out<T>(0), compute::equal_to<T>(), call.queue())
            .get_index();
    });
}

} // namespace peers

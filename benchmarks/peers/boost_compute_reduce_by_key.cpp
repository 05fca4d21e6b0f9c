// SPDX-License-Identifier: MIT
// boost_compute_reduce_by_key.cpp: boost::compute::reduce_by_key.
#include "boost_compute_common.hpp"
#include "reduce_by_key_peers.hpp"

#include <boost/compute/algorithm/reduce_by_key.hpp>

namespace peers {

namespace compute = boost::compute;

std::unique_ptr<Device> boost_compute_reduce_by_key(const BoostTarget &keys, cl_mem values, std::size_t n)
{
    using T = compute::uint_;
    return boost_call(keys, 2 * n * sizeof(T), [n, values = compute::buffer(values)](BoostCall &call) {
        return compute::reduce_by_key(call.in<T>(0), call.in<T>(n), compute::make_buffer_iterator<T>(values, 0),
                                      call.out<T>(0), call.out<T>(n), call.queue())
            .first.get_index();
    });
}

} // namespace peers

// SPDX-License-Identifier: MIT
// boost_compute_sort_by_key.cpp: boost::compute::sort_by_key: a radix sort on GPUs, a merge sort on CPUs, both stable.
#include "boost_compute_common.hpp"
#include "sort_by_key_peers.hpp"

#include <boost/compute/algorithm/iota.hpp>
#include <boost/compute/algorithm/sort_by_key.hpp>

namespace peers {

namespace compute = boost::compute;

std::unique_ptr<Device> boost_compute_sort_by_key(const BoostTarget &target, Arrays arrays, std::size_t n)
{
    using T = compute::uint_;
    if (arrays.count != 1 || arrays.words != 1)
        return nullptr;
    const auto restore = [=](BoostCall &call) {
        compute::iota(call.out<T>(0), call.out<T>(n), 0U, call.queue());
        call.copy_input(n * sizeof(T), n * sizeof(T));
    };
    return boost_in_place(target, 2 * n * sizeof(T), restore, [=](BoostCall &call) {
        compute::sort_by_key(call.out<T>(n), call.out<T>(2 * n), call.out<T>(0), call.queue());
    });
}

} // namespace peers

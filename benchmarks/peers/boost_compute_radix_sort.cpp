// SPDX-License-Identifier: MIT
// boost_compute_radix_sort.cpp: boost::compute::sort and sort_by_key: radix sorts on GPUs, merge sorts on CPUs, all of
// them stable.
#include "boost_compute_common.hpp"
#include "radix_sort_peers.hpp"

#include <boost/compute/algorithm/iota.hpp>
#include <boost/compute/algorithm/sort.hpp>
#include <boost/compute/algorithm/sort_by_key.hpp>

namespace peers {

namespace compute = boost::compute;

std::unique_ptr<Device> boost_compute_sort(const BoostTarget &target, clprim_type type, bool pairs, std::size_t n)
{
    if (pairs)
        return for_type<std::uint32_t, std::uint64_t>(type, [&](auto zero) {
            using T = decltype(zero);
            const auto restore = [=](BoostCall &call) {
                call.copy_input(n * sizeof(T));
                compute::iota(call.out<T>(n), call.out<T>(2 * n), T(0), call.queue());
            };
            return boost_in_place(target, 2 * n * sizeof(T), restore, [=](BoostCall &call) {
                compute::sort_by_key(call.out<T>(0), call.out<T>(n), call.out<T>(n), call.queue());
            });
        });
    return for_type<std::uint8_t, std::uint32_t, std::uint64_t, float>(type, [&](auto zero) {
        using T = decltype(zero);
        return boost_in_place(
            target, n * sizeof(T), [=](BoostCall &call) { call.copy_input(n * sizeof(T)); },
            [=](BoostCall &call) { compute::sort(call.out<T>(0), call.out<T>(n), call.queue()); });
    });
}

} // namespace peers

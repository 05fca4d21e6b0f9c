// SPDX-License-Identifier: MIT
// boost_compute_bitonic_sort.cpp: boost::compute::sort with a comparison of the caller's, for which it has merge sorts;
// without one it would take a radix sort on GPUs.
#include "bitonic_sort_peers.hpp"
#include "boost_compute_common.hpp"

#include <boost/compute/algorithm/sort.hpp>
#include <boost/compute/function.hpp>

namespace peers {

namespace compute = boost::compute;

std::unique_ptr<Device> boost_compute_merge_sort(const BoostTarget &target, clprim_type type, std::size_t n)
{
    return for_type<std::uint32_t, std::uint64_t, float>(type, [&](auto zero) {
        using T = decltype(zero);
        const auto before = compute::make_function_from_source<bool(T, T)>(
            "comes_before", std::string("bool comes_before(") + compute::type_name<T>() + " a, " +
                                compute::type_name<T>() + " b) { return a < b; }");
        return boost_in_place(
            target, n * sizeof(T), [=](BoostCall &call) { call.copy_input(n * sizeof(T)); },
            [=](BoostCall &call) { compute::sort(call.out<T>(0), call.out<T>(n), before, call.queue()); });
    });
}

} // namespace peers

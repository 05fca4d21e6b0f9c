// SPDX-License-Identifier: MIT
// boost_compute_scan.cpp: boost::compute's scans.
#include "boost_compute_common.hpp"
#include "scan_peers.hpp"

#include <boost/compute/algorithm/exclusive_scan.hpp>
#include <boost/compute/algorithm/inclusive_scan.hpp>
#include <boost/compute/functional/math.hpp>
#include <boost/compute/functional/operator.hpp>

namespace peers {

namespace compute = boost::compute;

std::unique_ptr<Device> boost_compute_scan(const BoostTarget &target, Scan scan, clprim_type type, std::size_t n)
{
    if (scan == Scan::sum_by_key || (scan == Scan::inclusive_max && type != CLPRIM_F32))
        return nullptr;
    return for_type<std::int32_t, std::int64_t, float, double>(type, [&](auto zero) {
        using T = decltype(zero);
        return boost_call(target, n * sizeof(T), [=](BoostCall &call) {
            const auto begin = call.in<T>(0);
            const auto end = call.in<T>(n);
            if (scan == Scan::exclusive_sum)
                compute::exclusive_scan(begin, end, call.out<T>(0), T(0), compute::plus<T>(), call.queue());
            else if (scan == Scan::inclusive_sum)
                compute::inclusive_scan(begin, end, call.out<T>(0), compute::plus<T>(), call.queue());
            else if constexpr (std::is_same_v<T, float>)
                compute::inclusive_scan(begin, end, call.out<T>(0), compute::fmax<T>(), call.queue());
        });
    });
}

} // namespace peers

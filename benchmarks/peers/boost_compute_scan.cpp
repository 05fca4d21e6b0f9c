// boost_compute_scan.cpp: boost::compute's scans.
#include "boost_compute_common.hpp"
#include "scan_peers.hpp"

#include <boost/compute/algorithm/exclusive_scan.hpp>
#include <boost/compute/algorithm/inclusive_scan.hpp>
#include <boost/compute/functional/math.hpp>
#include <boost/compute/functional/operator.hpp>

namespace peers {
namespace {

namespace compute = boost::compute;

template <class T> class ScanCall final : public BoostCall {
  public:
    ScanCall(const BoostTarget &target, Scan scan, std::size_t n) : BoostCall(target, n * sizeof(T)), scan_(scan), n_(n)
    {
    }
    void start() override
    {
        if (scan_ == Scan::exclusive_sum)
            compute::exclusive_scan(in<T>(0), in<T>(n_), out<T>(0), T(0), compute::plus<T>(), queue_);
        else if (scan_ == Scan::inclusive_sum)
            compute::inclusive_scan(in<T>(0), in<T>(n_), out<T>(0), compute::plus<T>(), queue_);
        else if constexpr (std::is_same_v<T, float>)
            compute::inclusive_scan(in<T>(0), in<T>(n_), out<T>(0), compute::fmax<T>(), queue_);
    }

  private:
    Scan scan_;
    std::size_t n_;
};

} // namespace

std::unique_ptr<Device> boost_compute_scan(const BoostTarget &target, Scan scan, clprim_type type, std::size_t n)
{
    if (scan == Scan::sum_by_key || (scan == Scan::inclusive_max && type != CLPRIM_F32))
        return nullptr;
    switch (type) {
    case CLPRIM_I32: return std::make_unique<ScanCall<compute::int_>>(target, scan, n);
    case CLPRIM_I64: return std::make_unique<ScanCall<compute::long_>>(target, scan, n);
    case CLPRIM_F32: return std::make_unique<ScanCall<compute::float_>>(target, scan, n);
    case CLPRIM_F64: return std::make_unique<ScanCall<compute::double_>>(target, scan, n);
    default: return nullptr;
    }
}

} // namespace peers

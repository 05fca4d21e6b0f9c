// boost_compute_reduce.cpp: boost::compute::reduce, the other OpenCL library of primitives.
#include "boost_compute_common.hpp"
#include "reduce_peers.hpp"

#include <boost/compute/algorithm/reduce.hpp>

#include <cstring>

namespace peers {
namespace {

namespace compute = boost::compute;

template <class T> class Sum final : public BoostCall {
  public:
    Sum(const BoostTarget &target, std::size_t n) : BoostCall(target, sizeof(T)), n_(n)
    {
    }
    void start() override
    {
        compute::reduce(in<T>(0), in<T>(n_), &result_, compute::plus<T>(), queue_);
    }
    void finish() override // nothing is left to wait for: the result is on the host
    {
    }
    void read(void *to, std::size_t offset, std::size_t bytes) override
    {
        std::memcpy(to, reinterpret_cast<const unsigned char *>(&result_) + offset, bytes);
    }

  private:
    std::size_t n_;
    T result_{};
};

} // namespace

std::unique_ptr<Device> boost_compute_reduce(const BoostTarget &target, clprim_type type, clprim_op op, std::size_t n)
{
    if (op != CLPRIM_SUM)
        return nullptr;
    switch (type) {
    case CLPRIM_I32: return std::make_unique<Sum<compute::int_>>(target, n);
    case CLPRIM_I64: return std::make_unique<Sum<compute::long_>>(target, n);
    case CLPRIM_U8: return std::make_unique<Sum<compute::uchar_>>(target, n);
    case CLPRIM_F32: return std::make_unique<Sum<compute::float_>>(target, n);
    case CLPRIM_F64: return std::make_unique<Sum<compute::double_>>(target, n);
    default: return nullptr;
    }
}

} // namespace peers

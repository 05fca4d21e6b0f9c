// boost_compute_reduce.cpp: boost::compute::reduce, the other OpenCL library of primitives.
#include "reduce_peers.hpp"

#include <boost/compute/algorithm/reduce.hpp>
#include <boost/compute/buffer.hpp>
#include <boost/compute/command_queue.hpp>
#include <boost/compute/context.hpp>
#include <boost/compute/device.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>
#include <boost/version.hpp>

#include <cstring>

namespace peers {
namespace {

namespace compute = boost::compute;

template <class T> class Sum final : public DeviceReduce {
  public:
    Sum(cl_context context, cl_device_id device, cl_mem in, std::size_t n)
        : queue_(compute::context(context), compute::device(device)), in_(in), n_(n)
    {
    }
    void start() override
    {
        const auto first = compute::make_buffer_iterator<T>(in_, 0);
        const auto last = compute::make_buffer_iterator<T>(in_, n_);
        compute::reduce(first, last, &result_, compute::plus<T>(), queue_);
    }
    void finish() override
    {
    }
    double event_seconds() override
    {
        return 0;
    }
    void result(void *out) override
    {
        std::memcpy(out, &result_, sizeof result_);
    }

  private:
    compute::command_queue queue_;
    compute::buffer in_;
    std::size_t n_;
    T result_{};
};

} // namespace

std::string boost_compute_version()
{
    return BOOST_LIB_VERSION;
}

std::unique_ptr<DeviceReduce> boost_compute_reduce(cl_context context, cl_device_id device, cl_mem in, clprim_type type,
                                                   clprim_op op, std::size_t n)
{
    if (op != CLPRIM_SUM)
        return nullptr;
    switch (type) {
    case CLPRIM_I32: return std::make_unique<Sum<compute::int_>>(context, device, in, n);
    case CLPRIM_I64: return std::make_unique<Sum<compute::long_>>(context, device, in, n);
    case CLPRIM_U8: return std::make_unique<Sum<compute::uchar_>>(context, device, in, n);
    case CLPRIM_F32: return std::make_unique<Sum<compute::float_>>(context, device, in, n);
    case CLPRIM_F64: return std::make_unique<Sum<compute::double_>>(context, device, in, n);
    default: return nullptr;
    }
}

} // namespace peers

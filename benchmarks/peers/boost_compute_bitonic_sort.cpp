// boost_compute_bitonic_sort.cpp: boost::compute::sort with a comparison of the caller's, for which it has merge sorts;
// without one it would take a radix sort on GPUs.
#include "bitonic_sort_peers.hpp"
#include "boost_compute_common.hpp"

#include <boost/compute/algorithm/sort.hpp>
#include <boost/compute/function.hpp>

namespace peers {
namespace {

namespace compute = boost::compute;

template <class T> class SortCall final : public BoostCall {
  public:
    SortCall(const BoostTarget &target, std::size_t n)
        : BoostCall(target, n * sizeof(T)), n_(n),
          before_(compute::make_function_from_source<bool(T, T)>(
              "comes_before", std::string("bool comes_before(") + compute::type_name<T>() + " a, " +
                                  compute::type_name<T>() + " b) { return a < b; }"))
    {
    }
    bool in_place() const override
    {
        return true;
    }
    void restore() override
    {
        queue_.enqueue_copy_buffer(in_, out_, 0, 0, n_ * sizeof(T));
        queue_.finish();
    }
    void start() override
    {
        compute::sort(out<T>(0), out<T>(n_), before_, queue_);
    }

  private:
    std::size_t n_;
    compute::function<bool(T, T)> before_;
};

} // namespace

std::unique_ptr<Device> boost_compute_merge_sort(const BoostTarget &target, clprim_type type, std::size_t n)
{
    switch (type) {
    case CLPRIM_U32: return std::make_unique<SortCall<compute::uint_>>(target, n);
    case CLPRIM_U64: return std::make_unique<SortCall<compute::ulong_>>(target, n);
    case CLPRIM_F32: return std::make_unique<SortCall<compute::float_>>(target, n);
    default: return nullptr;
    }
}

} // namespace peers

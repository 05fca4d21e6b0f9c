// boost_compute_radix_sort.cpp: boost::compute::sort and sort_by_key: radix sorts on GPUs, merge sorts on CPUs, all of
// them stable.
#include "boost_compute_common.hpp"
#include "radix_sort_peers.hpp"

#include <boost/compute/algorithm/iota.hpp>
#include <boost/compute/algorithm/sort.hpp>
#include <boost/compute/algorithm/sort_by_key.hpp>

namespace peers {
namespace {

namespace compute = boost::compute;

template <class T, bool pairs> class SortCall final : public BoostCall {
  public:
    SortCall(const BoostTarget &target, std::size_t n) : BoostCall(target, n * sizeof(T) * (pairs ? 2 : 1)), n_(n)
    {
    }
    bool in_place() const override
    {
        return true;
    }
    void restore() override
    {
        queue_.enqueue_copy_buffer(in_, out_, 0, 0, n_ * sizeof(T));
        if constexpr (pairs)
            compute::iota(out<T>(n_), out<T>(2 * n_), T(0), queue_);
        queue_.finish();
    }
    void start() override
    {
        if constexpr (pairs)
            compute::sort_by_key(out<T>(0), out<T>(n_), out<T>(n_), queue_);
        else
            compute::sort(out<T>(0), out<T>(n_), queue_);
    }

  private:
    std::size_t n_;
};

} // namespace

std::unique_ptr<Device> boost_compute_sort(const BoostTarget &target, clprim_type type, bool pairs, std::size_t n)
{
    if (pairs && type == CLPRIM_U32)
        return std::make_unique<SortCall<compute::uint_, true>>(target, n);
    if (pairs)
        return type == CLPRIM_U64 ? std::make_unique<SortCall<compute::ulong_, true>>(target, n) : nullptr;
    switch (type) {
    case CLPRIM_U8: return std::make_unique<SortCall<compute::uchar_, false>>(target, n);
    case CLPRIM_U32: return std::make_unique<SortCall<compute::uint_, false>>(target, n);
    case CLPRIM_U64: return std::make_unique<SortCall<compute::ulong_, false>>(target, n);
    case CLPRIM_F32: return std::make_unique<SortCall<compute::float_, false>>(target, n);
    default: return nullptr;
    }
}

} // namespace peers

// boost_compute_sort_by_key.cpp: boost::compute::sort_by_key: a radix sort on GPUs, a merge sort on CPUs, both stable.
#include "boost_compute_common.hpp"
#include "sort_by_key_peers.hpp"

#include <boost/compute/algorithm/iota.hpp>
#include <boost/compute/algorithm/sort_by_key.hpp>

namespace peers {
namespace {

namespace compute = boost::compute;

class SortByKeyCall final : public BoostCall {
  public:
    SortByKeyCall(const BoostTarget &target, std::size_t n) : BoostCall(target, 2 * n * sizeof(compute::uint_)), n_(n)
    {
    }
    bool in_place() const override
    {
        return true;
    }
    void restore() override
    {
        compute::iota(out<compute::uint_>(0), out<compute::uint_>(n_), 0U, queue_);
        queue_.enqueue_copy_buffer(in_, out_, 0, n_ * sizeof(compute::uint_), n_ * sizeof(compute::uint_));
        queue_.finish();
    }
    void start() override
    {
        compute::sort_by_key(out<compute::uint_>(n_), out<compute::uint_>(2 * n_), out<compute::uint_>(0), queue_);
    }

  private:
    std::size_t n_;
};

} // namespace

std::unique_ptr<Device> boost_compute_sort_by_key(const BoostTarget &target, Arrays arrays, std::size_t n)
{
    return arrays.count == 1 && arrays.words == 1 ? std::make_unique<SortByKeyCall>(target, n) : nullptr;
}

} // namespace peers

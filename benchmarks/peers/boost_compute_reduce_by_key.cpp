// boost_compute_reduce_by_key.cpp: boost::compute::reduce_by_key.
#include "boost_compute_common.hpp"
#include "reduce_by_key_peers.hpp"

#include <boost/compute/algorithm/reduce_by_key.hpp>

namespace peers {
namespace {

namespace compute = boost::compute;

class ReduceByKey final : public BoostCall {
  public:
    ReduceByKey(const BoostTarget &keys, cl_mem values, std::size_t n)
        : BoostCall(keys, 2 * n * sizeof(compute::uint_)), values_(values), n_(n)
    {
    }
    void start() override
    {
        const auto ends = compute::reduce_by_key(in<compute::uint_>(0), in<compute::uint_>(n_),
                                                 compute::make_buffer_iterator<compute::uint_>(values_, 0),
                                                 out<compute::uint_>(0), out<compute::uint_>(n_), queue_);
        selected_ = ends.first.get_index();
    }
    std::size_t selected() override
    {
        return selected_;
    }

  private:
    compute::buffer values_;
    std::size_t n_;
    std::size_t selected_ = 0;
};

} // namespace

std::unique_ptr<Device> boost_compute_reduce_by_key(const BoostTarget &keys, cl_mem values, std::size_t n)
{
    return std::make_unique<ReduceByKey>(keys, values, n);
}

} // namespace peers

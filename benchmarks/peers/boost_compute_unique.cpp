// boost_compute_unique.cpp: boost::compute::unique_copy.
#include "boost_compute_common.hpp"
#include "unique_peers.hpp"

#include <boost/compute/algorithm/unique_copy.hpp>

namespace peers {
namespace {

namespace compute = boost::compute;

class UniqueCopy final : public BoostCall {
  public:
    UniqueCopy(const BoostTarget &target, std::size_t n) : BoostCall(target, n * sizeof(compute::uint_)), n_(n)
    {
    }
    void start() override
    {
        const auto end = compute::unique_copy(in<compute::uint_>(0), in<compute::uint_>(n_), out<compute::uint_>(0),
                                              compute::equal_to<compute::uint_>(), queue_);
        selected_ = end.get_index();
    }
    std::size_t selected() override
    {
        return selected_;
    }

  private:
    std::size_t n_;
    std::size_t selected_ = 0;
};

} // namespace

std::unique_ptr<Device> boost_compute_unique(const BoostTarget &target, std::size_t n)
{
    return std::make_unique<UniqueCopy>(target, n);
}

} // namespace peers

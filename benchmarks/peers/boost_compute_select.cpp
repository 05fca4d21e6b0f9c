// boost_compute_select.cpp: boost::compute::copy_if.
#include "boost_compute_common.hpp"
#include "select_peers.hpp"

#include <boost/compute/algorithm/copy_if.hpp>
#include <boost/compute/lambda.hpp>

namespace peers {
namespace {

namespace compute = boost::compute;

template <class T> class CopyIf final : public BoostCall {
  public:
    CopyIf(const BoostTarget &target, std::size_t n, double limit)
        : BoostCall(target, n * sizeof(T)), n_(n), limit_(static_cast<T>(limit))
    {
    }
    void start() override
    {
        using compute::lambda::_1;
        const auto end = compute::copy_if(in<T>(0), in<T>(n_), out<T>(0), _1 < limit_, queue_);
        selected_ = end.get_index();
    }
    std::size_t selected() override
    {
        return selected_;
    }

  private:
    std::size_t n_;
    T limit_;
    std::size_t selected_ = 0;
};

} // namespace

std::unique_ptr<Device> boost_compute_select(const BoostTarget &target, Select select, clprim_type type, std::size_t n,
                                             double limit)
{
    if (select != Select::below)
        return nullptr;
    switch (type) {
    case CLPRIM_I32: return std::make_unique<CopyIf<compute::int_>>(target, n, limit);
    case CLPRIM_F32: return std::make_unique<CopyIf<compute::float_>>(target, n, limit);
    default: return nullptr;
    }
}

} // namespace peers

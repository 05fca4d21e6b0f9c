// boost_compute_merge.cpp: boost::compute::merge.
#include "boost_compute_common.hpp"
#include "merge_peers.hpp"

#include <boost/compute/algorithm/merge.hpp>

namespace peers {
namespace {

namespace compute = boost::compute;

template <class T> class MergeCall final : public BoostCall {
  public:
    MergeCall(const BoostTarget &target, std::size_t a_count, std::size_t b_count)
        : BoostCall(target, (a_count + b_count) * sizeof(T)), a_count_(a_count), b_count_(b_count)
    {
    }
    void start() override
    {
        compute::merge(in<T>(0), in<T>(a_count_), in<T>(a_count_), in<T>(a_count_ + b_count_), out<T>(0), queue_);
    }

  private:
    std::size_t a_count_, b_count_;
};

} // namespace

std::unique_ptr<Device> boost_compute_merge(const BoostTarget &target, clprim_type type, std::size_t a_count,
                                            std::size_t b_count)
{
    switch (type) {
    case CLPRIM_U32: return std::make_unique<MergeCall<compute::uint_>>(target, a_count, b_count);
    case CLPRIM_U64: return std::make_unique<MergeCall<compute::ulong_>>(target, a_count, b_count);
    default: return nullptr;
    }
}

} // namespace peers

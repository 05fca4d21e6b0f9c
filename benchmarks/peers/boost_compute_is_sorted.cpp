// boost_compute_is_sorted.cpp: boost::compute::is_sorted, which says whether, but not up to where.
#include "boost_compute_common.hpp"
#include "is_sorted_peers.hpp"

#include <boost/compute/algorithm/is_sorted.hpp>

#include <cstdint>
#include <cstring>

namespace peers {
namespace {

namespace compute = boost::compute;

template <class T> class IsSortedCall final : public BoostCall {
  public:
    IsSortedCall(const BoostTarget &target, std::size_t n) : BoostCall(target, sizeof(std::uint32_t)), n_(n)
    {
    }
    void start() override
    {
        until_ = compute::is_sorted(in<T>(0), in<T>(n_), queue_) ? static_cast<std::uint32_t>(n_) : 0;
    }
    void finish() override // nothing is left to wait for: the result is on the host
    {
    }
    void read(void *to, std::size_t offset, std::size_t bytes) override
    {
        std::memcpy(to, reinterpret_cast<const unsigned char *>(&until_) + offset, bytes);
    }

  private:
    std::size_t n_;
    std::uint32_t until_ = 0;
};

} // namespace

std::unique_ptr<Device> boost_compute_is_sorted(const BoostTarget &target, clprim_type type, std::size_t n)
{
    switch (type) {
    case CLPRIM_U32: return std::make_unique<IsSortedCall<compute::uint_>>(target, n);
    case CLPRIM_U64: return std::make_unique<IsSortedCall<compute::ulong_>>(target, n);
    default: return nullptr;
    }
}

} // namespace peers

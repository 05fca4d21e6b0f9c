// cub_is_sorted.cu: thrust::is_sorted_until: CUB itself has no test of order. It waits for its result.
#include "cub_common.cuh"
#include "is_sorted_peers.hpp"

#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include <cstdint>

namespace peers {
namespace {

template <class T> class IsSortedCall final : public CubCall {
  public:
    IsSortedCall(const void *in, std::size_t n) : CubCall(sizeof(std::uint32_t)), n_(n), in_(n * sizeof(T))
    {
        require(cudaMemcpy(in_.as<void>(), in, n * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
        prepare();
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        const T *in = in_.as<T>();
        if (temporary == nullptr) { // thrust takes care of its own
            temporary_bytes = 1;
            return cudaSuccess;
        }
        const auto until = static_cast<std::uint32_t>(
            thrust::is_sorted_until(thrust::cuda::par.on(cub_stream()), in, in + n_) - in);
        return cudaMemcpyAsync(out_.as<void>(), &until, sizeof until, cudaMemcpyHostToDevice, cub_stream());
    }

    std::size_t n_;
    DeviceMemory in_;
};

} // namespace

std::unique_ptr<Device> cub_is_sorted(clprim_type type, const void *in, std::size_t n)
{
    switch (type) {
    case CLPRIM_U32: return std::make_unique<IsSortedCall<std::uint32_t>>(in, n);
    case CLPRIM_U64: return std::make_unique<IsSortedCall<std::uint64_t>>(in, n);
    default: return nullptr;
    }
}

} // namespace peers

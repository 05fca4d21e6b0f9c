// cub_find.cu: thrust::find_if. It waits for its result.
#include "cub_common.cuh"
#include "find_peers.hpp"

#include <thrust/execution_policy.h>
#include <thrust/find.h>

namespace peers {
namespace {

template <class T> struct Equals {
    T value;
    __host__ __device__ bool operator()(T element) const
    {
        return element == value;
    }
};

template <class T> class FindCall final : public CubCall {
  public:
    FindCall(const void *in, std::size_t n, std::uint64_t wanted)
        : CubCall(sizeof(std::uint32_t)), n_(n), wanted_{static_cast<T>(wanted)}, in_(n * sizeof(T))
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
        const auto found =
            static_cast<std::uint32_t>(thrust::find_if(thrust::cuda::par.on(cub_stream()), in, in + n_, wanted_) - in);
        return cudaMemcpyAsync(out_.as<void>(), &found, sizeof found, cudaMemcpyHostToDevice, cub_stream());
    }

    std::size_t n_;
    Equals<T> wanted_;
    DeviceMemory in_;
};

} // namespace

std::unique_ptr<Device> cub_find(clprim_type type, const void *in, std::size_t n, std::uint64_t wanted)
{
    switch (type) {
    case CLPRIM_U32: return std::make_unique<FindCall<std::uint32_t>>(in, n, wanted);
    case CLPRIM_U64: return std::make_unique<FindCall<std::uint64_t>>(in, n, wanted);
    default: return nullptr;
    }
}

} // namespace peers

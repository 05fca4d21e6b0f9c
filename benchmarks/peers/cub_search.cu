// cub_search.cu: thrust::lower_bound of many needles: CUB itself has no search.
#include "cub_common.cuh"
#include "search_peers.hpp"

#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>

#include <cstdint>

namespace peers {
namespace {

template <class T> class SearchCall final : public CubCall {
  public:
    SearchCall(const void *in, std::size_t n, const void *needles, std::size_t m)
        : CubCall(m * sizeof(std::uint32_t)), n_(n), m_(m), in_(n * sizeof(T)), needles_(m * sizeof(T))
    {
        require(cudaMemcpy(in_.as<void>(), in, n * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
        require(cudaMemcpy(needles_.as<void>(), needles, m * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
        prepare();
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        const T *in = in_.as<T>();
        const T *needles = needles_.as<T>();
        if (temporary == nullptr) { // thrust takes care of its own
            temporary_bytes = 1;
            return cudaSuccess;
        }
        thrust::lower_bound(thrust::cuda::par_nosync.on(cub_stream()), in, in + n_, needles, needles + m_,
                            out_.as<std::uint32_t>());
        return cudaGetLastError();
    }

    std::size_t n_, m_;
    DeviceMemory in_, needles_;
};

} // namespace

std::unique_ptr<Device> cub_search(clprim_type type, const void *in, std::size_t n, const void *needles, std::size_t m)
{
    switch (type) {
    case CLPRIM_U32: return std::make_unique<SearchCall<std::uint32_t>>(in, n, needles, m);
    case CLPRIM_U64: return std::make_unique<SearchCall<std::uint64_t>>(in, n, needles, m);
    default: return nullptr;
    }
}

} // namespace peers

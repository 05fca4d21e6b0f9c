// cub_shuffle.cu: Thrust's shuffle_copy. CUB has none.
#include "cub_common.cuh"

#include <thrust/execution_policy.h>
#include <thrust/random.h>
#include <thrust/shuffle.h>

#include <cstdint>

namespace peers {
namespace {

template <class T> class ShuffleCall final : public CubCall {
  public:
    explicit ShuffleCall(std::size_t n) : CubCall(n * sizeof(T)), n_(n)
    {
        prepare();
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        if (temporary == nullptr) { // Thrust allocates by itself
            temporary_bytes = 1;
            return cudaSuccess;
        }
        const T *in = static_cast<const T *>(cub_input(CubInput::values));
        thrust::shuffle_copy(thrust::cuda::par_nosync.on(cub_stream()), in, in + n_, out_.as<T>(),
                             thrust::default_random_engine(1));
        return cudaGetLastError();
    }

    std::size_t n_;
};

} // namespace

std::unique_ptr<Device> cub_shuffle(clprim_type type, std::size_t n)
{
    switch (type) {
    case CLPRIM_U32: return std::make_unique<ShuffleCall<std::uint32_t>>(n);
    case CLPRIM_U64: return std::make_unique<ShuffleCall<std::uint64_t>>(n);
    default: return nullptr;
    }
}

} // namespace peers

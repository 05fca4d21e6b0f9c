// cub_reduce_by_key.cu: cub::DeviceReduce::ReduceByKey.
#include "cub_common.cuh"
#include "reduce_by_key_peers.hpp"

#include <cub/cub.cuh>

#include <cstdint>

namespace peers {
namespace {

struct Sum {
    __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const
    {
        return a + b;
    }
};

template <class Count> class ReduceByKeyCall final : public CubCall {
  public:
    explicit ReduceByKeyCall(Count n) : CubCall(2 * static_cast<std::size_t>(n) * sizeof(std::uint32_t)), n_(n)
    {
        prepare();
    }
    std::size_t selected() override
    {
        std::uint64_t count = 0;
        require(cudaMemcpy(&count, count_.as<void>(), sizeof count, cudaMemcpyDeviceToHost), "cudaMemcpy");
        return count;
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        const auto *keys = static_cast<const std::uint32_t *>(cub_input(CubInput::values));
        const auto *values = static_cast<const std::uint32_t *>(cub_input(CubInput::indices));
        auto *out = out_.as<std::uint32_t>();
        return cub::DeviceReduce::ReduceByKey(temporary, temporary_bytes, keys, out, values, out + n_,
                                              count_.as<std::uint64_t>(), Sum(), n_, cub_stream());
    }

    Count n_;
    DeviceMemory count_{sizeof(std::uint64_t)};
};

} // namespace

std::unique_ptr<Device> cub_reduce_by_key(std::size_t n, bool wide)
{
    return with_count(n, wide, [](auto count) -> std::unique_ptr<Device> {
        return std::make_unique<ReduceByKeyCall<decltype(count)>>(count);
    });
}

} // namespace peers

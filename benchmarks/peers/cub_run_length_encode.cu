// cub_run_length_encode.cu: cub::DeviceRunLengthEncode::Encode and NonTrivialRuns.
#include "cub_common.cuh"
#include "run_length_encode_peers.hpp"

#include <cub/cub.cuh>

#include <cstdint>

namespace peers {
namespace {

template <class Count> class EncodeCall final : public CubCall {
  public:
    explicit EncodeCall(Count n) : CubCall(2 * static_cast<std::size_t>(n) * sizeof(std::uint32_t)), n_(n)
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
        const auto *in = static_cast<const std::uint32_t *>(cub_input(CubInput::values));
        auto *out = out_.as<std::uint32_t>();
        return cub::DeviceRunLengthEncode::Encode(temporary, temporary_bytes, in, out, out + n_,
                                                  count_.as<std::uint64_t>(), n_, cub_stream());
    }

    Count n_;
    DeviceMemory count_{sizeof(std::uint64_t)};
};

template <class Count> class NonTrivialCall final : public CubCall {
  public:
    explicit NonTrivialCall(Count n) : CubCall(3 * static_cast<std::size_t>(n) * sizeof(std::uint32_t)), n_(n)
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
        const auto *in = static_cast<const std::uint32_t *>(cub_input(CubInput::values));
        auto *out = out_.as<std::uint32_t>();
        return cub::DeviceRunLengthEncode::NonTrivialRuns(temporary, temporary_bytes, in, out, out + n_,
                                                          count_.as<std::uint64_t>(), n_, cub_stream());
    }

    Count n_;
    DeviceMemory count_{sizeof(std::uint64_t)};
};

} // namespace

std::unique_ptr<Device> cub_non_trivial_runs(std::size_t n, bool wide)
{
    return with_count(n, wide, [](auto count) -> std::unique_ptr<Device> {
        return std::make_unique<NonTrivialCall<decltype(count)>>(count);
    });
}

std::unique_ptr<Device> cub_run_length_encode(std::size_t n, bool wide)
{
    return with_count(n, wide, [](auto count) -> std::unique_ptr<Device> {
        return std::make_unique<EncodeCall<decltype(count)>>(count);
    });
}

} // namespace peers

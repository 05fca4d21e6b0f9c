// cub_unique.cu: cub::DeviceSelect::Unique and UniqueByKey.
#include "cub_common.cuh"
#include "unique_peers.hpp"

#include <cub/cub.cuh>

#include <cstdint>

namespace peers {
namespace {

template <class Count> class UniqueCall final : public CubCall {
  public:
    explicit UniqueCall(Count n) : CubCall(static_cast<std::size_t>(n) * sizeof(std::uint32_t)), n_(n)
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
        return cub::DeviceSelect::Unique(temporary, temporary_bytes, in, out_.as<std::uint32_t>(),
                                         count_.as<std::uint64_t>(), n_, cub_stream());
    }

    Count n_;
    DeviceMemory count_{sizeof(std::uint64_t)};
};

template <class Count> class UniqueByKeyCall final : public CubCall {
  public:
    explicit UniqueByKeyCall(Count n) : CubCall(2 * static_cast<std::size_t>(n) * sizeof(std::uint32_t)), n_(n)
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
        return cub::DeviceSelect::UniqueByKey(temporary, temporary_bytes, keys, values, out, out + n_,
                                              count_.as<std::uint64_t>(), n_, cub_stream());
    }

    Count n_;
    DeviceMemory count_{sizeof(std::uint64_t)};
};

} // namespace

std::unique_ptr<Device> cub_unique_by_key(std::size_t n, bool wide)
{
    return with_count(n, wide, [](auto count) -> std::unique_ptr<Device> {
        return std::make_unique<UniqueByKeyCall<decltype(count)>>(count);
    });
}

std::unique_ptr<Device> cub_unique(std::size_t n, bool wide)
{
    if (!wide) // DeviceSelect takes its count as int64_t only
        return nullptr;
    return std::make_unique<UniqueCall<std::int64_t>>(static_cast<std::int64_t>(n));
}

} // namespace peers

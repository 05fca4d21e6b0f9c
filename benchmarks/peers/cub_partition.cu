// cub_partition.cu: cub::DevicePartition, the fastest partitions known on NVIDIA hardware.
#include "cub_common.cuh"
#include "partition_peers.hpp"

#include <cub/cub.cuh>

#include <algorithm>
#include <cstdint>

namespace peers {
namespace {

struct Below {
    std::int32_t limit;
    __host__ __device__ bool operator()(const std::int32_t &value) const
    {
        return value < limit;
    }
};

// out[*begin .. n) from the last to the first, in place.
__global__ void reverse(std::int32_t *out, const std::uint64_t *begin, std::uint64_t n)
{
    std::int32_t *const others = out + *begin;
    const std::uint64_t count = n - *begin;
    const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count / 2; i += stride) {
        const std::int32_t moved = others[i];
        others[i] = others[count - 1 - i];
        others[count - 1 - i] = moved;
    }
}

template <Partition partition, class Count> class PartitionCall final : public CubCall {
  public:
    PartitionCall(Count n, PartitionLimits limits)
        : CubCall((partition == Partition::three ? 3 : 1) * static_cast<std::size_t>(n) * sizeof(std::int32_t)),
          n_(n), first_{limits.first}, second_{limits.second}
    {
        prepare();
    }
    std::size_t selected() override
    {
        std::uint64_t count = 0;
        require(cudaMemcpy(&count, counts_.as<void>(), sizeof count, cudaMemcpyDeviceToHost), "cudaMemcpy");
        return count;
    }

  private:
    cudaError_t call(void *temporary, std::size_t &bytes) override
    {
        using cub::DevicePartition;
        const auto *in = static_cast<const std::int32_t *>(cub_input(CubInput::values));
        std::int32_t *out = out_.as<std::int32_t>();
        std::uint64_t *counts = counts_.as<std::uint64_t>();
        if constexpr (partition == Partition::three) {
            return DevicePartition::If(temporary, bytes, in, out, out + n_, out + 2 * static_cast<std::size_t>(n_),
                                       counts, n_, first_, second_, cub_stream());
        } else if constexpr (partition == Partition::flagged) {
            const auto *flags = static_cast<const std::uint8_t *>(cub_input(CubInput::flags));
            return DevicePartition::Flagged(temporary, bytes, in, flags, out, counts, n_, cub_stream());
        } else {
            const cudaError_t code = DevicePartition::If(temporary, bytes, in, out, counts, n_, first_, cub_stream());
            if (code != cudaSuccess || partition == Partition::reversed || temporary == nullptr)
                return code;
            const auto n = static_cast<std::uint64_t>(n_);
            const auto groups = static_cast<unsigned>(std::min<std::uint64_t>((n + 511) / 512, 132 * 8));
            reverse<<<groups, 256, 0, cub_stream()>>>(out, counts, n);
            return cudaGetLastError();
        }
    }

    Count n_;
    Below first_, second_;
    DeviceMemory counts_{2 * sizeof(std::uint64_t)};
};

template <Partition partition> std::unique_ptr<Device> make(std::size_t n, PartitionLimits limits, bool wide)
{
    return with_count(n, wide, [limits](auto count) -> std::unique_ptr<Device> {
        return std::make_unique<PartitionCall<partition, decltype(count)>>(count, limits);
    });
}

} // namespace

std::unique_ptr<Device> cub_partition(Partition partition, std::size_t n, PartitionLimits limits, bool wide)
{
    switch (partition) {
    case Partition::reversed: return make<Partition::reversed>(n, limits, wide);
    case Partition::flagged: return make<Partition::flagged>(n, limits, wide);
    case Partition::stable: return make<Partition::stable>(n, limits, wide);
    case Partition::three: return make<Partition::three>(n, limits, wide);
    default: return nullptr;
    }
}

} // namespace peers

// SPDX-License-Identifier: MIT
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

template <Partition partition> std::unique_ptr<Device> make(std::size_t n, PartitionLimits limits, bool wide)
{
    using Element = std::int32_t;
    const Below first{limits.first};
    const Below second{limits.second};
    const auto call = [=](auto count, void *temporary, std::size_t &bytes, Element *out, std::uint64_t *counts) {
        using cub::DevicePartition;
        const auto *in = cub_input<Element>();
        if constexpr (partition == Partition::three) {
            return DevicePartition::If(temporary, bytes, in, out, out + count, out + 2 * n, counts, count, first,
                                       second, cub_stream());
        } else if constexpr (partition == Partition::flagged) {
            const auto *flags = cub_input<std::uint8_t>(CubInput::flags);
            return DevicePartition::Flagged(temporary, bytes, in, flags, out, counts, count, cub_stream());
        } else {
            const cudaError_t code = DevicePartition::If(temporary, bytes, in, out, counts, count, first, cub_stream());
            if (code != cudaSuccess || partition == Partition::reversed || temporary == nullptr)
                return code;
            const auto groups = static_cast<unsigned>(std::min<std::uint64_t>((n + 511) / 512, 132 * 8));
            reverse<<<groups, 256, 0, cub_stream()>>>(out, counts, n);
            return cudaGetLastError();
        }
    };
    return cub_call<Element>(partition == Partition::three ? 3 * n : n, n, wide, call);
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

// SPDX-License-Identifier: MIT
// cub_segmented_reduce.cu: cub::DeviceSegmentedReduce, which gives each segment a block.
#include "cub_common.cuh"
#include "segmented_reduce_peers.hpp"

#include <cub/cub.cuh>

namespace peers {

std::unique_ptr<Device> cub_segmented_reduce(clprim_type type, clprim_op op, const Segments &segments)
{
    return for_type<std::int32_t, std::int64_t, float>(type, [&](auto zero) {
        using T = decltype(zero);
        return cub_call<T>(segments.count,
                           [op, count = static_cast<std::int64_t>(segments.count),
                            offsets = offsets_of(segments)](void *temporary, std::size_t &bytes, T *out) {
                               const auto *begins = offsets.template as<const std::uint32_t>();
                               if constexpr (std::is_same_v<T, float>)
                                   if (op == CLPRIM_MIN)
                                       return cub::DeviceSegmentedReduce::Min(temporary, bytes, cub_input<T>(), out,
                                                                              count, begins, begins + 1, cub_stream());
                               return cub::DeviceSegmentedReduce::Sum(temporary, bytes, cub_input<T>(), out, count,
                                                                      begins, begins + 1, cub_stream());
                           });
    });
}

} // namespace peers

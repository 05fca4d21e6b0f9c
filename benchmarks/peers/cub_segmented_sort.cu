// SPDX-License-Identifier: MIT
// cub_segmented_sort.cu: cub::DeviceSegmentedSort, which sorts short segments by merging within warps and long ones by
// digits, and cub::DeviceSegmentedRadixSort, which gives each segment a block.
#include "cub_common.cuh"
#include "segmented_sort_peers.hpp"

#include <cub/cub.cuh>

namespace peers {

std::unique_ptr<Device> cub_segmented_sort(clprim_type type, bool pairs, bool radix, std::size_t n,
                                           const Segments &segments)
{
    return for_type<std::uint32_t, std::uint64_t>(type, [&](auto zero) {
        using T = decltype(zero);
        return cub_call<T>(
            pairs ? 2 * n : n, [pairs, radix, size = static_cast<int>(n), count = static_cast<int>(segments.count),
                                offsets = offsets_of(segments)](void *temporary, std::size_t &bytes, T *out) {
                constexpr int bits = 8 * sizeof(T);
                const T *keys = cub_input<T>();
                const auto *begins = offsets.template as<const std::uint32_t>();
                if (!pairs && radix)
                    return cub::DeviceSegmentedRadixSort::SortKeys(temporary, bytes, keys, out, size, count, begins,
                                                                   begins + 1, 0, bits, cub_stream());
                if (!pairs)
                    return cub::DeviceSegmentedSort::SortKeys(temporary, bytes, keys, out, size, count, begins,
                                                              begins + 1, cub_stream());
                const T *values = cub_input<T>(CubInput::indices);
                if (radix)
                    return cub::DeviceSegmentedRadixSort::SortPairs(temporary, bytes, keys, out, values, out + size,
                                                                    size, count, begins, begins + 1, 0, bits,
                                                                    cub_stream());
                return cub::DeviceSegmentedSort::StableSortPairs(temporary, bytes, keys, out, values, out + size, size,
                                                                 count, begins, begins + 1, cub_stream());
            });
    });
}

} // namespace peers

// SPDX-License-Identifier: MIT
// cub_merge.cu: cub::DeviceMerge::MergeKeys.
#include "cub_common.cuh"
#include "merge_peers.hpp"

#include <cub/cub.cuh>
#include <cub/device/device_merge.cuh>

#include <cstdint>

namespace peers {

std::unique_ptr<Device> cub_merge(clprim_type type, const void *in, std::size_t a_count, std::size_t b_count)
{
    const std::size_t n = a_count + b_count;
    return for_type<std::uint32_t, std::uint64_t>(type, [=](auto zero) {
        using T = decltype(zero);
        return cub_call<T>(n, [a_size = static_cast<int>(a_count), b_size = static_cast<int>(b_count),
                               memory = device_copy(in, n * sizeof(T))](void *temporary, std::size_t &bytes, T *out) {
            const T *a = memory.template as<T>();
            return cub::DeviceMerge::MergeKeys(temporary, bytes, a, a_size, a + a_size, b_size, out, Less(),
                                               cub_stream());
        });
    });
}

} // namespace peers

// SPDX-License-Identifier: MIT
// cub_top_k.cu: the k largest by cub::DeviceRadixSort of all keys, and by cub::DeviceTopK, which leaves them unsorted.
#include "cub_common.cuh"
#include "top_k_peers.hpp"

#include <cub/cub.cuh>
#if __has_include(<cub/device/device_topk.cuh>) && CUB_VERSION >= 300300 // before, it could not be told what is wanted
#define HAS_TOP_K 1
#include <cub/device/device_topk.cuh>
#endif

#include <cstdint>

namespace peers {

std::unique_ptr<Device> cub_top_k(clprim_type type, bool indices, std::size_t n, bool wide)
{
    if (indices && type != CLPRIM_U32) // the indices are made for U32 alone
        return nullptr;
    if (indices)
        return cub_call<std::uint32_t>(2 * n, n, wide, [](auto count, void *temporary, std::size_t &bytes, auto *out) {
            return cub::DeviceRadixSort::SortPairsDescending(temporary, bytes, cub_input<std::uint32_t>(), out,
                                                             cub_input<std::uint32_t>(CubInput::indices), out + count,
                                                             count, 0, 32, cub_stream());
        });
    return for_type<std::uint32_t, float>(type, [=](auto zero) {
        using T = decltype(zero);
        return cub_call<T>(n, n, wide, [](auto count, void *temporary, std::size_t &bytes, T *out) {
            return cub::DeviceRadixSort::SortKeysDescending(temporary, bytes, cub_input<T>(), out, count, 0, 32,
                                                            cub_stream());
        });
    });
}

std::unique_ptr<Device> cub_top_k_unsorted(clprim_type type, std::size_t n, std::size_t k, bool wide)
{
#if HAS_TOP_K
    if (type == CLPRIM_U32)
        return cub_call<std::uint32_t>(k, n, wide, [=](auto count, void *temporary, std::size_t &bytes, auto *out) {
            const auto wanted = cuda::execution::require(cuda::execution::determinism::not_guaranteed,
                                                         cuda::execution::output_ordering::unsorted);
            const auto environment = cuda::std::execution::env{cuda::stream_ref{cub_stream()}, wanted};
            return cub::DeviceTopK::MaxKeys(temporary, bytes, cub_input<std::uint32_t>(), out, count,
                                            static_cast<decltype(count)>(k), environment);
        });
#else
    (void)n, (void)k, (void)wide;
#endif
    (void)type;
    return nullptr;
}

} // namespace peers

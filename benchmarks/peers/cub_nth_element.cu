// SPDX-License-Identifier: MIT
// cub_nth_element.cu: the keys at several ranks by cub::DeviceRadixSort of all keys, and the smallest ones by
// cub::DeviceTopK, which leaves them unsorted.
#include "cub_common.cuh"
#include "nth_element_peers.hpp"

#include <cub/cub.cuh>
#if __has_include(<cub/device/device_topk.cuh>) && CUB_VERSION >= 300300 // before, it could not be told what is wanted
#define HAS_TOP_K 1
#include <cub/device/device_topk.cuh>
#endif

#include <cstdint>

namespace peers {

std::unique_ptr<Device> cub_nth_element(clprim_type type, std::size_t n, bool wide)
{
    return for_type<std::uint32_t, std::uint64_t, float>(type, [=](auto zero) {
        using T = decltype(zero);
        return cub_call<T>(n, n, wide, [](auto count, void *temporary, std::size_t &bytes, T *out) {
            return cub::DeviceRadixSort::SortKeys(temporary, bytes, cub_input<T>(), out, count, 0,
                                                  static_cast<int>(8 * sizeof(T)), cub_stream());
        });
    });
}

std::unique_ptr<Device> cub_smallest(clprim_type type, std::size_t n, std::size_t rank, bool wide)
{
#if HAS_TOP_K
    if (type == CLPRIM_U32)
        return cub_call<std::uint32_t>(
            rank + 1, n, wide, [=](auto count, void *temporary, std::size_t &bytes, auto *out) {
                const auto wanted = cuda::execution::require(cuda::execution::determinism::not_guaranteed,
                                                             cuda::execution::output_ordering::unsorted);
                const auto environment = cuda::std::execution::env{cuda::stream_ref{cub_stream()}, wanted};
                return cub::DeviceTopK::MinKeys(temporary, bytes, cub_input<std::uint32_t>(), out, count,
                                                static_cast<decltype(count)>(rank + 1), environment);
            });
#else
    (void)n, (void)rank, (void)wide;
#endif
    (void)type;
    return nullptr;
}

} // namespace peers

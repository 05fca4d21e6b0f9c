// SPDX-License-Identifier: MIT
// cub_segmented_top_k.cu: the k largest keys of each segment by cub::DeviceSegmentedRadixSort or cub::DeviceSegmentedSort of
// all, and by cub::DeviceBatchedTopK, which leaves them unsorted.
#include "cub_common.cuh"
#include "segmented_top_k_peers.hpp"

#include <cub/cub.cuh>
#if __has_include(<cub/device/device_batched_topk.cuh>)
#define HAS_BATCHED_TOP_K 1
#include <cub/device/device_batched_topk.cuh>
#include <cuda/argument>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#endif

namespace peers {
namespace {

#if HAS_BATCHED_TOP_K
// Where row i of a matrix begins.
template <class T> struct RowAt {
    T *first;
    std::int64_t width;
    __host__ __device__ T *operator()(std::int64_t i) const
    {
        return first + i * width;
    }
};

template <class T> auto rows_of(T *first, std::int64_t width)
{
    return thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t{0}), RowAt<T>{first, width});
}

template <int length, int k> std::unique_ptr<Device> make(std::size_t rows)
{
    return cub_call<std::uint32_t>(rows * k, [=](void *temporary, std::size_t &bytes, std::uint32_t *out) {
        const auto wanted = cuda::execution::require(cuda::execution::determinism::not_guaranteed,
                                                     cuda::execution::tie_break::unspecified,
                                                     cuda::execution::output_ordering::unsorted);
        const auto environment = cuda::std::execution::env{cuda::stream_ref{cub_stream()}, wanted};
        return cub::DeviceBatchedTopK::MaxKeys(temporary, bytes, rows_of(cub_input<std::uint32_t>(), length),
                                               rows_of(out, k), cuda::args::constant<length>{},
                                               cuda::args::constant<k>{},
                                               cuda::args::immediate{static_cast<std::int64_t>(rows)}, environment);
    });
}
#endif

} // namespace

std::unique_ptr<Device> cub_segmented_top_k(std::size_t n, bool by_segments, const Segments &segments)
{
    return cub_call<std::uint32_t>(2 * n, [by_segments, size = static_cast<int>(n),
                                           count = static_cast<int>(segments.count), offsets = offsets_of(segments)](
                                              void *temporary, std::size_t &bytes, std::uint32_t *out) {
        const auto *keys = cub_input<std::uint32_t>();
        const auto *values = cub_input<std::uint32_t>(CubInput::indices);
        const auto *begins = offsets.as<const std::uint32_t>();
        if (by_segments)
            return cub::DeviceSegmentedSort::StableSortPairsDescending(temporary, bytes, keys, out, values, out + size,
                                                                       size, count, begins, begins + 1, cub_stream());
        return cub::DeviceSegmentedRadixSort::SortPairsDescending(temporary, bytes, keys, out, values, out + size, size,
                                                                  count, begins, begins + 1, 0, 32, cub_stream());
    });
}

std::unique_ptr<Device> cub_batched_top_k(std::size_t rows, std::size_t length, std::size_t k)
{
#if HAS_BATCHED_TOP_K
    if (length == 64 && k == 8)
        return make<64, 8>(rows);
    if (length == 256 && k == 8)
        return make<256, 8>(rows);
    if (length == 1024 && k == 10)
        return make<1024, 10>(rows);
#else
    (void)rows, (void)length, (void)k;
#endif
    return nullptr;
}

} // namespace peers

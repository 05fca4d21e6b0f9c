// SPDX-License-Identifier: MIT
// cub_batched_copy.cu: cub::DeviceMemcpy::Batched.
#include "batched_copy_peers.hpp"
#include "cub_common.cuh"

#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace peers {
namespace {

// Where segment s begins in an array.
template <class T> struct BeginOf {
    T *array;
    const std::uint32_t *begins;
    __host__ __device__ T *operator()(std::uint32_t s) const
    {
        return array + begins[s];
    }
};

template <class T> struct BytesOf {
    const std::uint32_t *offsets;
    __host__ __device__ std::uint32_t operator()(std::uint32_t s) const
    {
        return (offsets[s + 1] - offsets[s]) * static_cast<std::uint32_t>(sizeof(T));
    }
};

} // namespace

std::unique_ptr<Device> cub_batched_copy(clprim_type type, std::size_t n, const Batch &batch)
{
    return for_type<std::uint8_t, std::uint32_t>(type, [&](auto zero) {
        using T = decltype(zero);
        return cub_call<T>(n, [count = static_cast<std::int64_t>(batch.count), offsets_memory = offsets_of(batch),
                               begins = device_copy(batch.begins, batch.count * sizeof(std::uint32_t))](
                                  void *temporary, std::size_t &bytes, T *out) {
            const thrust::counting_iterator<std::uint32_t> segments(0);
            const auto *offsets = offsets_memory.template as<const std::uint32_t>();
            const auto from = thrust::make_transform_iterator(
                segments, BeginOf<const T>{cub_input<T>(), begins.template as<const std::uint32_t>()});
            const auto to = thrust::make_transform_iterator(segments, BeginOf<T>{out, offsets});
            const auto sizes = thrust::make_transform_iterator(segments, BytesOf<T>{offsets});
            return cub::DeviceMemcpy::Batched(temporary, bytes, from, to, sizes, count, cub_stream());
        });
    });
}

} // namespace peers

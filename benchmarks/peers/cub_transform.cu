// SPDX-License-Identifier: MIT
// cub_transform.cu: cub::DeviceTransform::Transform; thrust::scatter, for which CUB has nothing.
#include "cub_common.cuh"

#include <cub/cub.cuh>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scatter.h>

#include <cstdint>

namespace peers {
namespace {

template <class T> struct Times {
    T factor;
    __host__ __device__ T operator()(T value) const
    {
        return static_cast<T>(factor * value);
    }
};

struct Place {
    std::uint64_t step, mask;
    __host__ __device__ std::uint64_t operator()(std::uint64_t i) const
    {
        return i * step & mask;
    }
};

} // namespace

std::unique_ptr<Device> thrust_scatter(std::size_t n, std::uint64_t step)
{
    return cub_call<std::uint32_t>(n, [=](std::uint32_t *out) {
        const auto *in = cub_input<std::uint32_t>();
        const auto map =
            thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0), Place{step, n - 1});
        thrust::scatter(thrust::cuda::par_nosync.on(cub_stream()), in, in + n, map, out);
        return cudaGetLastError();
    });
}

std::unique_ptr<Device> cub_transform(clprim_type type, std::size_t n, bool wide)
{
    return for_type<float, std::uint64_t, std::uint8_t>(type, [=](auto zero) {
        using T = decltype(zero);
        return cub_call<T>(n, n, wide, [](auto count, T *out) {
            return cub::DeviceTransform::Transform(cub_input<T>(), out, count, Times<T>{T(3)}, cub_stream());
        });
    });
}

} // namespace peers

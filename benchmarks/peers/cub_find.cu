// SPDX-License-Identifier: MIT
// cub_find.cu: thrust::find_if. It waits for its result.
#include "cub_common.cuh"
#include "find_peers.hpp"

#include <thrust/execution_policy.h>
#include <thrust/find.h>

namespace peers {
namespace {

template <class T> struct Equals {
    T value;
    __host__ __device__ bool operator()(T element) const
    {
        return element == value;
    }
};

} // namespace

std::unique_ptr<Device> cub_find(clprim_type type, const void *in, std::size_t n, std::uint64_t wanted)
{
    return for_type<std::uint32_t, std::uint64_t>(type, [=](auto zero) {
        using T = decltype(zero);
        return cub_call<std::uint32_t>(1, [=, memory = device_copy(in, n * sizeof(T))](std::uint32_t *out) {
            const T *x = memory.template as<T>();
            const Equals<T> equals{static_cast<T>(wanted)};
            const auto found =
                static_cast<std::uint32_t>(thrust::find_if(thrust::cuda::par.on(cub_stream()), x, x + n, equals) - x);
            return cudaMemcpyAsync(out, &found, sizeof found, cudaMemcpyHostToDevice, cub_stream());
        });
    });
}

} // namespace peers

// SPDX-License-Identifier: MIT
// cub_is_sorted.cu: thrust::is_sorted_until: CUB itself has no test of order. It waits for its result.
#include "cub_common.cuh"
#include "is_sorted_peers.hpp"

#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include <cstdint>

namespace peers {

std::unique_ptr<Device> cub_is_sorted(clprim_type type, const void *in, std::size_t n)
{
    return for_type<std::uint32_t, std::uint64_t>(type, [=](auto zero) {
        using T = decltype(zero);
        return cub_call<std::uint32_t>(1, [=, memory = device_copy(in, n * sizeof(T))](std::uint32_t *out) {
            const T *x = memory.template as<T>();
            const auto until =
                static_cast<std::uint32_t>(thrust::is_sorted_until(thrust::cuda::par.on(cub_stream()), x, x + n) - x);
            return cudaMemcpyAsync(out, &until, sizeof until, cudaMemcpyHostToDevice, cub_stream());
        });
    });
}

} // namespace peers

// SPDX-License-Identifier: MIT
// cub_shuffle.cu: Thrust's shuffle_copy. CUB has none.
#include "cub_common.cuh"

#include <thrust/execution_policy.h>
#include <thrust/random.h>
#include <thrust/shuffle.h>

#include <cstdint>

namespace peers {

std::unique_ptr<Device> cub_shuffle(clprim_type type, std::size_t n)
{
    return for_type<std::uint32_t, std::uint64_t>(type, [=](auto zero) {
        using T = decltype(zero);
        return cub_call<T>(n, [=](T *out) {
            thrust::shuffle_copy(thrust::cuda::par_nosync.on(cub_stream()), cub_input<T>(), cub_input<T>() + n, out,
                                 thrust::default_random_engine(1));
            return cudaGetLastError();
        });
    });
}

} // namespace peers

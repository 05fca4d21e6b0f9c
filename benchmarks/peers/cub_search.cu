// SPDX-License-Identifier: MIT
// cub_search.cu: thrust::lower_bound of many needles: CUB itself has no search.
#include "cub_common.cuh"
#include "search_peers.hpp"

#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>

#include <cstdint>

namespace peers {

std::unique_ptr<Device> cub_search(clprim_type type, const void *in, std::size_t n, const void *needles, std::size_t m)
{
    return for_type<std::uint32_t, std::uint64_t>(type, [=](auto zero) {
        using T = decltype(zero);
        return cub_call<std::uint32_t>(m, [=, memory = device_copy(in, n * sizeof(T)),
                                           sought = device_copy(needles, m * sizeof(T))](std::uint32_t *out) {
            const T *x = memory.template as<T>();
            const T *y = sought.template as<T>();
            thrust::lower_bound(thrust::cuda::par_nosync.on(cub_stream()), x, x + n, y, y + m, out);
            return cudaGetLastError();
        });
    });
}

} // namespace peers

// SPDX-License-Identifier: MIT
// cub_reduce_by_key.cu: cub::DeviceReduce::ReduceByKey.
#include "cub_common.cuh"
#include "reduce_by_key_peers.hpp"

#include <cub/cub.cuh>

#include <cstdint>

namespace peers {
namespace {

struct Sum {
    __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const
    {
        return a + b;
    }
};

} // namespace

std::unique_ptr<Device> cub_reduce_by_key(std::size_t n, bool wide)
{
    return cub_call<std::uint32_t>(
        2 * n, n, wide, [](auto count, void *temporary, std::size_t &bytes, std::uint32_t *out, std::uint64_t *runs) {
            return cub::DeviceReduce::ReduceByKey(temporary, bytes, cub_input<std::uint32_t>(), out,
                                                  cub_input<std::uint32_t>(CubInput::indices), out + count, runs, Sum(),
                                                  count, cub_stream());
        });
}

} // namespace peers

// SPDX-License-Identifier: MIT
// cub_sort_by_key.cu: cub::DeviceRadixSort sorts indices by the keys, then a kernel gathers each array: neither CUB nor
// Thrust has more. One array of words goes along with the keys instead, as CUB has it.
#include "cub_common.cuh"
#include "sort_by_key_peers.hpp"

#include <cub/cub.cuh>

namespace peers {
namespace {

constexpr int GROUP_SIZE = 256;

__global__ void count_up(std::uint32_t *out, std::size_t n)
{
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = static_cast<std::uint32_t>(i);
}

// A thread for each unit of the output, so that those of one element are read together.
template <class Unit, int units>
__global__ void gather(Unit *__restrict__ out, const Unit *__restrict__ in, const std::uint32_t *__restrict__ order,
                       std::size_t n)
{
    const std::size_t u = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (u < n * units)
        out[u] = in[std::size_t{order[u / units]} * units + u % units];
}

unsigned groups_for(std::size_t threads)
{
    return static_cast<unsigned>((threads + GROUP_SIZE - 1) / GROUP_SIZE);
}

template <class Unit, int units> std::unique_ptr<Device> make(std::size_t arrays, std::size_t n, bool wide)
{
    constexpr std::size_t SIZE = units * sizeof(Unit);
    constexpr std::size_t WORD = sizeof(std::uint32_t);
    const std::size_t words = n * arrays * (SIZE / WORD);
    // The arrays, and indices before and after: shared, since the function is copied.
    const auto in = std::make_shared<DeviceMemory>(words * WORD);
    const auto indices = std::make_shared<DeviceMemory>(n * WORD);
    const auto sorted = std::make_shared<DeviceMemory>(n * WORD);
    count_up<<<groups_for(words), GROUP_SIZE, 0, cub_stream()>>>(in->template as<std::uint32_t>(), words);
    count_up<<<groups_for(n), GROUP_SIZE, 0, cub_stream()>>>(indices->template as<std::uint32_t>(), n);
    require(cudaStreamSynchronize(cub_stream()), "cudaStreamSynchronize");
    const auto call = [=](auto count, void *temporary, std::size_t &bytes, std::uint32_t *out) {
        const bool along = arrays == 1 && SIZE == WORD;
        std::uint32_t *const order = along ? out : sorted->template as<std::uint32_t>();
        const cudaError_t code =
            cub::DeviceRadixSort::SortPairs(temporary, bytes, cub_input<std::uint32_t>(), out + words,
                                            indices->template as<std::uint32_t>(), order, count, 0, 32, cub_stream());
        if (code != cudaSuccess || temporary == nullptr || along)
            return code;
        for (std::size_t a = 0; a < arrays; a++)
            gather<Unit, units><<<groups_for(n * units), GROUP_SIZE, 0, cub_stream()>>>(
                reinterpret_cast<Unit *>(out) + a * n * units, in->template as<Unit>() + a * n * units, order, n);
        return cudaGetLastError();
    };
    return cub_call<std::uint32_t>(words + n, n, wide, call);
}

} // namespace

std::unique_ptr<Device> cub_sort_by_key(Arrays arrays, std::size_t n, bool wide)
{
    switch (arrays.words) {
    case 1: return make<std::uint32_t, 1>(arrays.count, n, wide);
    case 3: return make<std::uint32_t, 3>(arrays.count, n, wide);
    case 16: return make<uint4, 4>(arrays.count, n, wide);
    default: return nullptr;
    }
}

} // namespace peers

// SPDX-License-Identifier: MIT
// cub_radix_sort.cu: cub::DeviceRadixSort, the fastest sorts known on NVIDIA hardware.
//
// The functions with an input and an output, as clPRIM is timed: they leave the input as it is. The ones with a
// DoubleBuffer, which overwrite it, launch the same kernels as many times and only need less temporary storage.
#include "cub_common.cuh"
#include "radix_sort_peers.hpp"

#include <cub/cub.cuh>
#include <cuda_bf16.h>

#include <cstdint>

namespace peers {
namespace {

template <class T, bool pairs> std::unique_ptr<Device> make(std::size_t n, bool wide)
{
    return cub_call<T>(pairs ? 2 * n : n, n, wide, [](auto count, void *temporary, std::size_t &bytes, T *out) {
        constexpr int bits = 8 * sizeof(T);
        if constexpr (pairs)
            return cub::DeviceRadixSort::SortPairs(temporary, bytes, cub_input<T>(), out,
                                                   cub_input<T>(CubInput::indices), out + count, count, 0, bits,
                                                   cub_stream());
        else
            return cub::DeviceRadixSort::SortKeys(temporary, bytes, cub_input<T>(), out, count, 0, bits, cub_stream());
    });
}

} // namespace

std::unique_ptr<Device> cub_sort(clprim_type type, bool pairs, std::size_t n, bool wide)
{
    if (pairs && type == CLPRIM_U32)
        return make<std::uint32_t, true>(n, wide);
    if (pairs)
        return type == CLPRIM_U64 ? make<std::uint64_t, true>(n, wide) : nullptr;
    switch (type) {
    case CLPRIM_U8: return make<std::uint8_t, false>(n, wide);
    case CLPRIM_U32: return make<std::uint32_t, false>(n, wide);
    case CLPRIM_U64: return make<std::uint64_t, false>(n, wide);
    case CLPRIM_F32: return make<float, false>(n, wide);
    case CLPRIM_BF16: return make<__nv_bfloat16, false>(n, wide);
    case CLPRIM_U128: return make<__uint128_t, false>(n, wide);
    default: return nullptr;
    }
}

} // namespace peers

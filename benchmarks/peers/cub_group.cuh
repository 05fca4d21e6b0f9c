// SPDX-License-Identifier: MIT
// cub_group.cuh: what kernels of CUB's block primitives share: their parameters, how they are chosen and launched.
#ifndef CLPRIM_BENCHMARKS_CUB_GROUP_CUH
#define CLPRIM_BENCHMARKS_CUB_GROUP_CUH

#include "cub_common.cuh"
#include "group_peers.hpp"

#include <cub/cub.cuh>

namespace peers {

using GroupKernel = void (*)(const unsigned *in, const unsigned *indices, unsigned *out, unsigned n, unsigned rounds);

// The fastest for blocked tiles of these shapes. A single item per thread needs no transposition.
template <int SIZE, int ITEMS>
using LoadBlocked =
    cub::BlockLoad<unsigned, SIZE, ITEMS, ITEMS == 1 ? cub::BLOCK_LOAD_DIRECT : cub::BLOCK_LOAD_WARP_TRANSPOSE>;
template <int SIZE, int ITEMS>
using StoreBlocked =
    cub::BlockStore<unsigned, SIZE, ITEMS, ITEMS == 1 ? cub::BLOCK_STORE_DIRECT : cub::BLOCK_STORE_WARP_TRANSPOSE>;

// Choices is a struct with a template `kernel<SIZE, ITEMS>()`.
template <class Choices, int ITEMS> GroupKernel kernel_of_size(unsigned size)
{
    switch (size) {
    case 128: return Choices::template kernel<128, ITEMS>();
    case 256: return Choices::template kernel<256, ITEMS>();
    case 512: return Choices::template kernel<512, ITEMS>();
    default: return nullptr;
    }
}

template <class Choices> GroupKernel kernel_of(const GroupShape &shape)
{
    switch (shape.items) {
    case 1: return kernel_of_size<Choices, 1>(shape.size);
    case 4: return kernel_of_size<Choices, 4>(shape.size);
    case 8: return kernel_of_size<Choices, 8>(shape.size);
    case 16: return kernel_of_size<Choices, 16>(shape.size);
    default: return nullptr;
    }
}

inline std::unique_ptr<Device> make_group_call(const GroupTask &task, GroupKernel kernel)
{
    if (kernel == nullptr)
        return nullptr;
    return cub_call<unsigned char>(task.out_bytes, [=](unsigned char *out) {
        const auto *indices = task.op == GroupOp::radix_sort_pairs ? cub_input<unsigned>(CubInput::indices) : nullptr;
        const unsigned groups = task.n / (task.shape.size * task.shape.items);
        kernel<<<groups, task.shape.size, 0, cub_stream()>>>(cub_input<unsigned>(), indices,
                                                             reinterpret_cast<unsigned *>(out), task.n, task.rounds);
        return cudaGetLastError();
    });
}

} // namespace peers

#endif

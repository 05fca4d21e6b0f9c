// SPDX-License-Identifier: MIT
// cub_group_sort.cu: kernels of cub::BlockRadixSort, as it is by default, and cub::BlockMergeSort.
#include "cub_group.cuh"

namespace peers {
namespace {

template <int ITEMS> __device__ void change(unsigned (&keys)[ITEMS])
{
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        keys[k] = keys[k] * GROUP_FACTOR + 1;
}

// Keys alone: repeated sorts go from blocked keys to blocked ones; a single one to striped ones, for the store.
template <int SIZE, int ITEMS, bool repeated>
__global__ __launch_bounds__(SIZE) void radix_sort(const unsigned *in, const unsigned *, unsigned *out, unsigned,
                                                   unsigned rounds)
{
    using Sort = cub::BlockRadixSort<unsigned, SIZE, ITEMS>;
    using Store = StoreBlocked<SIZE, ITEMS>;
    __shared__ union {
        typename Sort::TempStorage sort;
        typename Store::TempStorage store;
    } memory;
    const unsigned first = blockIdx.x * (SIZE * ITEMS);
    unsigned keys[ITEMS];
    cub::LoadDirectStriped<SIZE>(threadIdx.x, in + first, keys);
    if constexpr (repeated) {
        for (unsigned r = 0; r < rounds; r++) {
            change(keys);
            __syncthreads(); // the memory is free
            Sort(memory.sort).Sort(keys);
        }
        __syncthreads();
        Store(memory.store).Store(out + first, keys);
    } else {
        Sort(memory.sort).SortBlockedToStriped(keys);
        cub::StoreDirectStriped<SIZE>(threadIdx.x, out + first, keys);
    }
}

// Values are behind all keys.
template <int SIZE, int ITEMS, bool repeated>
__global__ __launch_bounds__(SIZE) void radix_sort_pairs(const unsigned *in, const unsigned *indices, unsigned *out,
                                                         unsigned n, unsigned rounds)
{
    using Load = LoadBlocked<SIZE, ITEMS>;
    using Sort = cub::BlockRadixSort<unsigned, SIZE, ITEMS, unsigned>;
    using Store = StoreBlocked<SIZE, ITEMS>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Sort::TempStorage sort;
        typename Store::TempStorage store;
    } memory;
    const unsigned first = blockIdx.x * (SIZE * ITEMS);
    unsigned keys[ITEMS];
    unsigned values[ITEMS];
    Load(memory.load).Load(in + first, keys);
    __syncthreads();
    Load(memory.load).Load(indices + first, values);
    if constexpr (repeated) {
        for (unsigned r = 0; r < rounds; r++) {
            change(keys);
            __syncthreads(); // the memory is free
            Sort(memory.sort).Sort(keys, values);
        }
        __syncthreads();
        Store(memory.store).Store(out + first, keys);
        __syncthreads();
        Store(memory.store).Store(out + n + first, values);
    } else {
        __syncthreads();
        Sort(memory.sort).SortBlockedToStriped(keys, values);
        cub::StoreDirectStriped<SIZE>(threadIdx.x, out + first, keys);
        cub::StoreDirectStriped<SIZE>(threadIdx.x, out + n + first, values);
    }
}

// It has no function to striped keys.
template <int SIZE, int ITEMS, bool repeated>
__global__ __launch_bounds__(SIZE) void merge_sort(const unsigned *in, const unsigned *, unsigned *out, unsigned,
                                                   unsigned rounds)
{
    using Sort = cub::BlockMergeSort<unsigned, SIZE, ITEMS>;
    using Store = StoreBlocked<SIZE, ITEMS>;
    __shared__ union {
        typename Sort::TempStorage sort;
        typename Store::TempStorage store;
    } memory;
    const unsigned first = blockIdx.x * (SIZE * ITEMS);
    unsigned keys[ITEMS];
    cub::LoadDirectStriped<SIZE>(threadIdx.x, in + first, keys);
    if constexpr (repeated) {
        for (unsigned r = 0; r < rounds; r++) {
            change(keys);
            __syncthreads(); // the memory is free
            Sort(memory.sort).Sort(keys, Less());
        }
    } else {
        Sort(memory.sort).Sort(keys, Less());
    }
    __syncthreads();
    Store(memory.store).Store(out + first, keys);
}

// Sorts of one key per thread are not timed, nor pairs that clPRIM has no local memory for.
template <GroupOp op, bool repeated> struct Sorts {
    template <int SIZE, int ITEMS> static GroupKernel kernel()
    {
        if constexpr (ITEMS == 1 || (op == GroupOp::radix_sort_pairs && SIZE * ITEMS > 4096))
            return nullptr;
        else if constexpr (op == GroupOp::radix_sort)
            return radix_sort<SIZE, ITEMS, repeated>;
        else if constexpr (op == GroupOp::radix_sort_pairs)
            return radix_sort_pairs<SIZE, ITEMS, repeated>;
        else
            return merge_sort<SIZE, ITEMS, repeated>;
    }
};

template <GroupOp op> GroupKernel sort_kernel(const GroupTask &task)
{
    return task.rounds > 1 ? kernel_of<Sorts<op, true>>(task.shape) : kernel_of<Sorts<op, false>>(task.shape);
}

GroupKernel kernel_for(const GroupTask &task)
{
    switch (task.op) {
    case GroupOp::radix_sort: return sort_kernel<GroupOp::radix_sort>(task);
    case GroupOp::radix_sort_pairs: return sort_kernel<GroupOp::radix_sort_pairs>(task);
    case GroupOp::merge_sort: return sort_kernel<GroupOp::merge_sort>(task);
    default: return nullptr;
    }
}

} // namespace

std::unique_ptr<Device> cub_group_sort(const GroupTask &task)
{
    return make_group_call(task, kernel_for(task));
}

} // namespace peers

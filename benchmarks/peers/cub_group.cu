// SPDX-License-Identifier: MIT
// cub_group.cu: kernels of cub::BlockScan, cub::BlockReduce and cub::BlockHistogram, with the algorithm of each that is
// the fastest in these shapes.
#include "cub_group.cuh"

namespace peers {
namespace {

template <int SIZE, int ITEMS>
__global__ __launch_bounds__(SIZE) void scan(const unsigned *in, const unsigned *, unsigned *out, unsigned,
                                             unsigned rounds)
{
    using Load = LoadBlocked<SIZE, ITEMS>;
    using Store = StoreBlocked<SIZE, ITEMS>;
    using Scan = cub::BlockScan<unsigned, SIZE, cub::BLOCK_SCAN_WARP_SCANS>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Scan::TempStorage scan;
        typename Store::TempStorage store;
    } memory;
    const unsigned first = blockIdx.x * (SIZE * ITEMS);
    unsigned items[ITEMS];
    Load(memory.load).Load(in + first, items);
    for (unsigned r = 0; r < rounds; r++) {
        __syncthreads(); // the memory is free
        Scan(memory.scan).ExclusiveSum(items, items);
    }
    __syncthreads();
    Store(memory.store).Store(out + first, items);
}

// all: the result in all threads, else in thread 0 alone.
template <int SIZE, int ITEMS, bool all>
__global__ __launch_bounds__(SIZE) void reduce(const unsigned *in, const unsigned *, unsigned *out, unsigned,
                                               unsigned rounds)
{
    using Reduce = cub::BlockReduce<unsigned, SIZE, cub::BLOCK_REDUCE_WARP_REDUCTIONS>;
    __shared__ typename Reduce::TempStorage memory;
    __shared__ unsigned shared;
    unsigned items[ITEMS];
    unsigned total = 0;
    cub::LoadDirectStriped<SIZE>(threadIdx.x, in + blockIdx.x * (SIZE * ITEMS), items);
    for (unsigned r = 0; r < rounds; r++) {
        __syncthreads(); // the memory is free
        total = Reduce(memory).Sum(items);
        if (all) {
            if (threadIdx.x == 0)
                shared = total;
            __syncthreads();
            total = shared;
        }
        const unsigned change = all || threadIdx.x == 0 ? total : r + 1;
#pragma unroll
        for (int k = 0; k < ITEMS; k++)
            items[k] ^= change;
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = total;
}

template <int SIZE, int ITEMS>
__global__ __launch_bounds__(SIZE) void histogram(const unsigned *in, const unsigned *, unsigned *out, unsigned,
                                                  unsigned rounds)
{
    using Histogram = cub::BlockHistogram<unsigned, SIZE, ITEMS, GROUP_BINS, cub::BLOCK_HISTO_ATOMIC>;
    __shared__ typename Histogram::TempStorage memory;
    __shared__ unsigned counts[GROUP_BINS];
    unsigned bins[ITEMS];
    cub::LoadDirectStriped<SIZE>(threadIdx.x, in + blockIdx.x * (SIZE * ITEMS), bins);
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        bins[k] %= GROUP_BINS;
    for (unsigned r = 0; r < rounds; r++) {
        __syncthreads(); // all have read the counts
        Histogram(memory).Histogram(bins, counts);
        __syncthreads(); // all is counted
        const unsigned change = counts[threadIdx.x % GROUP_BINS];
#pragma unroll
        for (int k = 0; k < ITEMS; k++)
            bins[k] = (bins[k] + change) % GROUP_BINS;
    }
    for (unsigned bin = threadIdx.x; bin < GROUP_BINS; bin += SIZE)
        out[blockIdx.x * GROUP_BINS + bin] = counts[bin];
}

struct Scans {
    template <int SIZE, int ITEMS> static GroupKernel kernel()
    {
        return scan<SIZE, ITEMS>;
    }
};

template <bool all> struct Reductions {
    template <int SIZE, int ITEMS> static GroupKernel kernel()
    {
        return reduce<SIZE, ITEMS, all>;
    }
};

struct Histograms {
    template <int SIZE, int ITEMS> static GroupKernel kernel()
    {
        return histogram<SIZE, ITEMS>;
    }
};

GroupKernel kernel_for(const GroupTask &task)
{
    switch (task.op) {
    case GroupOp::scan: return kernel_of<Scans>(task.shape);
    case GroupOp::reduce: return kernel_of<Reductions<false>>(task.shape);
    case GroupOp::reduce_all: return kernel_of<Reductions<true>>(task.shape);
    case GroupOp::histogram: return kernel_of<Histograms>(task.shape);
    default: return nullptr;
    }
}

} // namespace

std::unique_ptr<Device> cub_group(const GroupTask &task)
{
    return make_group_call(task, kernel_for(task));
}

} // namespace peers

// SPDX-License-Identifier: MIT
// cub_compaction.cu: a stream compaction made from what cub::DeviceSelect is made from: a block's flags are scanned, with
// decoupled look-back for the blocks before, and what it keeps is brought together in shared memory.
#include "compaction_peers.hpp"
#include "cub_common.cuh"

#include <cub/cub.cuh>
#include <cuda/functional>

namespace peers {
namespace {

constexpr int SIZE = 256;
constexpr int INIT_SIZE = 128;

using State = cub::ScanTileState<int>;

__global__ void init(State state, int tiles)
{
    state.InitializeStatus(tiles);
}

template <int ITEMS>
__global__ __launch_bounds__(SIZE) void compact(const float *in, float limit, float *out, std::uint64_t *count,
                                                State state)
{
    using Load = cub::BlockLoad<float, SIZE, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Scan = cub::BlockScan<int, SIZE, cub::BLOCK_SCAN_WARP_SCANS>;
    using Prefix = cub::TilePrefixCallbackOp<int, cuda::std::plus<>, State>;
    __shared__ union {
        typename Load::TempStorage load;
        struct {
            typename Scan::TempStorage scan;
            typename Prefix::TempStorage prefix;
        } scanning;
        float staged[SIZE * ITEMS];
    } memory;
    const int tile = static_cast<int>(blockIdx.x);
    float x[ITEMS];
    int flags[ITEMS];
    int places[ITEMS];
    int before = 0;
    int kept = 0;
    Load(memory.load).Load(in + static_cast<std::size_t>(tile) * (SIZE * ITEMS), x);
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        flags[k] = x[k] > limit;
    __syncthreads(); // the memory is free
    if (tile == 0) {
        Scan(memory.scanning.scan).ExclusiveSum(flags, places, kept);
        if (threadIdx.x == 0)
            state.SetInclusive(0, kept);
    } else {
        Prefix prefix(state, memory.scanning.prefix, cuda::std::plus<>{}, tile);
        Scan(memory.scanning.scan).ExclusiveSum(flags, places, prefix);
        before = prefix.GetExclusivePrefix();
        kept = prefix.GetBlockAggregate();
    }
    __syncthreads(); // all have read the prefix
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        if (flags[k])
            memory.staged[places[k] - before] = x[k];
    __syncthreads(); // what is kept
    for (int i = threadIdx.x; i < kept; i += SIZE)
        out[before + i] = memory.staged[i];
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0)
        *count = static_cast<std::uint64_t>(before + kept);
}

template <int ITEMS> std::unique_ptr<Device> make(std::size_t n, float limit)
{
    const int tiles = static_cast<int>(n / (SIZE * ITEMS));
    return cub_call<float>(n, [=](void *temporary, std::size_t &bytes, float *out, std::uint64_t *count) {
        if (temporary == nullptr)
            return State::AllocationSize(tiles, bytes);
        State state;
        const cudaError_t code = state.Init(tiles, temporary, bytes);
        if (code != cudaSuccess)
            return code;
        init<<<(tiles + INIT_SIZE - 1) / INIT_SIZE, INIT_SIZE, 0, cub_stream()>>>(state, tiles);
        compact<ITEMS><<<tiles, SIZE, 0, cub_stream()>>>(cub_input<float>(), limit, out, count, state);
        return cudaGetLastError();
    });
}

} // namespace

std::unique_ptr<Device> cub_compaction(std::size_t n, unsigned items, float limit)
{
    switch (items) {
    case 8: return make<8>(n, limit);
    case 16: return make<16>(n, limit);
    case 32: return make<32>(n, limit);
    default: return nullptr;
    }
}

} // namespace peers

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

template <class Unit, int units, class Count> class SortByKeyCall final : public CubCall {
  public:
    SortByKeyCall(std::size_t arrays, Count n)
        : CubCall(static_cast<std::size_t>(n) * (arrays * SIZE + sizeof(std::uint32_t))), arrays_(arrays), n_(n),
          in_(size() * arrays * SIZE), indices_(size() * sizeof(std::uint32_t)), order_(size() * sizeof(std::uint32_t))
    {
        const std::size_t words = size() * arrays * (SIZE / sizeof(std::uint32_t));
        count_up<<<groups_for(words), GROUP_SIZE, 0, cub_stream()>>>(in_.as<std::uint32_t>(), words);
        count_up<<<groups_for(size()), GROUP_SIZE, 0, cub_stream()>>>(indices_.as<std::uint32_t>(), size());
        prepare();
        finish();
    }

  private:
    static constexpr std::size_t SIZE = units * sizeof(Unit);

    std::size_t size() const
    {
        return static_cast<std::size_t>(n_);
    }
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        const bool along = arrays_ == 1 && SIZE == sizeof(std::uint32_t);
        const auto *keys = static_cast<const std::uint32_t *>(cub_input(CubInput::values));
        auto *keys_out = reinterpret_cast<std::uint32_t *>(out_.as<Unit>() + arrays_ * size() * units);
        std::uint32_t *const order = along ? out_.as<std::uint32_t>() : order_.as<std::uint32_t>();
        const cudaError_t code = cub::DeviceRadixSort::SortPairs(
            temporary, temporary_bytes, keys, keys_out, indices_.as<std::uint32_t>(), order, n_, 0, 32, cub_stream());
        if (code != cudaSuccess || temporary == nullptr || along)
            return code;
        for (std::size_t a = 0; a < arrays_; a++)
            gather<Unit, units><<<groups_for(size() * units), GROUP_SIZE, 0, cub_stream()>>>(
                out_.as<Unit>() + a * size() * units, in_.as<Unit>() + a * size() * units, order, size());
        return cudaGetLastError();
    }

    std::size_t arrays_;
    Count n_;
    DeviceMemory in_;
    DeviceMemory indices_;
    DeviceMemory order_;
};

template <class Unit, int units> std::unique_ptr<Device> make(std::size_t arrays, std::size_t n, bool wide)
{
    return with_count(n, wide, [arrays](auto count) -> std::unique_ptr<Device> {
        return std::make_unique<SortByKeyCall<Unit, units, decltype(count)>>(arrays, count);
    });
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

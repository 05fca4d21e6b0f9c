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

template <class T, bool pairs, class Count> class SortCall final : public CubCall {
  public:
    explicit SortCall(Count n) : CubCall(static_cast<std::size_t>(n) * sizeof(T) * (pairs ? 2 : 1)), n_(n)
    {
        prepare();
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        constexpr int bits = 8 * sizeof(T);
        const T *keys = static_cast<const T *>(cub_input(CubInput::values));
        T *out = out_.as<T>();
        if constexpr (pairs) {
            const T *values = static_cast<const T *>(cub_input(CubInput::indices));
            return cub::DeviceRadixSort::SortPairs(temporary, temporary_bytes, keys, out, values, out + n_, n_, 0, bits,
                                                   cub_stream());
        } else {
            return cub::DeviceRadixSort::SortKeys(temporary, temporary_bytes, keys, out, n_, 0, bits, cub_stream());
        }
    }

    Count n_;
};

template <class T, bool pairs> std::unique_ptr<Device> make(std::size_t n, bool wide)
{
    return with_count(n, wide, [](auto count) -> std::unique_ptr<Device> {
        return std::make_unique<SortCall<T, pairs, decltype(count)>>(count);
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

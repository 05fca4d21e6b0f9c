// cub_top_k.cu: the k largest by cub::DeviceRadixSort of all keys, which is CUB's general way to them.
#include "cub_common.cuh"
#include "top_k_peers.hpp"

#include <cub/cub.cuh>

#include <cstdint>

namespace peers {
namespace {

template <class T, bool indices, class Count> class TopKCall final : public CubCall {
  public:
    explicit TopKCall(Count n) : CubCall(static_cast<std::size_t>(n) * sizeof(T) * (indices ? 2 : 1)), n_(n)
    {
        prepare();
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        constexpr int bits = 8 * sizeof(T);
        const T *keys = static_cast<const T *>(cub_input(CubInput::values));
        T *out = out_.as<T>();
        if constexpr (indices) {
            const auto *values = static_cast<const std::uint32_t *>(cub_input(CubInput::indices));
            return cub::DeviceRadixSort::SortPairsDescending(temporary, temporary_bytes, keys, out, values,
                                                             out_.as<std::uint32_t>() + n_, n_, 0, bits, cub_stream());
        } else {
            return cub::DeviceRadixSort::SortKeysDescending(temporary, temporary_bytes, keys, out, n_, 0, bits,
                                                            cub_stream());
        }
    }

    Count n_;
};

template <class T, bool indices> std::unique_ptr<Device> make(std::size_t n, bool wide)
{
    return with_count(n, wide, [](auto count) -> std::unique_ptr<Device> {
        return std::make_unique<TopKCall<T, indices, decltype(count)>>(count);
    });
}

} // namespace

std::unique_ptr<Device> cub_top_k(clprim_type type, bool indices, std::size_t n, bool wide)
{
    if (type == CLPRIM_U32)
        return indices ? make<std::uint32_t, true>(n, wide) : make<std::uint32_t, false>(n, wide);
    if (type == CLPRIM_F32) // the indices are made for U32 alone
        return indices ? nullptr : make<float, false>(n, wide);
    return nullptr;
}

} // namespace peers

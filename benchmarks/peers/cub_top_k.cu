// cub_top_k.cu: the k largest by cub::DeviceRadixSort of all keys, and by cub::DeviceTopK, which leaves them unsorted.
#include "cub_common.cuh"
#include "top_k_peers.hpp"

#include <cub/cub.cuh>
#if __has_include(<cub/device/device_topk.cuh>) && CUB_VERSION >= 300300 // before, it could not be told what is wanted
#define HAS_TOP_K 1
#include <cub/device/device_topk.cuh>
#endif

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

#if HAS_TOP_K
template <class T, class Count> class UnsortedTopKCall final : public CubCall {
  public:
    UnsortedTopKCall(Count n, Count k) : CubCall(static_cast<std::size_t>(k) * sizeof(T)), n_(n), k_(k)
    {
        prepare();
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        const auto wanted = cuda::execution::require(cuda::execution::determinism::not_guaranteed,
                                                     cuda::execution::output_ordering::unsorted);
        const auto environment = cuda::std::execution::env{cuda::stream_ref{cub_stream()}, wanted};
        return cub::DeviceTopK::MaxKeys(temporary, temporary_bytes, static_cast<const T *>(cub_input(CubInput::values)),
                                        out_.as<T>(), n_, k_, environment);
    }

    Count n_, k_;
};
#endif

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

std::unique_ptr<Device> cub_top_k_unsorted(clprim_type type, std::size_t n, std::size_t k, bool wide)
{
#if HAS_TOP_K
    if (type == CLPRIM_U32)
        return with_count(n, wide, [=](auto count) -> std::unique_ptr<Device> {
            using Count = decltype(count);
            return std::make_unique<UnsortedTopKCall<std::uint32_t, Count>>(count, static_cast<Count>(k));
        });
#else
    (void)n, (void)k, (void)wide;
#endif
    (void)type;
    return nullptr;
}

} // namespace peers

// cub_nth_element.cu: the keys at several ranks by cub::DeviceRadixSort of all keys, and the smallest ones by
// cub::DeviceTopK, which leaves them unsorted.
#include "cub_common.cuh"
#include "nth_element_peers.hpp"

#include <cub/cub.cuh>
#if __has_include(<cub/device/device_topk.cuh>) && CUB_VERSION >= 300300 // before, it could not be told what is wanted
#define HAS_TOP_K 1
#include <cub/device/device_topk.cuh>
#endif

#include <cstdint>

namespace peers {
namespace {

template <class T, class Count> class SortCall final : public CubCall {
  public:
    explicit SortCall(Count n) : CubCall(static_cast<std::size_t>(n) * sizeof(T)), n_(n)
    {
        prepare();
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        return cub::DeviceRadixSort::SortKeys(temporary, temporary_bytes,
                                              static_cast<const T *>(cub_input(CubInput::values)), out_.as<T>(), n_, 0,
                                              static_cast<int>(8 * sizeof(T)), cub_stream());
    }

    Count n_;
};

#if HAS_TOP_K
template <class T, class Count> class SmallestCall final : public CubCall {
  public:
    SmallestCall(Count n, Count k) : CubCall(static_cast<std::size_t>(k) * sizeof(T)), n_(n), k_(k)
    {
        prepare();
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        const auto wanted = cuda::execution::require(cuda::execution::determinism::not_guaranteed,
                                                     cuda::execution::output_ordering::unsorted);
        const auto environment = cuda::std::execution::env{cuda::stream_ref{cub_stream()}, wanted};
        return cub::DeviceTopK::MinKeys(temporary, temporary_bytes, static_cast<const T *>(cub_input(CubInput::values)),
                                        out_.as<T>(), n_, k_, environment);
    }

    Count n_, k_;
};
#endif

template <class T> std::unique_ptr<Device> make(std::size_t n, bool wide)
{
    return with_count(n, wide, [](auto count) -> std::unique_ptr<Device> {
        return std::make_unique<SortCall<T, decltype(count)>>(count);
    });
}

} // namespace

std::unique_ptr<Device> cub_nth_element(clprim_type type, std::size_t n, bool wide)
{
    return type == CLPRIM_U32   ? make<std::uint32_t>(n, wide)
           : type == CLPRIM_U64 ? make<std::uint64_t>(n, wide)
           : type == CLPRIM_F32 ? make<float>(n, wide)
                                : nullptr;
}

std::unique_ptr<Device> cub_smallest(clprim_type type, std::size_t n, std::size_t rank, bool wide)
{
#if HAS_TOP_K
    if (type == CLPRIM_U32)
        return with_count(n, wide, [=](auto count) -> std::unique_ptr<Device> {
            using Count = decltype(count);
            return std::make_unique<SmallestCall<std::uint32_t, Count>>(count, static_cast<Count>(rank + 1));
        });
#else
    (void)n, (void)rank, (void)wide;
#endif
    (void)type;
    return nullptr;
}

} // namespace peers

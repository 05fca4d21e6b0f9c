// cub_segmented_top_k.cu: the k largest keys of each segment by cub::DeviceSegmentedRadixSort or cub::DeviceSegmentedSort of
// all, and by cub::DeviceBatchedTopK, which leaves them unsorted.
#include "cub_common.cuh"
#include "segmented_top_k_peers.hpp"

#include <cub/cub.cuh>
#if __has_include(<cub/device/device_batched_topk.cuh>)
#define HAS_BATCHED_TOP_K 1
#include <cub/device/device_batched_topk.cuh>
#include <cuda/argument>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#endif

namespace peers {
namespace {

class SortCall final : public CubCall {
  public:
    SortCall(std::size_t n, bool by_segments, const Segments &segments)
        : CubCall(n * 2 * sizeof(std::uint32_t)), n_(static_cast<int>(n)), count_(static_cast<int>(segments.count)),
          by_segments_(by_segments), offsets_((segments.count + 1) * sizeof(std::uint32_t))
    {
        require(cudaMemcpy(offsets_.as<void>(), segments.offsets, (segments.count + 1) * sizeof(std::uint32_t),
                           cudaMemcpyHostToDevice),
                "cudaMemcpy");
        prepare();
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        const auto *keys = static_cast<const std::uint32_t *>(cub_input(CubInput::values));
        const auto *values = static_cast<const std::uint32_t *>(cub_input(CubInput::indices));
        const auto *begins = offsets_.as<const std::uint32_t>();
        auto *out = out_.as<std::uint32_t>();
        if (by_segments_)
            return cub::DeviceSegmentedSort::StableSortPairsDescending(
                temporary, temporary_bytes, keys, out, values, out + n_, n_, count_, begins, begins + 1, cub_stream());
        return cub::DeviceSegmentedRadixSort::SortPairsDescending(temporary, temporary_bytes, keys, out, values,
                                                                  out + n_, n_, count_, begins, begins + 1, 0, 32,
                                                                  cub_stream());
    }

    int n_;
    int count_;
    bool by_segments_;
    DeviceMemory offsets_;
};

#if HAS_BATCHED_TOP_K
// Where row i of a matrix begins.
template <class T> struct RowAt {
    T *first;
    std::int64_t width;
    __host__ __device__ T *operator()(std::int64_t i) const
    {
        return first + i * width;
    }
};

template <class T> auto rows_of(T *first, std::int64_t width)
{
    return thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t{0}), RowAt<T>{first, width});
}

template <int length, int k> class BatchedCall final : public CubCall {
  public:
    explicit BatchedCall(std::size_t rows)
        : CubCall(rows * k * sizeof(std::uint32_t)), rows_(static_cast<std::int64_t>(rows))
    {
        prepare();
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        const auto wanted = cuda::execution::require(cuda::execution::determinism::not_guaranteed,
                                                     cuda::execution::tie_break::unspecified,
                                                     cuda::execution::output_ordering::unsorted);
        const auto environment = cuda::std::execution::env{cuda::stream_ref{cub_stream()}, wanted};
        return cub::DeviceBatchedTopK::MaxKeys(
            temporary, temporary_bytes,
            rows_of(static_cast<const std::uint32_t *>(cub_input(CubInput::values)), length),
            rows_of(out_.as<std::uint32_t>(), k), cuda::args::constant<length>{}, cuda::args::constant<k>{},
            cuda::args::immediate{rows_}, environment);
    }

    std::int64_t rows_;
};
#endif

} // namespace

std::unique_ptr<Device> cub_segmented_top_k(std::size_t n, bool by_segments, const Segments &segments)
{
    return std::make_unique<SortCall>(n, by_segments, segments);
}

std::unique_ptr<Device> cub_batched_top_k(std::size_t rows, std::size_t length, std::size_t k)
{
#if HAS_BATCHED_TOP_K
    if (length == 64 && k == 8)
        return std::make_unique<BatchedCall<64, 8>>(rows);
    if (length == 256 && k == 8)
        return std::make_unique<BatchedCall<256, 8>>(rows);
    if (length == 1024 && k == 10)
        return std::make_unique<BatchedCall<1024, 10>>(rows);
#else
    (void)rows, (void)length, (void)k;
#endif
    return nullptr;
}

} // namespace peers

// cub_scan.cu: cub::DeviceScan, the fastest scans known on NVIDIA hardware, and cub::DeviceSegmentedScan.
#include "cub_common.cuh"
#include "scan_peers.hpp"

#include <cub/cub.cuh>
#include <cuda/functional>
#if __has_include(<cub/device/device_segmented_scan.cuh>)
#define HAS_SEGMENTED_SCAN 1
#include <cub/device/device_segmented_scan.cuh>
#endif

#include <cstdint>

namespace peers {
namespace {

// T: of the elements, A: of the sums.
template <Scan scan, class T, class A, class Count> class ScanCall final : public CubCall {
  public:
    explicit ScanCall(Count n) : CubCall(static_cast<std::size_t>(n) * sizeof(A)), n_(n)
    {
        prepare();
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        const T *in = static_cast<const T *>(cub_input(CubInput::values));
        A *out = out_.as<A>();
        if constexpr (scan == Scan::exclusive_sum && std::is_same_v<T, A>) {
            return cub::DeviceScan::ExclusiveSum(temporary, temporary_bytes, in, out, n_, cub_stream());
        } else if constexpr (scan == Scan::exclusive_sum) { // ExclusiveSum would begin with a T
            return cub::DeviceScan::ExclusiveScan(temporary, temporary_bytes, in, out, cuda::std::plus<A>(), A(0), n_,
                                                  cub_stream());
        } else if constexpr (scan == Scan::inclusive_sum) {
            return cub::DeviceScan::InclusiveSum(temporary, temporary_bytes, in, out, n_, cub_stream());
        } else if constexpr (scan == Scan::inclusive_max) {
            return cub::DeviceScan::InclusiveScan(temporary, temporary_bytes, in, out, cuda::maximum<>(), n_,
                                                  cub_stream());
        } else {
            const auto *keys = static_cast<const std::int32_t *>(cub_input(CubInput::keys));
            return cub::DeviceScan::InclusiveSumByKey(temporary, temporary_bytes, keys, in, out, n_,
                                                      cuda::std::equal_to<>(), cub_stream());
        }
    }

    Count n_;
};

template <Scan scan, class T, class A = T> std::unique_ptr<Device> make(std::size_t n, bool wide)
{
    return with_count(n, wide, [](auto count) -> std::unique_ptr<Device> {
        return std::make_unique<ScanCall<scan, T, A, decltype(count)>>(count);
    });
}

#if HAS_SEGMENTED_SCAN
class SegmentedCall final : public CubCall {
  public:
    SegmentedCall(std::size_t n, const Segments &segments)
        : CubCall(n * sizeof(std::int32_t)), count_(static_cast<std::int64_t>(segments.count)),
          offsets_((segments.count + 1) * sizeof(std::uint32_t))
    {
        require(cudaMemcpy(offsets_.as<void>(), segments.offsets, (segments.count + 1) * sizeof(std::uint32_t),
                           cudaMemcpyHostToDevice),
                "cudaMemcpy");
        prepare();
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        const auto *in = static_cast<const std::int32_t *>(cub_input(CubInput::values));
        const auto *begins = offsets_.as<const std::uint32_t>();
        return cub::DeviceSegmentedScan::InclusiveSegmentedSum(temporary, temporary_bytes, in, out_.as<std::int32_t>(),
                                                               begins, begins + 1, count_, cub_stream());
    }

    std::int64_t count_;
    DeviceMemory offsets_;
};
#endif

} // namespace

std::unique_ptr<Device> cub_scan_by_offsets(std::size_t n, const Segments &segments)
{
#if HAS_SEGMENTED_SCAN
    return std::make_unique<SegmentedCall>(n, segments);
#else
    (void)n;
    (void)segments;
    return nullptr;
#endif
}

std::unique_ptr<Device> cub_scan(Scan scan, clprim_type type, std::size_t n, bool wide)
{
    if (scan == Scan::inclusive_max)
        return type == CLPRIM_F32 ? make<Scan::inclusive_max, float>(n, wide) : nullptr;
    if (scan == Scan::inclusive_sum)
        return type == CLPRIM_I32 ? make<Scan::inclusive_sum, std::int32_t>(n, wide) : nullptr;
    if (scan == Scan::sum_by_key)
        return type == CLPRIM_I32 ? make<Scan::sum_by_key, std::int32_t>(n, wide) : nullptr;
    switch (type) {
    case CLPRIM_I32: return make<Scan::exclusive_sum, std::int32_t>(n, wide);
    case CLPRIM_I64: return make<Scan::exclusive_sum, std::int64_t>(n, wide);
    case CLPRIM_U8: return make<Scan::exclusive_sum, std::uint8_t, std::uint32_t>(n, wide);
    case CLPRIM_F32: return make<Scan::exclusive_sum, float>(n, wide);
    case CLPRIM_F64: return make<Scan::exclusive_sum, double>(n, wide);
    default: return nullptr;
    }
}

} // namespace peers

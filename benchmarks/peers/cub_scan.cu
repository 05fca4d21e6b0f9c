// SPDX-License-Identifier: MIT
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
template <Scan scan, class T, class A = T> std::unique_ptr<Device> make(std::size_t n, bool wide)
{
    return cub_call<A>(n, n, wide, [](auto count, void *temporary, std::size_t &bytes, A *out) {
        const T *in = cub_input<T>();
        if constexpr (scan == Scan::exclusive_sum && std::is_same_v<T, A>) {
            return cub::DeviceScan::ExclusiveSum(temporary, bytes, in, out, count, cub_stream());
        } else if constexpr (scan == Scan::exclusive_sum) { // ExclusiveSum would begin with a T
            return cub::DeviceScan::ExclusiveScan(temporary, bytes, in, out, cuda::std::plus<A>(), A(0), count,
                                                  cub_stream());
        } else if constexpr (scan == Scan::inclusive_sum) {
            return cub::DeviceScan::InclusiveSum(temporary, bytes, in, out, count, cub_stream());
        } else if constexpr (scan == Scan::inclusive_max) {
            return cub::DeviceScan::InclusiveScan(temporary, bytes, in, out, cuda::maximum<>(), count, cub_stream());
        } else {
            const auto *keys = cub_input<std::int32_t>(CubInput::keys);
            return cub::DeviceScan::InclusiveSumByKey(temporary, bytes, keys, in, out, count, cuda::std::equal_to<>(),
                                                      cub_stream());
        }
    });
}

} // namespace

std::unique_ptr<Device> cub_scan_by_offsets(std::size_t n, const Segments &segments)
{
#if HAS_SEGMENTED_SCAN
    return cub_call<std::int32_t>(
        n, [count = static_cast<std::int64_t>(segments.count),
            offsets = offsets_of(segments)](void *temporary, std::size_t &bytes, std::int32_t *out) {
            const auto *begins = offsets.as<const std::uint32_t>();
            return cub::DeviceSegmentedScan::InclusiveSegmentedSum(temporary, bytes, cub_input<std::int32_t>(), out,
                                                                   begins, begins + 1, count, cub_stream());
        });
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

// SPDX-License-Identifier: MIT
// scan_peers.hpp: scans by others, to compare with. Each gives what clPRIM gives; what a peer is not timed with is
// nullptr. Types: I32 I64 U8 F32 F64; the sums of U8 are U32, those of others of the same type (integers wrap).
#ifndef CLPRIM_BENCHMARKS_SCAN_PEERS_HPP
#define CLPRIM_BENCHMARKS_SCAN_PEERS_HPP

#include "peer.hpp"
#include "segmented_sort_peers.hpp"

#include <cstdint>

namespace peers {

enum class Scan {
    exclusive_sum,
    inclusive_sum,
    inclusive_max, // of F32
    sum_by_key,    // inclusive, of I32, where keys that are equal and side by side make a segment
    sum_by_offsets // inclusive, of I32; functions of their own
};

// On the host; returns when the result is in *out. keys: for sum_by_key.
using HostScan = void (*)(void *out, const void *in, const std::int32_t *keys, std::size_t n);

HostScan c_scan(Scan scan, clprim_type type);       // a plain loop
HostScan std_scan(Scan scan, clprim_type type);     // std::exclusive_scan, std::inclusive_scan
HostScan std_par_scan(Scan scan, clprim_type type); // the same with std::execution::par_unseq; nullptr without TBB

// boost::compute::exclusive_scan, inclusive_scan. Neither U8, whose sums it keeps as U8, nor by key.
std::unique_ptr<Device> boost_compute_scan(const BoostTarget &target, Scan scan, clprim_type type, std::size_t n);

// cub::DeviceScan over the first n elements of its input; wide: the count is handed over as a size_t, else as an int.
std::unique_ptr<Device> cub_scan(Scan scan, clprim_type type, std::size_t n, bool wide);

// Inclusive sums of I32 by segments that cover the array: a plain loop.
void c_scan_by_offsets(void *out, const void *in, const Segments &segments);

// cub::DeviceSegmentedScan, which newer versions have (before: nullptr). The offsets are copied.
std::unique_ptr<Device> cub_scan_by_offsets(std::size_t n, const Segments &segments);

} // namespace peers

#endif

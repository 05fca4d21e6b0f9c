// SPDX-License-Identifier: MIT
// histogram_peers.hpp: histograms by others, to compare with. Each gives what clPRIM gives, as 32-bit counters; what a
// peer is not timed with is nullptr. Bins are of one width: of U8 (256 or 64) and U16 (65536) over all values of the
// type, of F32 (256 or 65536) over [-0.5, 0.5).
#ifndef CLPRIM_BENCHMARKS_HISTOGRAM_PEERS_HPP
#define CLPRIM_BENCHMARKS_HISTOGRAM_PEERS_HPP

#include "peer.hpp"

namespace peers {

// On the host; returns when the result is in *out.
using HostHistogram = void (*)(void *out, const void *in, std::size_t n);

HostHistogram c_histogram(clprim_type type, std::size_t bins);   // a plain loop
HostHistogram tbb_histogram(clprim_type type, std::size_t bins); // tbb::parallel_for; nullptr without TBB

// cub::DeviceHistogram::HistogramEven over the first n elements of its input; wide: the count is handed over as an
// int64_t, else as an int.
std::unique_ptr<Device> cub_histogram(clprim_type type, std::size_t bins, std::size_t n, bool wide);

} // namespace peers

#endif

// SPDX-License-Identifier: MIT
// segmented_reduce_peers.hpp: folds of segments by others, to compare with: one element for each segment. What a peer is
// not timed with is nullptr. I32 and I64 with SUM (integers wrap); F32 with SUM or MIN.
#ifndef CLPRIM_BENCHMARKS_SEGMENTED_REDUCE_PEERS_HPP
#define CLPRIM_BENCHMARKS_SEGMENTED_REDUCE_PEERS_HPP

#include "peer.hpp"
#include "segmented_sort_peers.hpp"

namespace peers {

// On the host; returns when the results are in out.
using HostSegmentedReduce = void (*)(void *out, const void *in, const Segments &segments);

HostSegmentedReduce c_segmented_reduce(clprim_type type, clprim_op op); // plain loops
HostSegmentedReduce std_segmented_reduce(clprim_type type,
                                         clprim_op op); // std::transform_reduce, segment after segment
HostSegmentedReduce tbb_segmented_reduce(clprim_type type,
                                         clprim_op op); // tbb::parallel_for over the segments, or nullptr

// cub::DeviceSegmentedReduce of its input, which gives each segment a block. The offsets are copied.
std::unique_ptr<Device> cub_segmented_reduce(clprim_type type, clprim_op op, const Segments &segments);

} // namespace peers

#endif

// SPDX-License-Identifier: MIT
// partition_peers.hpp: partitions by others, to compare with. Elements are of I32. What a peer is not timed with is
// nullptr.
#ifndef CLPRIM_BENCHMARKS_PARTITION_PEERS_HPP
#define CLPRIM_BENCHMARKS_PARTITION_PEERS_HPP

#include "peer.hpp"

#include <cstdint>

namespace peers {

enum class Partition {
    reversed, // the elements less than a limit, and from the end of the output backwards the others
    flagged,  // the same of those with a flag that is not 0
    stable,   // the elements less than a limit, and then the others
    separate, // the same, the others from element n of the output on
    three     // the elements less than a limit; from element n on those less than another one; from 2n on the others
};

struct PartitionLimits {
    std::int32_t first, second;
};

// On the host; returns the number of elements in the first part.
using HostPartition = std::size_t (*)(void *out, const void *in, const std::uint8_t *flags, std::size_t n,
                                      PartitionLimits limits);

HostPartition c_partition(Partition partition);       // a plain loop
HostPartition std_partition(Partition partition);     // std::partition_copy, std::stable_partition on a copy
HostPartition std_par_partition(Partition partition); // the same with std::execution::par_unseq; nullptr without TBB

// cub::DevicePartition on the first n elements of its input; for a stable partition with a kernel behind it that reverses
// the others in place. It has none into two separate arrays. wide: the count is handed over as a size_t, else as an int.
std::unique_ptr<Device> cub_partition(Partition partition, std::size_t n, PartitionLimits limits, bool wide);

} // namespace peers

#endif

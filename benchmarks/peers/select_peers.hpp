// SPDX-License-Identifier: MIT
// select_peers.hpp: selections by others, to compare with. They keep the order of what is selected. What a peer is not
// timed with is nullptr. Types: I32, and for Select::below also F32.
#ifndef CLPRIM_BENCHMARKS_SELECT_PEERS_HPP
#define CLPRIM_BENCHMARKS_SELECT_PEERS_HPP

#include "peer.hpp"

#include <cstdint>

namespace peers {

enum class Select {
    below,  // the elements less than `limit`
    flagged // those with a flag that is not 0
};

// On the host; returns the number of elements selected when they are in out.
using HostSelect = std::size_t (*)(void *out, const void *in, const std::uint8_t *flags, std::size_t n, double limit);

HostSelect c_select(Select select, clprim_type type);       // a plain loop
HostSelect std_select(Select select, clprim_type type);     // std::copy_if; none by flags
HostSelect std_par_select(Select select, clprim_type type); // the same with std::execution::par_unseq; nullptr w/o TBB

// boost::compute::copy_if; not by flags. It hands the count to the host, so start() blocks.
std::unique_ptr<Device> boost_compute_select(const BoostTarget &target, Select select, clprim_type type, std::size_t n,
                                             double limit);

// cub::DeviceSelect on the first n elements of its input. It takes the count as a size_t only (wide).
std::unique_ptr<Device> cub_select(Select select, clprim_type type, std::size_t n, double limit, bool wide);

} // namespace peers

#endif

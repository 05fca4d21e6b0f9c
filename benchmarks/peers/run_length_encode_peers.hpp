// SPDX-License-Identifier: MIT
// run_length_encode_peers.hpp: runs and their lengths by others, to compare with. Elements and lengths are of U32; n
// elements from the beginning of the output on are the runs', the next n their lengths.
#ifndef CLPRIM_BENCHMARKS_RUN_LENGTH_ENCODE_PEERS_HPP
#define CLPRIM_BENCHMARKS_RUN_LENGTH_ENCODE_PEERS_HPP

#include "peer.hpp"

namespace peers {

// A plain loop on the host; returns the number of runs. The C++ standard library has nothing for it.
std::size_t c_run_length_encode(void *out, const void *in, std::size_t n);

// cub::DeviceRunLengthEncode::Encode on the first n elements of its input.
std::unique_ptr<Device> cub_run_length_encode(std::size_t n, bool wide);

// Runs of 2 and more elements: n elements from the beginning of the output on are their offsets, the next n their
// lengths; there is room for n more. A plain loop; cub::DeviceRunLengthEncode::NonTrivialRuns.
std::size_t c_non_trivial_runs(void *out, const void *in, std::size_t n);
std::unique_ptr<Device> cub_non_trivial_runs(std::size_t n, bool wide);

} // namespace peers

#endif

// SPDX-License-Identifier: MIT
// cub_run_length_encode.cu: cub::DeviceRunLengthEncode::Encode and NonTrivialRuns.
#include "cub_common.cuh"
#include "run_length_encode_peers.hpp"

#include <cub/cub.cuh>

#include <cstdint>

namespace peers {

std::unique_ptr<Device> cub_non_trivial_runs(std::size_t n, bool wide)
{
    return cub_call<std::uint32_t>(
        3 * n, n, wide, [](auto count, void *temporary, std::size_t &bytes, std::uint32_t *out, std::uint64_t *runs) {
            return cub::DeviceRunLengthEncode::NonTrivialRuns(temporary, bytes, cub_input<std::uint32_t>(), out,
                                                              out + count, runs, count, cub_stream());
        });
}

std::unique_ptr<Device> cub_run_length_encode(std::size_t n, bool wide)
{
    return cub_call<std::uint32_t>(
        2 * n, n, wide, [](auto count, void *temporary, std::size_t &bytes, std::uint32_t *out, std::uint64_t *runs) {
            return cub::DeviceRunLengthEncode::Encode(temporary, bytes, cub_input<std::uint32_t>(), out, out + count,
                                                      runs, count, cub_stream());
        });
}

} // namespace peers

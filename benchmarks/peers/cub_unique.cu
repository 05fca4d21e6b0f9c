// SPDX-License-Identifier: MIT
// cub_unique.cu: cub::DeviceSelect::Unique and UniqueByKey.
#include "cub_common.cuh"
#include "unique_peers.hpp"

#include <cub/cub.cuh>

#include <cstdint>

namespace peers {

std::unique_ptr<Device> cub_unique_by_key(std::size_t n, bool wide)
{
    return cub_call<std::uint32_t>(
        2 * n, n, wide, [](auto count, void *temporary, std::size_t &bytes, std::uint32_t *out, std::uint64_t *runs) {
            return cub::DeviceSelect::UniqueByKey(temporary, bytes, cub_input<std::uint32_t>(),
                                                  cub_input<std::uint32_t>(CubInput::indices), out, out + count, runs,
                                                  count, cub_stream());
        });
}

std::unique_ptr<Device> cub_unique(std::size_t n, bool wide)
{
    if (!wide) // DeviceSelect takes its count as int64_t only
        return nullptr;
    return cub_call<std::uint32_t>(n, [=](void *temporary, std::size_t &bytes, auto *out, std::uint64_t *runs) {
        return cub::DeviceSelect::Unique(temporary, bytes, cub_input<std::uint32_t>(), out, runs,
                                         static_cast<std::int64_t>(n), cub_stream());
    });
}

} // namespace peers

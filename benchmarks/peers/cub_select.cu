// SPDX-License-Identifier: MIT
// cub_select.cu: cub::DeviceSelect, the fastest selections known on NVIDIA hardware.
#include "cub_common.cuh"
#include "select_peers.hpp"

#include <cub/cub.cuh>

#include <cstdint>

namespace peers {
namespace {

template <class T> struct Below {
    T limit;
    __host__ __device__ bool operator()(const T &value) const
    {
        return value < limit;
    }
};

} // namespace

std::unique_ptr<Device> cub_select(Select select, clprim_type type, std::size_t n, double limit, bool wide)
{
    if (!wide) // DeviceSelect takes its count as int64_t only
        return nullptr;
    if (select == Select::below)
        return for_type<float, std::int32_t>(type, [=](auto zero) {
            using T = decltype(zero);
            const auto below = Below<T>{static_cast<T>(limit)};
            return cub_call<T>(n, [=](void *temporary, std::size_t &bytes, T *out, std::uint64_t *count) {
                return cub::DeviceSelect::If(temporary, bytes, cub_input<T>(), out, count, n, below, cub_stream());
            });
        });
    if (type != CLPRIM_I32)
        return nullptr;
    return cub_call<std::int32_t>(n, [=](void *temporary, std::size_t &bytes, auto *out, std::uint64_t *count) {
        return cub::DeviceSelect::Flagged(temporary, bytes, cub_input<std::int32_t>(),
                                          cub_input<std::uint8_t>(CubInput::flags), out, count, n, cub_stream());
    });
}

} // namespace peers

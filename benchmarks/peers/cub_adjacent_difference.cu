// SPDX-License-Identifier: MIT
// cub_adjacent_difference.cu: cub::DeviceAdjacentDifference::SubtractLeftCopy.
#include "cub_common.cuh"

#include <cub/cub.cuh>

#include <cstdint>

namespace peers {
namespace {

template <class T, class R> std::unique_ptr<Device> make(std::size_t n, bool wide)
{
    return cub_call<R>(n, n, wide, [](auto count, void *temporary, std::size_t &bytes, R *out) {
        return cub::DeviceAdjacentDifference::SubtractLeftCopy(temporary, bytes, cub_input<T>(), out, count,
                                                               cuda::std::minus<R>(), cub_stream());
    });
}

} // namespace

std::unique_ptr<Device> cub_adjacent_difference(clprim_type type, std::size_t n, bool wide)
{
    switch (type) {
    case CLPRIM_U32: return make<std::uint32_t, std::uint32_t>(n, wide);
    case CLPRIM_U64: return make<std::uint64_t, std::uint64_t>(n, wide);
    case CLPRIM_U8: return make<std::uint8_t, std::int16_t>(n, wide);
    default: return nullptr;
    }
}

} // namespace peers

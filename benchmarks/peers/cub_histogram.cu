// SPDX-License-Identifier: MIT
// cub_histogram.cu: cub::DeviceHistogram, NVIDIA's histograms.
#include "cub_common.cuh"
#include "histogram_peers.hpp"

#include <cub/cub.cuh>

#include <cstdint>

namespace peers {
namespace {

// The levels are int, since the upper one is no value of an integer's own type.
template <class T> std::unique_ptr<Device> make(std::size_t bins, std::size_t n, bool wide)
{
    constexpr bool whole = std::is_integral_v<T>;
    using Level = std::conditional_t<whole, int, T>;
    constexpr Level lower = whole ? 0 : Level(-0.5);
    constexpr Level upper = whole ? Level(1 << (8 * sizeof(T) % 32)) : Level(0.5);
    return cub_call<std::uint32_t>(
        bins, n, wide, [=](auto count, void *temporary, std::size_t &bytes, std::uint32_t *out) {
            // CUB wants a signed type, and itself goes over to int where the input is smaller than 2 GiB
            return cub::DeviceHistogram::HistogramEven(
                temporary, bytes, cub_input<T>(), out, static_cast<int>(bins) + 1, lower, upper,
                static_cast<std::make_signed_t<decltype(count)>>(count), cub_stream());
        });
}

} // namespace

std::unique_ptr<Device> cub_histogram(clprim_type type, std::size_t bins, std::size_t n, bool wide)
{
    return for_type<std::uint8_t, std::uint16_t, float>(type,
                                                        [=](auto zero) { return make<decltype(zero)>(bins, n, wide); });
}

} // namespace peers

// SPDX-License-Identifier: MIT
// cub_bitonic_sort.cu: cub::DeviceMergeSort, which sorts by comparisons as clPRIM's bitonic sort does.
//
// SortKeysCopy and StableSortKeysCopy are the same kernels: there is one row for both. Those that sort in place copy
// the elements into temporary storage, too.
#include "bitonic_sort_peers.hpp"
#include "cub_common.cuh"

#include <cub/cub.cuh>

#include <cstdint>

namespace peers {

std::unique_ptr<Device> cub_merge_sort(clprim_type type, bool pairs, std::size_t n, bool wide)
{
    using cub::DeviceMergeSort;
    if (pairs && type != CLPRIM_U32)
        return nullptr;
    if (pairs)
        return cub_call<std::uint32_t>(2 * n, n, wide, [](auto count, void *temporary, std::size_t &bytes, auto *out) {
            return DeviceMergeSort::SortPairsCopy(temporary, bytes, cub_input<std::uint32_t>(),
                                                  cub_input<std::uint32_t>(CubInput::indices), out, out + count, count,
                                                  Less(), cub_stream());
        });
    return for_type<std::uint32_t, std::uint64_t, float>(type, [=](auto zero) {
        using T = decltype(zero);
        return cub_call<T>(n, n, wide, [](auto count, void *temporary, std::size_t &bytes, T *out) {
            return DeviceMergeSort::SortKeysCopy(temporary, bytes, cub_input<T>(), out, count, Less(), cub_stream());
        });
    });
}

} // namespace peers

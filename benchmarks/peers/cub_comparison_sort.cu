// SPDX-License-Identifier: MIT
// cub_comparison_sort.cu: cub::DeviceMergeSort of records. SortKeysCopy and StableSortKeysCopy are the same kernels:
// there is one row for both.
#include "comparison_sort_peers.hpp"
#include "cub_common.cuh"

#include <cub/cub.cuh>

namespace peers {
namespace {

struct KeyLess {
    __device__ bool operator()(const Record &a, const Record &b) const
    {
        return a.key < b.key;
    }
};

} // namespace

std::unique_ptr<Device> cub_merge_sort_records(std::size_t n, bool wide)
{
    return cub_call<Record>(n, n, wide, [](auto count, void *temporary, std::size_t &bytes, Record *out) {
        return cub::DeviceMergeSort::SortKeysCopy(temporary, bytes, cub_input<Record>(), out, count, KeyLess(),
                                                  cub_stream());
    });
}

} // namespace peers

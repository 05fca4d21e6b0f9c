// SPDX-License-Identifier: MIT
// std_sort_by_key.cpp: the C++ standard library's stable sort of indices on the host, and TBB's on all cores. Neither
// has a sort of several sequences.
#include "sort_by_key_peers.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#if CLPRIM_BENCH_HAVE_TBB
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>
#endif

namespace peers {
namespace {

// Elements [begin, end) of the output.
void gather(std::uint32_t *out, const std::uint32_t *keys, const std::uint32_t *in, Arrays arrays, std::size_t n,
            const std::uint32_t *order, std::size_t begin, std::size_t end)
{
    for (std::size_t a = 0; a < arrays.count; a++) {
        const std::uint32_t *const from = in + a * n * arrays.words;
        std::uint32_t *const to = out + a * n * arrays.words;
        for (std::size_t i = begin; i < end; i++)
            std::memcpy(to + i * arrays.words, from + order[i] * arrays.words, arrays.words * sizeof *to);
    }
    for (std::size_t i = begin; i < end; i++)
        out[arrays.count * n * arrays.words + i] = keys[order[i]];
}

void sort_stable(std::uint32_t *out, const std::uint32_t *keys, const std::uint32_t *in, Arrays arrays, std::size_t n)
{
    const std::unique_ptr<std::uint32_t[]> order(new std::uint32_t[n]);
    std::iota(order.get(), order.get() + n, 0U);
    std::stable_sort(order.get(), order.get() + n,
                     [keys](std::uint32_t i, std::uint32_t j) { return keys[i] < keys[j]; });
    gather(out, keys, in, arrays, n, order.get(), 0, n);
}

#if CLPRIM_BENCH_HAVE_TBB
void sort_parallel(std::uint32_t *out, const std::uint32_t *keys, const std::uint32_t *in, Arrays arrays, std::size_t n)
{
    const std::unique_ptr<std::uint32_t[]> order(new std::uint32_t[n]);
    std::iota(order.get(), order.get() + n, 0U);
    tbb::parallel_sort(order.get(), order.get() + n, [keys](std::uint32_t i, std::uint32_t j) {
        return keys[i] < keys[j] || (keys[i] == keys[j] && i < j);
    });
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n), [&](const tbb::blocked_range<std::size_t> &range) {
        gather(out, keys, in, arrays, n, order.get(), range.begin(), range.end());
    });
}
#endif

} // namespace

HostSortByKey std_stable_sort_by_key()
{
    return sort_stable;
}

HostSortByKey tbb_sort_by_key()
{
#if CLPRIM_BENCH_HAVE_TBB
    return sort_parallel;
#else
    return nullptr;
#endif
}

} // namespace peers

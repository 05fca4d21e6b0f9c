// SPDX-License-Identifier: MIT
// std_histogram.cpp: histograms on the host: a plain loop, and the same on all cores with TBB. The C++ standard library
// has none.
#include "histogram_peers.hpp"

#include <algorithm>
#include <cstdint>

#if CLPRIM_BENCH_HAVE_TBB
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <vector>
#endif

namespace peers {
namespace {

template <class T, unsigned shift> struct ByValue {
    using Element = T;
    static constexpr std::size_t bins = (std::size_t{1} << (8 * sizeof(T))) >> shift;
    static void count(std::uint32_t *table, T x)
    {
        table[x >> shift]++;
    }
};

template <int how_many> struct Even {
    using Element = float;
    static constexpr std::size_t bins = how_many;
    static void count(std::uint32_t *table, float x)
    {
        if (x >= -0.5F && x < 0.5F)
            table[std::min(static_cast<int>((x + 0.5F) * how_many), how_many - 1)]++;
    }
};

template <class Bins> void plain(void *out, const void *in, std::size_t n)
{
    const auto *x = static_cast<const typename Bins::Element *>(in);
    std::uint32_t *table = static_cast<std::uint32_t *>(out);
    std::fill_n(table, Bins::bins, 0);
    for (std::size_t i = 0; i < n; i++)
        Bins::count(table, x[i]);
}

#if CLPRIM_BENCH_HAVE_TBB
// A table for each thread, added up in the end.
template <class Bins> void with_tbb(void *out, const void *in, std::size_t n)
{
    using Range = tbb::blocked_range<std::size_t>;
    using Table = std::vector<std::uint32_t>;
    constexpr std::size_t elements_grain = 16384;
    constexpr std::size_t bins_grain = 4096;
    const auto *x = static_cast<const typename Bins::Element *>(in);
    std::uint32_t *y = static_cast<std::uint32_t *>(out);
    tbb::enumerable_thread_specific<Table> tables([] { return Table(Bins::bins); });
    tbb::parallel_for(Range(0, n, elements_grain), [&](const Range &range) {
        std::uint32_t *const table = tables.local().data();
        for (std::size_t i = range.begin(); i < range.end(); i++)
            Bins::count(table, x[i]);
    });
    tbb::parallel_for(Range(0, Bins::bins, bins_grain), [&](const Range &range) {
        std::fill(y + range.begin(), y + range.end(), 0);
        for (const Table &table : tables)
            for (std::size_t bin = range.begin(); bin < range.end(); bin++)
                y[bin] += table[bin];
    });
}
#endif

// count(Bins()) counts into such bins.
template <class Count> HostHistogram pick(clprim_type type, std::size_t bins, const Count &count)
{
    if (type == CLPRIM_U8 && bins == 256)
        return count(ByValue<std::uint8_t, 0>());
    if (type == CLPRIM_U8 && bins == 64)
        return count(ByValue<std::uint8_t, 2>());
    if (type == CLPRIM_U16 && bins == 65536)
        return count(ByValue<std::uint16_t, 0>());
    if (type == CLPRIM_F32 && bins == 256)
        return count(Even<256>());
    if (type == CLPRIM_F32 && bins == 65536)
        return count(Even<65536>());
    return nullptr;
}

} // namespace

HostHistogram c_histogram(clprim_type type, std::size_t bins)
{
    return pick(type, bins, [](auto how) -> HostHistogram { return plain<decltype(how)>; });
}

HostHistogram tbb_histogram(clprim_type type, std::size_t bins)
{
#if CLPRIM_BENCH_HAVE_TBB
    return pick(type, bins, [](auto how) -> HostHistogram { return with_tbb<decltype(how)>; });
#else
    (void)type, (void)bins;
    return nullptr;
#endif
}

} // namespace peers

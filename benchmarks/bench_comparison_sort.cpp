// SPDX-License-Identifier: MIT
// bench_comparison_sort.cpp: sorts by comparisons, every variant of them, beside those of others.
#include "peers/comparison_sort_peers.hpp"
#include "peers/vqsort.hpp"
#include "sort_suite.hpp"

#include <clprim/comparison_sort.h>

namespace {

using bench::Content;
using bench::Values;

struct Operation : bench::Sort {
    bool stable; // as the description says it
    bool ladder; // every variant that can do it, not AUTO alone

    bool of_records() const
    {
        return words > 1;
    }
};

// By type, since Inputs holds one at a time. All in an order given as text, without which AUTO would not compare at
// all.
const Operation OPERATIONS[] = {
    {{"comparison_sort", CLPRIM_U32}, false, true},
    {{"comparison_sort_stable", CLPRIM_U32}, true, true},
    {{"comparison_sort_pairs", CLPRIM_U32, Values::indices}, false, true},
    {{"comparison_sort_custom", CLPRIM_U32, Values::none, sizeof(peers::Record) / sizeof(cl_uint)}, false, false},
    {{"comparison_sort", CLPRIM_F32}, false, false},
    {{"comparison_sort", CLPRIM_U64}, false, false},
};

const std::vector<int> KEYS_SIZES = {10, 12, 14, 16, 18, 20, 22, 24, 26, 28};
const std::vector<int> LADDER_SIZES = {12, 16, 20, 24};

class ComparisonSortSuite : bench::SortSuite {
  public:
    using SortSuite::SortSuite;
    void add(const Operation &operation);

  private:
    Bind bind(const Operation &operation, std::size_t n);
    void add_peers(const bench::Work &work, const Operation &operation);
};

bench::Suite::Bind ComparisonSortSuite::bind(const Operation &operation, std::size_t n)
{
    return [=, this](cl_mem out, int variant) {
        clprim_comparison_sort_desc desc{};
        desc.key_type = operation.type;
        if (variant != CLPRIM_COMPARISON_SORT_RADIX)
            desc.less = operation.of_records() ? "a.key < b.key" : "a < b";
        if (operation.of_records()) {
            desc.text.source = "typedef struct { uint key, other[3]; } record;";
            desc.type_name = "record";
            desc.type_size = sizeof(peers::Record);
        }
        desc.stable = operation.stable;
        desc.value_size = operation.has_values() ? operation.key_size() : 0;
        desc.max_count = n;
        return enqueue(clprim_comparison_sort_operation, variant, desc,
                       call_of<clprim_comparison_sort_call>(operation, n, out));
    };
}

void ComparisonSortSuite::add_peers(const bench::Work &work, const Operation &operation)
{
    const clprim_type type = work.type;
    const std::size_t n = work.n;
    const bool pairs = operation.has_values();
    const bool records = operation.of_records();
    if constexpr (bench::HAVE_CUB)
        add_cub(
            work,
            [=](bool wide) {
                return records ? peers::cub_merge_sort_records(n, wide) : peers::cub_merge_sort(type, pairs, n, wide);
            },
            pairs ? Content::indices : Content::values);
    if constexpr (bench::HAVE_BOOST_COMPUTE)
        if (!pairs && !records)
            add_boost_compute(work,
                              [=](const auto &target) { return peers::boost_compute_merge_sort(target, type, n); });
    if (n > bench::MAX_SORTED_ON_HOST)
        return;
    if (pairs)
        add_host_pairs(work, {{"std", peers::std_sort_pairs()}, {"std_stable", peers::std_stable_sort_pairs()}});
    else
        add_host_keys(work,
                      {{"std_par", records ? peers::tbb_sort_records() : peers::tbb_sort(type), "tbb::parallel_sort"},
                       {"vqsort", records ? nullptr : peers::vqsort(type)},
                       {"std", records ? peers::std_sort_records() : peers::std_sort(type)},
                       {"std_stable", records ? peers::std_stable_sort_records() : peers::std_stable_sort(type)}});
}

void ComparisonSortSuite::add(const Operation &operation)
{
    const auto sizes = [&](const std::vector<int> &logs) {
        // The output in one piece; and all arrays together, scratch memory among them.
        return session_.sizes(logs, operation.out_size(), 3 * operation.out_size());
    };
    for (const std::size_t n : sizes(session_.quick() ? bench::FEW_SIZES : KEYS_SIZES)) {
        add_auto(work(operation, n), bind(operation, n));
        add_peers(work(operation, n), operation);
    }
    if (operation.ladder)
        for (const std::size_t n : sizes(session_.quick() ? bench::QUICK_LADDER : LADDER_SIZES))
            add_variants(work(operation, n), clprim_comparison_sort_operation, bind(operation, n),
                         [&](const auto &variant) { return !operation.stable || variant.keeps_order; });
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run<ComparisonSortSuite>(argc, argv, "comparison_sort", OPERATIONS);
}

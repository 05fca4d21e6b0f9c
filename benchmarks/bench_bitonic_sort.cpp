// SPDX-License-Identifier: MIT
// bench_bitonic_sort.cpp: bitonic sorts by clPRIM, every variant of them, beside sorts by comparisons of others.
#include "peers/bitonic_sort_peers.hpp"
#include "peers/vqsort.hpp"
#include "sort_suite.hpp"

#include <clprim/bitonic_sort.h>

namespace {

using bench::Content;
using bench::Values;

struct Operation : bench::Sort {
    const char *less; // the same order, but as the caller's text: nothing is known about it
    bool ladder;      // every variant, not AUTO alone
};

// By type, since Inputs holds one at a time.
const Operation OPERATIONS[] = {
    {{"bitonic_sort", CLPRIM_U32}, nullptr, true},
    {{"bitonic_sort_pairs", CLPRIM_U32, Values::indices}, nullptr, true},
    {{"bitonic_sort_custom", CLPRIM_U32}, "a < b", false},
    {{"bitonic_sort", CLPRIM_F32}, nullptr, false},
    {{"bitonic_sort", CLPRIM_U64}, nullptr, false},
};

const std::vector<int> KEYS_SIZES = {10, 12, 14, 16, 18, 20, 22, 24, 26, 28};
const std::vector<int> LADDER_SIZES = {10, 12, 16, 20, 24}; // the first two for the variant of one work-group

class BitonicSortSuite : bench::SortSuite {
  public:
    using SortSuite::SortSuite;
    void add(const Operation &operation);

  private:
    Bind bind(const Operation &operation, std::size_t n);
    void add_peers(const bench::Work &work, bool pairs);
};

bench::Suite::Bind BitonicSortSuite::bind(const Operation &operation, std::size_t n)
{
    return [=, this](cl_mem out, int variant) {
        const clprim_bitonic_sort_desc desc{.key_type = operation.type,
                                            .less = operation.less,
                                            .value_size = operation.has_values() ? operation.key_size() : 0,
                                            .max_count = n};
        return enqueue(clprim_bitonic_sort_operation, variant, desc,
                       call_of<clprim_bitonic_sort_call>(operation, n, out));
    };
}

void BitonicSortSuite::add_peers(const bench::Work &work, bool pairs)
{
    const clprim_type type = work.type;
    const std::size_t n = work.n;
    if constexpr (bench::HAVE_CUB)
        add_cub(
            work, [=](bool wide) { return peers::cub_merge_sort(type, pairs, n, wide); },
            pairs ? Content::indices : Content::values);
    if constexpr (bench::HAVE_BOOST_COMPUTE)
        if (!pairs)
            add_boost_compute(work,
                              [=](const auto &target) { return peers::boost_compute_merge_sort(target, type, n); });
    if (n > bench::MAX_SORTED_ON_HOST)
        return;
    if (pairs)
        add_host_pairs(work, {{"std", peers::std_sort_pairs()}, {"std_stable", peers::std_stable_sort_pairs()}});
    else
        add_host_keys(work, {{"std_par", peers::tbb_sort(type), "tbb::parallel_sort"},
                             {"vqsort", peers::vqsort(type)},
                             {"std", peers::std_sort(type)},
                             {"std_stable", peers::std_stable_sort(type)}});
}

void BitonicSortSuite::add(const Operation &operation)
{
    const auto sizes = [&](const std::vector<int> &logs) {
        // The output in one piece; and all arrays together: there is no scratch memory.
        return session_.sizes(logs, operation.out_size(), 2 * operation.out_size());
    };
    for (const std::size_t n : sizes(session_.quick() ? bench::FEW_SIZES : KEYS_SIZES)) {
        add_auto(work(operation, n), bind(operation, n));
        add_peers(work(operation, n), operation.has_values());
    }
    if (operation.ladder)
        for (const std::size_t n : sizes(session_.quick() ? bench::QUICK_LADDER : LADDER_SIZES))
            add_variants(work(operation, n), clprim_bitonic_sort_operation, bind(operation, n));
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run<BitonicSortSuite>(argc, argv, "bitonic_sort", OPERATIONS);
}

// SPDX-License-Identifier: MIT
// bench_radix_sort.cpp: radix sorts by clPRIM, every variant of them, and by others.
#include "peers/radix_sort_peers.hpp"
#include "peers/vqsort.hpp"
#include "sort_suite.hpp"

#include <clprim/radix_sort.h>
#include <clprim/reference.h>

#include <cstring>

namespace {

using bench::Content;
using bench::Values;

struct Operation : bench::Sort {
    bool ladder = false; // every variant, not AUTO alone
};

constexpr Operation keys(clprim_type type, const char *distribution = "uniform", Content content = Content::values)
{
    return {{"radix_sort_keys", type, Values::none, 1, true, distribution, content}, false};
}

// By type and content, since Inputs holds one of each at a time.
const Operation OPERATIONS[] = {
    {{"radix_sort_keys", CLPRIM_U32, Values::none, 1, true}, true},
    {{"radix_sort_pairs", CLPRIM_U32, Values::indices, 1, true}},
    {{"radix_sort_argsort", CLPRIM_U32, Values::made_indices, 1, true}},
    keys(CLPRIM_U32, "constant", Content::constant),
    keys(CLPRIM_U32, "few", Content::few),
    keys(CLPRIM_U32, "range16", Content::range16),
    keys(CLPRIM_U32, "and3", Content::and3),
    keys(CLPRIM_U32, "ascending", Content::ascending),
    keys(CLPRIM_F32),
    keys(CLPRIM_U64),
    {{"radix_sort_pairs", CLPRIM_U64, Values::indices, 1, true}},
    keys(CLPRIM_U8),
    keys(CLPRIM_BF16),
    keys(CLPRIM_U128),
};

const std::vector<int> KEYS_SIZES = {10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30};
const std::vector<int> LADDER_SIZES = {10, 12, 16, 20, 24, 28}; // the first two for the variant of one work-group
const std::vector<int> SKEWED_SIZES = {24, 28};
const std::vector<int> QUICK_SKEWED_SIZES = {28};
constexpr std::size_t MAX_OF_REFERENCE = std::size_t{1} << 24;

class RadixSortSuite : bench::SortSuite {
  public:
    using SortSuite::SortSuite;
    void add(const Operation &operation);

  private:
    bench::Work work(const Operation &operation, std::size_t n);
    Bind bind(const Operation &operation, std::size_t n);
    void add_peers(const bench::Work &work, bool pairs);
    std::vector<unsigned char> expected(const Operation &operation, std::size_t n);

    bench::Last<std::vector<unsigned char>> expected_;
};

// The reference's keys and then values.
std::vector<unsigned char> RadixSortSuite::expected(const Operation &operation, std::size_t n)
{
    const std::size_t size = operation.key_size();
    std::vector<unsigned char> made(n * operation.out_size());
    std::memcpy(made.data(), session_.inputs(operation.content).host(operation.type, n), n * size);
    clprim_reference_sort_how how{};
    how.key_type = operation.type;
    how.value_size = operation.has_values() ? size : 0;
    how.argsort = operation.has_values(); // that is what values are, whoever made them
    bench::require(
        clprim_reference_sort(made.data(), operation.has_values() ? made.data() + n * size : nullptr, &how, n),
        "clprim_reference_sort");
    return made;
}

// Keys and values must be the reference's, bit for bit; see check_order() for long ones.
bench::Work RadixSortSuite::work(const Operation &operation, std::size_t n)
{
    bench::Work work = SortSuite::work(operation, n);
    if (operation.values == Values::made_indices)
        work.peers_differ = "indices are read";
    if (n <= MAX_OF_REFERENCE)
        work.check = [=, this](const bench::Output &output) {
            const auto &wanted = expected_.get(operation.key(n), [&] { return expected(operation, n); });
            return check_elements(operation, n, output, wanted.data());
        };
    return work;
}

bench::Suite::Bind RadixSortSuite::bind(const Operation &operation, std::size_t n)
{
    return [=, this](cl_mem out, int variant) {
        const std::size_t size = operation.key_size();
        const bool argsort = operation.values == Values::made_indices;
        const clprim_radix_sort_desc desc{.key_type = operation.type,
                                          .value_size = operation.values == Values::indices ? size : 0,
                                          .argsort = argsort,
                                          .index_type = argsort && size == sizeof(cl_ulong) ? CLPRIM_U64 : CLPRIM_U32,
                                          .max_count = n};
        return enqueue(clprim_radix_sort_operation, variant, desc, call_of<clprim_radix_sort_call>(operation, n, out));
    };
}

void RadixSortSuite::add_peers(const bench::Work &work, bool pairs)
{
    const clprim_type type = work.type;
    const std::size_t n = work.n;
    const bool uniform = work.content == Content::values;
    if constexpr (bench::HAVE_CUB)
        add_cub(
            work, [=](bool wide) { return peers::cub_sort(type, pairs, n, wide); },
            pairs ? Content::indices : Content::values);
    if constexpr (bench::HAVE_BOOST_COMPUTE)
        if (uniform)
            add_boost_compute(work,
                              [=](const auto &target) { return peers::boost_compute_sort(target, type, pairs, n); });
    if (n > bench::MAX_SORTED_ON_HOST)
        return;
    if (pairs)
        return add_host_pairs(work, {{"std_stable", peers::std_stable_sort_pairs(type)}});
    add_host_keys(work, {{"std_par", peers::tbb_sort(type), "tbb::parallel_sort"}, {"vqsort", peers::vqsort(type)}});
    if (uniform) // these are too slow for every distribution
        add_host_keys(work, {{"std", peers::std_sort(type)}, {"std_stable", peers::std_stable_sort(type)}});
}

void RadixSortSuite::add(const Operation &operation)
{
    const auto sizes = [&](const std::vector<int> &logs) {
        // The output in one piece; and all arrays together: input, output and scratch memory.
        return session_.sizes(logs, operation.out_size(), 3 * operation.out_size());
    };
    const bool quick = session_.quick();
    const bool skewed = operation.content != Content::values;
    for (const std::size_t n : sizes(skewed && quick              ? QUICK_SKEWED_SIZES
                                     : skewed                     ? SKEWED_SIZES
                                     : operation.ladder && !quick ? KEYS_SIZES
                                                                  : bench::FEW_SIZES)) {
        add_auto(work(operation, n), bind(operation, n));
        add_peers(work(operation, n), operation.has_values());
    }
    if (operation.ladder)
        for (const std::size_t n : sizes(quick ? bench::QUICK_LADDER : LADDER_SIZES))
            add_variants(work(operation, n), clprim_radix_sort_operation, bind(operation, n));
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run<RadixSortSuite>(argc, argv, "radix_sort", OPERATIONS);
}

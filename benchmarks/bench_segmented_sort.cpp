// SPDX-License-Identifier: MIT
// bench_segmented_sort.cpp: sorts by segments by clPRIM, every variant of them, and by others.
#include "peers/segmented_sort_peers.hpp"
#include "segments.hpp"
#include "sort_suite.hpp"

#include <clprim/bitonic_sort.h>
#include <clprim/reference.h>
#include <clprim/segmented_sort.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <thread>

namespace {

using bench::Content;
using bench::Values;

struct Operation : bench::Sort {
    std::size_t mean; // of the segments' lengths, up to twice that; 0: one segment
    bool giants;      // and four segments of an eighth of the array, at most 2^20 elements, among the others
    bool ladder;      // every variant, not AUTO alone

    std::size_t longest(std::size_t n) const
    {
        return mean == 0 || giants ? n : 2 * mean;
    }
};

constexpr Operation keys(clprim_type type, const char *distribution, std::size_t mean, bool giants, bool ladder)
{
    return {{"segmented_sort_keys", type, Values::none, 1, true, distribution}, mean, giants, ladder};
}

constexpr Operation pairs(clprim_type type, const char *distribution, std::size_t mean, bool giants)
{
    return {{"segmented_sort_pairs", type, Values::indices, 1, true, distribution}, mean, giants, false};
}

// By type, since Inputs holds one at a time.
const Operation OPERATIONS[] = {
    keys(CLPRIM_U32, "mean10", 10, false, true),      keys(CLPRIM_U32, "mean100", 100, false, true),
    keys(CLPRIM_U32, "mean1000", 1000, false, true),  keys(CLPRIM_U32, "mean100000", 100000, false, true),
    keys(CLPRIM_U32, "one", 0, false, true),          keys(CLPRIM_U32, "mix", 10, true, true),
    pairs(CLPRIM_U32, "mean10", 10, false),           pairs(CLPRIM_U32, "mean100", 100, false),
    pairs(CLPRIM_U32, "mean1000", 1000, false),       pairs(CLPRIM_U32, "mix", 10, true),
    keys(CLPRIM_U64, "mean10", 10, false, false),     keys(CLPRIM_U64, "mean100", 100, false, false),
    keys(CLPRIM_U64, "mean1000", 1000, false, false), keys(CLPRIM_U64, "mix", 10, true, false),
};

const std::vector<int> SIZES = {16, 20, 24, 26};
const std::vector<int> QUICK_SIZES = {24};
constexpr std::size_t LARGEST_GIANT = std::size_t{1} << 20;

// The offsets of one operation's segments, and what its output must be: the reference's, keys and then values.
struct Case : bench::Offsets {
    std::vector<unsigned char> expected;
};

std::vector<std::uint32_t> make_offsets(const Operation &operation, std::size_t n)
{
    const std::size_t giant = std::min(n / 8, LARGEST_GIANT);
    std::size_t giants = 0;
    return bench::make_offsets(n, [&](bench::Random &random, std::size_t at) {
        const bool is_giant = operation.giants && giants < 4 && at >= giants * (n / 4) + n / 16;
        const std::size_t length = operation.mean == 0 ? n : random() % (2 * operation.mean + 1);
        giants += is_giant;
        return is_giant ? giant : length;
    });
}

class SegmentedSortSuite : bench::SortSuite {
  public:
    using SortSuite::SortSuite;
    void add(const Operation &operation);

  private:
    bench::Work work(const Operation &operation, std::size_t n);
    template <class Arguments> Arguments call_of(const Operation &operation, std::size_t n, cl_mem out);
    Bind bind(const Operation &operation, std::size_t n);
    void add_bitonic(const Operation &operation, std::size_t n);
    void add_peers(const Operation &operation, std::size_t n);
    const Case &case_of(const Operation &operation, std::size_t n);
    void expect(Case &made, const Operation &operation, std::size_t n);

    bench::Last<Case> case_;
};

// By the reference, some segments in each thread.
void SegmentedSortSuite::expect(Case &made, const Operation &operation, std::size_t n)
{
    const std::size_t size = operation.key_size();
    const std::size_t count = made.offsets.size() - 1;
    const std::size_t share = count / std::max(1U, std::thread::hardware_concurrency()) + 1;
    std::vector<std::thread> pool;
    made.expected.resize(n * operation.out_size());
    unsigned char *const sorted = made.expected.data();
    unsigned char *const values = operation.has_values() ? sorted + n * size : nullptr;
    std::memcpy(sorted, session_.inputs().host(operation.type, n), n * size);
    if (values != nullptr)
        std::memcpy(values, session_.inputs(Content::indices).host(operation.type, n), n * size);
    for (std::size_t begin = 0; begin < count; begin += share)
        pool.emplace_back([=, &made] {
            clprim_reference_sort_how how{};
            how.key_type = operation.type;
            how.value_size = values != nullptr ? size : 0;
            bench::require(clprim_reference_segmented_sort(sorted, values, &how, n, CLPRIM_U32,
                                                           made.offsets.data() + begin, std::min(share, count - begin)),
                           "clprim_reference_segmented_sort");
        });
    for (std::thread &thread : pool)
        thread.join();
}

const Case &SegmentedSortSuite::case_of(const Operation &operation, std::size_t n)
{
    return case_.get(operation.key(n), [&] {
        Case made;
        made.offsets = make_offsets(operation, n);
        expect(made, operation, n);
        made.upload(session_);
        return made;
    });
}

// Keys and values must be the reference's, bit for bit.
bench::Work SegmentedSortSuite::work(const Operation &operation, std::size_t n)
{
    bench::Work work = SortSuite::work(operation, n);
    work.check = [=, this](const bench::Output &output) {
        return check_elements(operation, n, output, case_of(operation, n).expected.data());
    };
    return work;
}

template <class Arguments> Arguments SegmentedSortSuite::call_of(const Operation &operation, std::size_t n, cl_mem out)
{
    const Case &at = case_of(operation, n);
    auto call = SortSuite::call_of<Arguments>(operation, n, out);
    call.offsets = {at.device.get()};
    call.segment_count = at.segments().count;
    return call;
}

// AUTO knows nothing of the segments, LOCAL how long they are.
bench::Suite::Bind SegmentedSortSuite::bind(const Operation &operation, std::size_t n)
{
    return [=, this](cl_mem out, int variant) {
        clprim_segmented_sort_desc desc{};
        desc.key_type = operation.type;
        desc.value_size = operation.has_values() ? operation.key_size() : 0;
        desc.max_count = n;
        desc.max_segments = variant == CLPRIM_SEGMENTED_SORT_COMPOSITE ? case_of(operation, n).segments().count : 0;
        desc.max_segment_size = variant == CLPRIM_SEGMENTED_SORT_LOCAL ? operation.longest(n) : 0;
        return enqueue(clprim_segmented_sort_operation, variant, desc,
                       call_of<clprim_segmented_sort_call>(operation, n, out));
    };
}

// By comparisons: clprim_bitonic_sort_enqueue() of a plan with .segmented, of keys alone, since it is not stable.
void SegmentedSortSuite::add_bitonic(const Operation &operation, std::size_t n)
{
    if (!operation.has_values())
        add_variant(work(operation, n), "bitonic_sort", CLPRIM_BITONIC_SORT_AUTO, [=, this](cl_mem out, int variant) {
            return enqueue(clprim_bitonic_sort_operation, variant,
                           clprim_bitonic_sort_desc{.key_type = operation.type, .segmented = true},
                           call_of<clprim_bitonic_sort_call>(operation, n, out));
        });
}

void SegmentedSortSuite::add_peers(const Operation &operation, std::size_t n)
{
    const bench::Work at = work(operation, n);
    const clprim_type type = operation.type;
    const bool with_values = operation.has_values();
    if constexpr (bench::HAVE_CUB)
        for (const bool radix : {false, true})
            add_cub_once(
                at,
                [=, this] {
                    return peers::cub_segmented_sort(type, with_values, radix, n, case_of(operation, n).segments());
                },
                with_values ? Content::indices : Content::values, radix ? "cub_radix" : "cub");
    if (n <= bench::MAX_SORTED_ON_HOST && !with_values)
        add_host<peers::HostSegmentedSort>(
            at,
            {{"std_par", peers::tbb_segmented_sort(type)},
             {"std", peers::std_segmented_sort(type)},
             {"std_stable", peers::std_stable_segmented_sort(type)}},
            [=, this](peers::HostSegmentedSort sort) {
                return [sort, wanted = &case_of(operation, n)](void *out) { sort(out, wanted->segments()); };
            },
            true);
}

void SegmentedSortSuite::add(const Operation &operation)
{
    const std::vector<int> &logs = session_.quick() ? QUICK_SIZES : SIZES;
    for (const std::size_t n : session_.sizes(logs, operation.out_size(), 8 * operation.out_size())) {
        add_auto(work(operation, n), bind(operation, n));
        add_bitonic(operation, n);
        if (operation.ladder)
            add_variants(work(operation, n), clprim_segmented_sort_operation, bind(operation, n));
        add_peers(operation, n);
    }
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run<SegmentedSortSuite>(argc, argv, "segmented_sort", OPERATIONS);
}

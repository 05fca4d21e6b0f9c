// SPDX-License-Identifier: MIT
// bench_segmented_top_k.cpp: the k largest keys of each segment by clPRIM, every variant of it, and by others.
#include "peers/segmented_top_k_peers.hpp"
#include "segments.hpp"
#include "suite.hpp"

#include <clprim/reference.h>
#include <clprim/segmented_top_k.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

namespace {

using bench::Content;

struct Operation {
    std::size_t length; // of a row; ONE_ROW; or 0: by offsets, of up to twice 1000 elements, most of them short
    std::size_t k;
    std::vector<int> logs; // of n
    bool unsorted;         // keys alone, in any order; else keys and indices
};

constexpr std::size_t ONE_ROW = SIZE_MAX;
constexpr std::size_t MOST_LADDER = std::size_t{1} << 24;

const Operation OPERATIONS[] = {
    {64, 8, {16, 22, 26}, false},      // 65536 rows: routing
    {256, 8, {16, 22, 26}, false},     // the same
    {1024, 10, {16, 24}, false},       // 16384 rows: neighbours
    {131072, 50, {17, 20, 23}, false}, // 64 rows: sampling
    {ONE_ROW, 100, {16, 20, 24}, false}, {0, 10, {16, 20, 24}, false}, {64, 8, {16, 22, 26}, true},
    {256, 8, {16, 22, 26}, true},        {1024, 10, {16, 24}, true},
};

std::size_t length_of(const Operation &operation, std::size_t n)
{
    return std::min(operation.length, n);
}

std::string distribution(const Operation &operation)
{
    const std::string rows = operation.length == 0         ? "zipf"
                             : operation.length == ONE_ROW ? "one"
                                                           : "rows" + std::to_string(operation.length);
    return rows + "_k" + std::to_string(operation.k);
}

// Of a mean of about 1000: the length of a segment is 2^16 divided by a random number.
std::vector<std::uint32_t> make_offsets(const Operation &operation, std::size_t n)
{
    constexpr std::size_t LONGEST = 1 << 16, LENGTHS = 700;
    return bench::make_offsets(n, [&](bench::Random &random, std::size_t) {
        return operation.length == 0 ? LONGEST / (1 + random() % LENGTHS) : length_of(operation, n);
    });
}

// The offsets of one operation's segments, and what must be found in them: by the reference.
struct Case : bench::Offsets {
    std::vector<std::uint32_t> keys, indices;
};

// Where a segment's results are in an output: row by row, or, where all were sorted, where the segment was.
enum class Places { rows, segments };

class SegmentedTopKSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Operation &operation);

  private:
    bench::Work work(const Operation &operation, std::size_t n);
    Bind bind(const Operation &operation, std::size_t n);
    void add_peers(const Operation &operation, const bench::Work &at);
    const Case &case_of(const Operation &operation, std::size_t n);
    std::string check(const Operation &operation, std::size_t n, const bench::Output &output, Places places,
                      bool with_indices);

    bench::Last<Case> case_;
};

const Case &SegmentedTopKSuite::case_of(const Operation &operation, std::size_t n)
{
    return case_.get(distribution(operation) + "/" + std::to_string(n), [&] {
        Case made;
        clprim_reference_top_k_how how{};
        how.k = operation.k;
        how.indices = true;
        made.offsets = make_offsets(operation, n);
        made.keys.resize(made.segments().count * operation.k);
        made.indices.resize(made.keys.size());
        bench::require(clprim_reference_segmented_top_k(made.keys.data(), made.indices.data(), &how,
                                                        session_.inputs().host(CLPRIM_U32, n), nullptr, n, 0,
                                                        CLPRIM_U32, made.offsets.data(), made.segments().count),
                       "clprim_reference_segmented_top_k");
        if (operation.length == 0)
            made.upload(session_);
        return made;
    });
}

// "" or what is wrong. In any order the keys of a segment are compared as a set.
std::string SegmentedTopKSuite::check(const Operation &operation, std::size_t n, const bench::Output &output,
                                      Places places, bool with_indices)
{
    const Case &wanted = case_of(operation, n);
    const std::size_t rows = wanted.segments().count;
    const std::size_t size = places == Places::rows ? rows * operation.k : n;
    std::vector<std::uint32_t> got(with_indices ? 2 * size : size);
    output.read(got.data(), 0, got.size() * sizeof got[0]);
    for (std::size_t s = 0; s < rows; s++) {
        const std::size_t begin = wanted.offsets[s];
        const std::size_t found = std::min<std::size_t>(operation.k, wanted.offsets[s + 1] - begin);
        const std::size_t at = places == Places::rows ? s * operation.k : begin;
        const std::size_t counted_from = places == Places::rows ? 0 : begin;
        if (operation.unsorted)
            std::sort(&got[at], &got[at] + found, std::greater<>());
        for (std::size_t i = 0; i < found; i++)
            if (got[at + i] != wanted.keys[s * operation.k + i] ||
                (with_indices && got[size + at + i] - counted_from != wanted.indices[s * operation.k + i]))
                return "wrong result: element " + std::to_string(i) + " of segment " + std::to_string(s);
    }
    return "";
}

// Keys are read, and offsets; results written.
bench::Work SegmentedTopKSuite::work(const Operation &operation, std::size_t n)
{
    const std::size_t count = make_offsets(operation, n).size() - 1;
    const std::size_t out_bytes = count * operation.k * sizeof(std::uint32_t) * (operation.unsorted ? 1 : 2);
    const std::size_t offsets_bytes = operation.length == 0 ? (count + 1) * sizeof(std::uint32_t) : 0;
    bench::Work work{operation.unsorted ? "segmented_top_k_unsorted" : "segmented_top_k",
                     CLPRIM_U32,
                     n,
                     static_cast<double>(n * sizeof(std::uint32_t) + offsets_bytes + out_bytes),
                     out_bytes,
                     [=, this](const bench::Output &output) {
                         return check(operation, n, output, Places::rows, !operation.unsorted);
                     }};
    work.distribution = distribution(operation);
    return work;
}

bench::Suite::Bind SegmentedTopKSuite::bind(const Operation &operation, std::size_t n)
{
    return [=, this](cl_mem out, int variant) {
        const Case &at = case_of(operation, n);
        const std::size_t rows = at.segments().count;
        clprim_segmented_top_k_call call{
            .keys_in = {session_.inputs().device(CLPRIM_U32, n)}, .count = n, .segment_count = rows, .keys_out = {out}};
        if (operation.length == 0)
            call.offsets = {at.device.get()};
        if (!operation.unsorted)
            call.values_out = {out, rows * operation.k};
        return enqueue(clprim_segmented_top_k_operation, variant,
                       clprim_segmented_top_k_desc{.k = operation.k,
                                                   .indices = !operation.unsorted,
                                                   .unsorted = operation.unsorted,
                                                   .segment_length = length_of(operation, n)},
                       call);
    };
}

void SegmentedTopKSuite::add_peers(const Operation &operation, const bench::Work &at)
{
    const std::size_t n = at.n;
    if constexpr (bench::HAVE_CUB) {
        if (operation.unsorted)
            add_cub_once(at, [=, this] {
                const std::size_t rows = case_of(operation, n).segments().count;
                return peers::cub_batched_top_k(rows, operation.length, operation.k);
            });
        bench::Work by_sorting = at;
        by_sorting.peers_differ = "all are sorted";
        by_sorting.out_bytes = 2 * n * sizeof(std::uint32_t);
        by_sorting.check = [=, this](const bench::Output &output) {
            return check(operation, n, output, Places::segments, true);
        };
        for (const bool by_segments : {false, true})
            if (!operation.unsorted)
                add_cub_once(
                    by_sorting,
                    [=, this] { return peers::cub_segmented_top_k(n, by_segments, case_of(operation, n).segments()); },
                    Content::indices, by_segments ? "cub_segmented" : "cub");
    }
    bench::Work keys_alone = at;
    keys_alone.peers_differ = "keys alone";
    keys_alone.check = [=, this](const bench::Output &output) {
        return check(operation, n, output, Places::rows, false);
    };
    if (!operation.unsorted)
        add_host<peers::HostSegmentedTopK>(
            keys_alone, {{"std_par", peers::tbb_segmented_top_k()}, {"std", peers::std_segmented_top_k()}},
            [=, this](peers::HostSegmentedTopK find) {
                return [=, in = session_.inputs().host(CLPRIM_U32, n), wanted = &case_of(operation, n),
                        k = operation.k](void *out) { find(out, in, k, wanted->segments()); };
            });
}

void SegmentedTopKSuite::add(const Operation &operation)
{
    const std::size_t size = sizeof(std::uint32_t);
    for (const std::size_t n : session_.sizes(operation.logs, size, 6 * size)) {
        const bench::Work at = work(operation, n); // which makes the offsets, to count them
        add_auto(at, bind(operation, n));
        if (!operation.unsorted && n <= MOST_LADDER)
            add_variants(at, clprim_segmented_top_k_operation, bind(operation, n));
        add_peers(operation, at);
    }
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run<SegmentedTopKSuite>(argc, argv, "segmented_top_k", OPERATIONS);
}

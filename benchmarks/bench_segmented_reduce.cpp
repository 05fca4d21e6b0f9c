// SPDX-License-Identifier: MIT
// bench_segmented_reduce.cpp: folds of segments by clPRIM, every variant of them, and by others.
#include "peers/segmented_reduce_peers.hpp"
#include "segments.hpp"
#include "suite.hpp"

#include <clprim/segmented_reduce.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace {

// How long the segments are.
enum class Lengths {
    uniform, // up to twice the mean; minima have no empty segments, for which each peer has another number
    equal,   // so many segments
    zipf, // the first one an eighth of the array, the others that divided by a random number: most are short or empty
};

struct Operation {
    const char *distribution;
    clprim_type type;
    clprim_op op; // SUM or MIN
    Lengths lengths;
    std::size_t number; // the mean; or how many segments; or the longest one's share
    bool ladder;        // every variant, not AUTO alone

    const char *name() const
    {
        return op == CLPRIM_MIN ? "segmented_reduce_min" : "segmented_reduce";
    }

    bool rounds() const
    {
        return type == CLPRIM_F32 && op == CLPRIM_SUM;
    }
};

// By type, since Inputs holds one at a time.
const Operation OPERATIONS[] = {
    {"mean1", CLPRIM_I32, CLPRIM_SUM, Lengths::uniform, 1, true},
    {"mean10", CLPRIM_I32, CLPRIM_SUM, Lengths::uniform, 10, true},
    {"mean100", CLPRIM_I32, CLPRIM_SUM, Lengths::uniform, 100, true},
    {"mean10000", CLPRIM_I32, CLPRIM_SUM, Lengths::uniform, 10000, true},
    {"four", CLPRIM_I32, CLPRIM_SUM, Lengths::equal, 4, true},
    {"one", CLPRIM_I32, CLPRIM_SUM, Lengths::equal, 1, true},
    {"zipf", CLPRIM_I32, CLPRIM_SUM, Lengths::zipf, 8, true},
    {"mean10", CLPRIM_F32, CLPRIM_MIN, Lengths::uniform, 10, false},
    {"mean10000", CLPRIM_F32, CLPRIM_MIN, Lengths::uniform, 10000, false},
    {"mean10", CLPRIM_F32, CLPRIM_SUM, Lengths::uniform, 10, false},
    {"mean10000", CLPRIM_F32, CLPRIM_SUM, Lengths::uniform, 10000, false},
    {"mean10", CLPRIM_I64, CLPRIM_SUM, Lengths::uniform, 10, false},
    {"mean10000", CLPRIM_I64, CLPRIM_SUM, Lengths::uniform, 10000, false},
    {"one", CLPRIM_I64, CLPRIM_SUM, Lengths::equal, 1, false},
};

const std::vector<int> SIZES = {16, 20, 24, 28};
const std::vector<int> QUICK_SIZES = {24};

// The offsets of one operation's segments, and what their results must be: plain loops'.
struct Case : bench::Offsets {
    std::vector<unsigned char> expected;
};

std::size_t next_length(const Operation &operation, std::size_t n, bench::Random &random)
{
    switch (operation.lengths) {
    case Lengths::uniform: return random() % (2 * operation.number + 1);
    case Lengths::equal: return n / operation.number;
    default: return n / operation.number / (1 + random() % (n / operation.number * 2));
    }
}

std::vector<std::uint32_t> make_offsets(const Operation &operation, std::size_t n)
{
    return bench::make_offsets(n, [&](bench::Random &random, std::size_t at) {
        const bool is_longest = at == 0 && operation.lengths == Lengths::zipf;
        const std::size_t length = is_longest ? n / operation.number : next_length(operation, n, random);
        return std::max(length, std::size_t{operation.op == CLPRIM_MIN});
    });
}

class SegmentedReduceSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Operation &operation);

  private:
    bench::Work work(const Operation &operation, std::size_t n);
    Bind bind(const Operation &operation, std::size_t n);
    void add_peers(const Operation &operation, const bench::Work &at);
    const Case &case_of(const Operation &operation, std::size_t n);

    bench::Last<Case> case_;
};

const Case &SegmentedReduceSuite::case_of(const Operation &operation, std::size_t n)
{
    const std::string key = std::string(operation.distribution) + "/" + clprim_type_name(operation.type) +
                            (operation.op == CLPRIM_MIN ? "/min/" : "/sum/") + std::to_string(n);
    return case_.get(key, [&] {
        Case made;
        made.offsets = make_offsets(operation, n);
        made.expected.resize(made.segments().count * clprim_type_size(operation.type));
        peers::c_segmented_reduce(operation.type, operation.op)(
            made.expected.data(), session_.inputs().host(operation.type, n), made.segments());
        made.upload(session_);
        return made;
    });
}

// Sums of F32, each as near to the plain loop's as its number of elements asks for; the loop may be as far off.
std::string check_sums(const Case &of, const bench::Output &output)
{
    const auto *wanted = reinterpret_cast<const float *>(of.expected.data());
    const auto compare = [&of, wanted](std::size_t begin, std::size_t count, const unsigned char *got) -> std::string {
        for (std::size_t i = 0; i < count; i++) {
            const std::size_t s = begin + i;
            const std::size_t length = of.offsets[s + 1] - of.offsets[s];
            const double tolerance = 2 * bench::sum_tolerance(CLPRIM_F32, length, bench::Depth::serial);
            float value;
            std::memcpy(&value, got + i * sizeof value, sizeof value);
            if (!(std::fabs(double{value} - double{wanted[s]}) <= tolerance))
                return "segment " + std::to_string(s) + ": " +
                       bench::wrong_sum(double{value}, double{wanted[s]}, tolerance);
        }
        return "";
    };
    return bench::check_pieces(output, of.segments().count, sizeof(float), compare);
}

// Elements and offsets are read, results written.
bench::Work SegmentedReduceSuite::work(const Operation &operation, std::size_t n)
{
    const std::size_t size = clprim_type_size(operation.type);
    const std::size_t count = make_offsets(operation, n).size() - 1;
    bench::Work work{operation.name(),
                     operation.type,
                     n,
                     static_cast<double>(n * size + count * (size + sizeof(std::uint32_t))),
                     count * size,
                     [=, this](const bench::Output &output) {
                         const Case &of = case_of(operation, n);
                         return operation.rounds() ? check_sums(of, output)
                                                   : bench::check_bits(output, count, size, {{of.expected.data()}});
                     }};
    work.distribution = operation.distribution;
    return work;
}

bench::Suite::Bind SegmentedReduceSuite::bind(const Operation &operation, std::size_t n)
{
    return [=, this](cl_mem out, int variant) {
        const Case &at = case_of(operation, n);
        return enqueue(clprim_segmented_reduce_operation, variant,
                       clprim_segmented_reduce_desc{.type = operation.type, .op = operation.op},
                       clprim_segmented_reduce_call{.in = {session_.inputs().device(operation.type, n)},
                                                    .offsets = {at.device.get()},
                                                    .count = n,
                                                    .segment_count = at.segments().count,
                                                    .out = {out}});
    };
}

void SegmentedReduceSuite::add_peers(const Operation &operation, const bench::Work &at)
{
    const clprim_type type = operation.type;
    const clprim_op op = operation.op;
    const std::size_t n = at.n;
    if constexpr (bench::HAVE_CUB)
        add_cub_once(at, [=, this] { return peers::cub_segmented_reduce(type, op, case_of(operation, n).segments()); });
    add_host<peers::HostSegmentedReduce>(at,
                                         {{"std_par", peers::tbb_segmented_reduce(type, op)},
                                          {"std", peers::std_segmented_reduce(type, op)},
                                          {"c", peers::c_segmented_reduce(type, op)}},
                                         [=, this](peers::HostSegmentedReduce reduce) {
                                             return [=, in = session_.inputs().host(type, n),
                                                     wanted = &case_of(operation, n)](void *out) {
                                                 reduce(out, in, wanted->segments());
                                             };
                                         });
}

void SegmentedReduceSuite::add(const Operation &operation)
{
    const std::size_t size = clprim_type_size(operation.type);
    for (const std::size_t n : session_.sizes(session_.quick() ? QUICK_SIZES : SIZES, size, 3 * size)) {
        const bench::Work at = work(operation, n); // which makes the offsets, to count them
        add_auto(at, bind(operation, n));
        if (operation.ladder)
            add_variants(at, clprim_segmented_reduce_operation, bind(operation, n));
        add_peers(operation, at);
    }
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run<SegmentedReduceSuite>(argc, argv, "segmented_reduce", OPERATIONS);
}

// SPDX-License-Identifier: MIT
// bench_histogram.cpp: histograms by clPRIM, every variant of it, and by others.
#include "peers/histogram_peers.hpp"
#include "suite.hpp"

#include <clprim/histogram.h>
#include <clprim/reference.h>

#include <algorithm>
#include <deque>

namespace {

using bench::Content;

struct Operation {
    const char *name;
    clprim_type type;
    clprim_histogram_mapping mapping;
    std::size_t bins;
    double low, high; // of EVEN
    const char *distribution;
    Content content;
    bool ladder; // every variant, not AUTO alone
    bool cumulative = false;
};

constexpr clprim_histogram_mapping IDENTITY = CLPRIM_HISTOGRAM_IDENTITY;
constexpr clprim_histogram_mapping EVEN = CLPRIM_HISTOGRAM_EVEN;

// By type and content, since Inputs holds one of each at a time.
const Operation OPERATIONS[] = {
    {"histogram256", CLPRIM_U8, IDENTITY, 256, 0, 0, "uniform", Content::values, true},
    {"histogram64", CLPRIM_U8, EVEN, 64, 0, 256, "uniform", Content::values, true},
    {"histogram256", CLPRIM_U8, IDENTITY, 256, 0, 0, "constant", Content::constant, true},
    {"histogram256", CLPRIM_U8, IDENTITY, 256, 0, 0, "few", Content::few, false},
    {"histogram256", CLPRIM_U8, IDENTITY, 256, 0, 0, "zipf", Content::zipf, false},
    {"histogram65536", CLPRIM_U16, IDENTITY, 65536, 0, 0, "uniform", Content::values, false},
    {"histogram256", CLPRIM_F32, EVEN, 256, -0.5, 0.5, "uniform", Content::values, false},
    {"histogram65536", CLPRIM_F32, EVEN, 65536, -0.5, 0.5, "uniform", Content::values, false},
    {"histogram_cumulative", CLPRIM_F32, EVEN, 65536, -0.5, 0.5, "uniform", Content::values, false, true},
    {"histogram65536", CLPRIM_F32, EVEN, 65536, -0.5, 0.5, "constant", Content::constant, false},
    {"histogram65536", CLPRIM_F32, EVEN, 65536, -0.5, 0.5, "few", Content::few, false},
    {"histogram65536", CLPRIM_F32, EVEN, 65536, -0.5, 0.5, "zipf", Content::zipf, false},
};

class HistogramSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Operation &operation);
    void add_joint();

  private:
    bench::Work work(const Operation &operation, std::size_t n);
    Bind bind(const Operation &operation, std::size_t n);
    void add_peers(const bench::Work &work, std::size_t bins);
    std::vector<cl_uint> expected(const Operation &operation, std::size_t n);

    bench::Last<std::vector<cl_uint>> expected_;
    std::deque<cl_ulong> lengths_; // of calls, which point to them
};

std::vector<cl_uint> HistogramSuite::expected(const Operation &operation, std::size_t n)
{
    clprim_reference_histogram_how how{};
    how.type = operation.type;
    how.mapping = operation.mapping;
    how.bins = operation.bins;
    how.low = operation.low;
    how.high = operation.high;
    how.cumulative = operation.cumulative;
    std::vector<cl_uint> made(operation.bins);
    bench::require(clprim_reference_histogram(made.data(), nullptr, &how,
                                              session_.inputs(operation.content).host(operation.type, n), nullptr, n),
                   "clprim_reference_histogram");
    return made;
}

// Every counter must be the reference's.
bench::Work HistogramSuite::work(const Operation &operation, std::size_t n)
{
    const std::string key = std::string(operation.name) + "/" + clprim_type_name(operation.type) + "/" +
                            operation.distribution + "/" + std::to_string(n);
    return {.op = operation.name,
            .type = operation.type,
            .n = n,
            .bytes = static_cast<double>(n * clprim_type_size(operation.type)),
            .out_bytes = operation.bins * sizeof(cl_uint),
            .check =
                [=, this](const bench::Output &output) {
                    const auto &wanted = expected_.get(key, [&] { return expected(operation, n); });
                    return bench::check_bits(output, wanted.size(), sizeof(cl_uint), {{wanted.data()}});
                },
            .distribution = operation.distribution,
            .content = operation.content};
}

bench::Suite::Bind HistogramSuite::bind(const Operation &operation, std::size_t n)
{
    const clprim_histogram_desc desc{.type = operation.type,
                                     .mapping = operation.mapping,
                                     .bins = operation.bins,
                                     .low = operation.low,
                                     .high = operation.high,
                                     .cumulative = operation.cumulative};
    return [=, this, content = operation.content](cl_mem out, int variant) {
        return enqueue(
            clprim_histogram_operation, variant, desc,
            clprim_histogram_call{.in = {session_.inputs(content).device(desc.type, n)}, .count = n, .out = {out}});
    };
}

void HistogramSuite::add_peers(const bench::Work &work, std::size_t bins)
{
    const clprim_type type = work.type;
    const std::size_t n = work.n;
    if constexpr (bench::HAVE_CUB)
        add_cub(work, [=](bool wide) { return peers::cub_histogram(type, bins, n, wide); });
    add_host<peers::HostHistogram>(
        work,
        {{"std_par", peers::tbb_histogram(type, bins), "tbb::parallel_for"}, {"c", peers::c_histogram(type, bins)}},
        [=, this, content = work.content](peers::HostHistogram count) {
            const void *const in = session_.inputs(content).host(type, n);
            return [=](void *out) { count(out, in, n); };
        });
}

void HistogramSuite::add(const Operation &operation)
{
    const std::size_t size = clprim_type_size(operation.type);
    const bool all = operation.ladder && operation.content == Content::values && !session_.quick();
    for (const std::size_t n : session_.sizes(all ? bench::ALL_SIZES : bench::FEW_SIZES, size)) {
        add_auto(work(operation, n), bind(operation, n));
        if (!operation.cumulative)
            add_peers(work(operation, n), operation.bins);
    }
    if (operation.ladder)
        for (const std::size_t n : session_.sizes(session_.quick() ? bench::QUICK_LADDER : bench::FEW_SIZES, size))
            add_variants(work(operation, n), clprim_histogram_operation, bind(operation, n));
}

constexpr std::size_t JOINT_BINS = 64; // of each dimension

// The width of a bin is a power of two: nothing is rounded.
void joint_by_loop(void *out, const void *in, std::size_t n)
{
    const auto *x = static_cast<const float *>(in);
    const auto bin = [](float value) { return static_cast<std::size_t>((value + 0.5F) * JOINT_BINS); };
    std::fill_n(static_cast<cl_uint *>(out), JOINT_BINS * JOINT_BINS, 0);
    for (std::size_t i = 0; i < n; i++)
        static_cast<cl_uint *>(out)[bin(x[i]) * JOINT_BINS + bin(x[n - 1 - i])]++;
}

// Of each element and the one at the same place from the end.
void HistogramSuite::add_joint()
{
    constexpr clprim_type TYPE = CLPRIM_F32;
    constexpr std::size_t OUT = JOINT_BINS * JOINT_BINS;
    for (const std::size_t n : session_.sizes(bench::FEW_SIZES, sizeof(float))) {
        const auto check = [=, this](const bench::Output &output) {
            std::vector<cl_uint> wanted(OUT);
            joint_by_loop(wanted.data(), session_.inputs().host(TYPE, n), n);
            return bench::check_bits(output, OUT, sizeof(cl_uint), {{wanted.data()}});
        };
        const auto bind = [=, this](cl_mem out, int variant) {
            clprim_histogram_call call{};
            call.arguments[0] = {session_.inputs().device(TYPE, n), 0, nullptr, n};
            call.arguments[1].host = &lengths_.emplace_back(n);
            call.count = n;
            call.out.buffer = out;
            return enqueue(
                clprim_histogram_operation, variant,
                clprim_histogram_desc{
                    .type = TYPE,
                    .mapping = EVEN,
                    .bins = JOINT_BINS,
                    .low = -0.5,
                    .high = 0.5,
                    .input = "x[i]",
                    .second = {.input = "x[n - 1 - i]", .type = TYPE, .bins = JOINT_BINS, .low = -0.5, .high = 0.5},
                    .text = {.parameters = {{.name = "x", .type = TYPE, .is_array = true},
                                            {.name = "n", .type = CLPRIM_U64}}}},
                call);
        };
        const bench::Work work{"histogram_joint",     TYPE, n, static_cast<double>(n * sizeof(float)),
                               OUT * sizeof(cl_uint), check};
        add_auto(work, bind);
        add_host<peers::HostHistogram>(work, {{"c", joint_by_loop}}, [=, this](peers::HostHistogram count) {
            const void *const in = session_.inputs().host(TYPE, n);
            return [=](void *out) { count(out, in, n); };
        });
    }
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run(argc, argv, "histogram", OPERATIONS, &HistogramSuite::add_joint);
}

// bench_histogram.cpp: histograms by clPRIM, every variant of it, and by others.
#include "peers/histogram_peers.hpp"
#include "suite.hpp"

#include <clprim/histogram.h>
#include <clprim/reference.h>

#include <tuple>

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

    std::string plan_key() const
    {
        return std::string(name) + clprim_type_name(type);
    }
    std::size_t out_bytes() const
    {
        return bins * sizeof(cl_uint);
    }
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
    {"histogram65536", CLPRIM_F32, EVEN, 65536, -0.5, 0.5, "constant", Content::constant, false},
    {"histogram65536", CLPRIM_F32, EVEN, 65536, -0.5, 0.5, "few", Content::few, false},
    {"histogram65536", CLPRIM_F32, EVEN, 65536, -0.5, 0.5, "zipf", Content::zipf, false},
};

class HistogramSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Operation &operation);

  private:
    bench::Work work(const Operation &operation, std::size_t n);
    void add_variant(const Operation &operation, std::size_t n, const std::string &name,
                     clprim_histogram_variant variant);
    void add_peers(const Operation &operation, std::size_t n);
    const std::vector<cl_uint> &expected(const Operation &operation, std::size_t n);
    std::string check(const Operation &operation, std::size_t n, const bench::Output &output);

    std::map<std::string, std::vector<cl_uint>> expected_; // the reference's, by operation, distribution and n
    bench::Plans<clprim_plan> plans_{clprim_plan_destroy};
};

const std::vector<cl_uint> &HistogramSuite::expected(const Operation &operation, std::size_t n)
{
    std::vector<cl_uint> &counters = expected_[operation.plan_key() + operation.distribution + "/" + std::to_string(n)];
    if (!counters.empty())
        return counters;
    clprim_reference_histogram_how how{};
    how.type = operation.type;
    how.mapping = operation.mapping;
    how.bins = operation.bins;
    how.low = operation.low;
    how.high = operation.high;
    std::vector<cl_uint> made(operation.bins);
    bench::require(clprim_reference_histogram(made.data(), nullptr, &how,
                                              session_.inputs(operation.content).host(operation.type, n), nullptr, n),
                   "clprim_reference_histogram");
    counters = std::move(made);
    return counters;
}

// "" or what is wrong: every counter must be the reference's.
std::string HistogramSuite::check(const Operation &operation, std::size_t n, const bench::Output &output)
{
    const auto *const wanted = reinterpret_cast<const unsigned char *>(expected(operation, n).data());
    return bench::check_pieces(output, operation.bins, sizeof(cl_uint),
                               [&](std::size_t begin, std::size_t count, const unsigned char *got) {
                                   return bench::check_bits(wanted, got, begin, count, sizeof(cl_uint));
                               });
}

bench::Work HistogramSuite::work(const Operation &operation, std::size_t n)
{
    bench::Work work{operation.name, operation.type, n, static_cast<double>(n * clprim_type_size(operation.type)),
                     [this, operation, n](const bench::Output &output) { return check(operation, n, output); }};
    work.distribution = operation.distribution;
    work.content = operation.content;
    return work;
}

void HistogramSuite::add_variant(const Operation &operation, std::size_t n, const std::string &name,
                                 clprim_histogram_variant variant)
{
    add_clprim(work(operation, n), name, operation.out_bytes(), [=](cl_mem out) -> std::function<void()> {
        clprim_histogram_desc desc{};
        desc.type = operation.type;
        desc.mapping = operation.mapping;
        desc.bins = operation.bins;
        desc.low = operation.low;
        desc.high = operation.high;
        desc.variant = variant;
        clprim_plan *const histogram =
            plans_.get(operation.plan_key() + "/" + std::to_string(variant),
                       [&](clprim_plan **made) { return clprim_histogram_create(made, session_.runtime(), &desc); });
        const cl_mem in = session_.inputs(operation.content).device(operation.type, n);
        const cl_command_queue queue = session_.queue();
        const clprim_histogram_call call{.in = {in}, .count = n, .out = {out}};
        return [=] {
            bench::require(clprim_histogram_enqueue(histogram, queue, &call, 0, nullptr, nullptr),
                           "clprim_histogram_enqueue");
        };
    });
}

void HistogramSuite::add_peers(const Operation &operation, std::size_t n)
{
    const bench::Work at = work(operation, n);
    const clprim_type type = operation.type;
    const std::size_t bins = operation.bins;
#if CLPRIM_BENCH_HAVE_CUB
    add_cub(at, [=](bool wide) { return peers::cub_histogram(type, bins, n, wide); });
#endif
    bench::Work by_tbb = at;
    by_tbb.peers_differ = "tbb::parallel_for";
    const std::tuple<const char *, const bench::Work &, peers::HostHistogram> on_host[] = {
        {"std_par", by_tbb, peers::tbb_histogram(type, bins)}, {"c", at, peers::c_histogram(type, bins)}};
    for (const auto &[name, row, function] : on_host)
        if (function != nullptr)
            add_host(row, name, operation.out_bytes(), [this, operation, n, function = function]() -> HostCall {
                const void *const in = session_.inputs(operation.content).host(operation.type, n);
                return [=](void *out) {
                    function(out, in, n);
                    return n;
                };
            });
}

void HistogramSuite::add(const Operation &operation)
{
    const std::size_t size = clprim_type_size(operation.type);
    const bool all = operation.ladder && operation.content == Content::values && !session_.quick();
    for (const std::size_t n : session_.sizes(all ? bench::ALL_SIZES : bench::FEW_SIZES, size)) {
        add_variant(operation, n, "", CLPRIM_HISTOGRAM_AUTO);
        add_peers(operation, n);
    }
    if (!operation.ladder)
        return;
    std::size_t count = 0;
    const clprim_variant_info *variants = clprim_histogram_operation.variants(&count);
    for (const std::size_t n : session_.sizes(session_.quick() ? bench::QUICK_LADDER : bench::FEW_SIZES, size))
        for (std::size_t i = 0; i < count; i++)
            add_variant(operation, n, variants[i].name, static_cast<clprim_histogram_variant>(variants[i].id));
}

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "histogram");
    HistogramSuite suite(session);
    for (const Operation &operation : OPERATIONS)
        suite.add(operation);
    return session.run();
}

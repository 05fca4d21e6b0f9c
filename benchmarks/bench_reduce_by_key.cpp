// bench_reduce_by_key.cpp: sums of runs of equal keys by clPRIM, every variant that can, and by others. Keys and values
// are of U32, the values 0, 1, 2, ...
#include "peers/reduce_by_key_peers.hpp"
#include "suite.hpp"

#include <clprim/reduce_by_key.h>
#include <clprim/reference.h>

namespace {

using bench::Runs;

constexpr clprim_type TYPE = CLPRIM_U32;
constexpr std::size_t SIZE = sizeof(cl_uint);

// The reference's result for the input and n that were asked for last.
struct Expected {
    bench::Content content = bench::Content::flags; // none yet
    std::size_t n = 0;
    std::size_t runs = 0;
    std::unique_ptr<cl_uint[]> elements; // the runs' elements, and behind these their folds
};

class ReduceByKeySuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Runs &runs);

  private:
    bench::Work work(const Runs &runs, std::size_t n);
    void add_variant(const Runs &runs, std::size_t n, const std::string &name, clprim_scan_variant variant);
    void add_peers(const Runs &runs, std::size_t n);
    const Expected &expected(const Runs &runs, std::size_t n);
    std::string check(const Runs &runs, std::size_t n, const bench::Output &output);

    Expected expected_;
    bench::Plans<clprim_plan> plans_{clprim_plan_destroy};
};

const Expected &ReduceByKeySuite::expected(const Runs &runs, std::size_t n)
{
    if (runs.content == expected_.content && n == expected_.n)
        return expected_;
    expected_ = Expected();
    const void *const keys = session_.inputs(runs.content).host(TYPE, n);
    const void *const values = session_.inputs(bench::Content::indices).host(TYPE, n);
    expected_.elements.reset(new cl_uint[2 * n]);
    const clprim_reference_operator sum{.type = TYPE};
    bench::require(clprim_reference_reduce_by_key(expected_.elements.get(), expected_.elements.get() + n,
                                                  &expected_.runs, SIZE, &sum, keys, values, n),
                   "clprim_reference_reduce_by_key");
    expected_.content = runs.content;
    expected_.n = n;
    return expected_;
}

// "" or what is wrong: the count, then the two halves of the output, bit for bit.
std::string ReduceByKeySuite::check(const Runs &runs, std::size_t n, const bench::Output &output)
{
    const Expected &wanted = expected(runs, n);
    if (output.selected() != wanted.runs)
        return "wrong result: " + std::to_string(output.selected()) + " runs, by the reference " +
               std::to_string(wanted.runs);
    for (const std::size_t first : {std::size_t{0}, n}) {
        const auto *const part = reinterpret_cast<const unsigned char *>(wanted.elements.get() + first);
        bench::Output half;
        half.read = [&](void *to, std::size_t offset, std::size_t bytes) {
            output.read(to, first * SIZE + offset, bytes);
        };
        const std::string wrong = bench::check_pieces(
            half, wanted.runs, SIZE, [&](std::size_t begin, std::size_t count, const unsigned char *got) {
                return bench::check_bits(part, got, begin, count, SIZE);
            });
        if (!wrong.empty())
            return wrong + (first == 0 ? ", of the elements" : ", of the folds");
    }
    return "";
}

bench::Work ReduceByKeySuite::work(const Runs &runs, std::size_t n)
{
    const double written = runs.length > 0 ? 1 / runs.length : 0;
    return {"reduce_by_key",
            TYPE,
            n,
            static_cast<double>(n) * SIZE * (2 + 2 * written),
            [this, runs, n](const bench::Output &output) { return check(runs, n, output); },
            runs.distribution,
            "",
            runs.content,
            "",
            SIZE};
}

void ReduceByKeySuite::add_variant(const Runs &runs, std::size_t n, const std::string &name,
                                   clprim_scan_variant variant)
{
    add_clprim(work(runs, n), name, 2 * n * SIZE, [=](cl_mem out) -> std::function<void()> {
        clprim_reduce_by_key_desc desc{};
        desc.key_type = TYPE;
        desc.type = TYPE;
        desc.op = CLPRIM_SUM;
        desc.variant = variant;
        clprim_plan *const plan = plans_.get(std::to_string(variant), [&](clprim_plan **made) {
            return clprim_reduce_by_key_create(made, session_.runtime(), &desc);
        });
        const cl_mem keys = session_.inputs(runs.content).device(TYPE, n);
        const cl_mem values = session_.inputs(bench::Content::indices).device(TYPE, n);
        const cl_mem count = selected();
        const cl_command_queue queue = session_.queue();
        const clprim_reduce_by_key_call call{.keys_in = {keys},
                                             .values_in = {values},
                                             .count = n,
                                             .keys_out = {out},
                                             .values_out = {out, n},
                                             .out_count = {count}};
        return [=] {
            bench::require(clprim_reduce_by_key_enqueue(plan, queue, &call, 0, nullptr, nullptr),
                           "clprim_reduce_by_key_enqueue");
        };
    });
}

void ReduceByKeySuite::add_peers(const Runs &runs, std::size_t n)
{
    const bench::Work at = work(runs, n);
#if CLPRIM_BENCH_HAVE_CUB
    add_cub(
        at, [=](bool wide) { return peers::cub_reduce_by_key(n, wide); }, bench::Content::indices);
#endif
#if CLPRIM_BENCH_HAVE_BOOST_COMPUTE
    add_boost_compute(at, [this, n](const peers::BoostTarget &target) {
        return peers::boost_compute_reduce_by_key(target, session_.inputs(bench::Content::indices).device(TYPE, n), n);
    });
#endif
    add_host(at, "c", 2 * n * SIZE, [this, runs, n]() -> HostCall {
        const void *const keys = session_.inputs(runs.content).host(TYPE, n);
        const void *const values = session_.inputs(bench::Content::indices).host(TYPE, n);
        return [=](void *out) { return peers::c_reduce_by_key(out, keys, values, n); };
    });
}

void ReduceByKeySuite::add(const Runs &runs)
{
    for (const std::size_t n : session_.sizes(bench::FEW_SIZES, 2 * SIZE, 4 * SIZE)) {
        add_variant(runs, n, "", CLPRIM_SCAN_AUTO);
        add_peers(runs, n);
    }
    if (runs.content != bench::Content::runs8)
        return;
    std::size_t count = 0;
    const clprim_variant_info *variants = clprim_scan_operation.variants(&count);
    for (const std::size_t n : session_.sizes(bench::QUICK_LADDER, 2 * SIZE, 4 * SIZE))
        for (std::size_t i = 0; i < count; i++)
            if (variants[i].id == CLPRIM_SCAN_CPU_CHUNK || variants[i].id == CLPRIM_SCAN_REDUCE_THEN_SCAN ||
                variants[i].id == CLPRIM_SCAN_LOOK_BACK) // those that write runs
                add_variant(runs, n, variants[i].name, static_cast<clprim_scan_variant>(variants[i].id));
}

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "reduce_by_key");
    ReduceByKeySuite suite(session);
    for (const Runs &runs : bench::RUNS)
        suite.add(runs);
    return session.run();
}

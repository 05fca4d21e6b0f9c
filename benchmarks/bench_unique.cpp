// bench_unique.cpp: the first elements of runs of equal ones by clPRIM, every variant, and by others.
#include "peers/unique_peers.hpp"
#include "suite.hpp"

#include <clprim/reference.h>
#include <clprim/unique.h>

namespace {

using bench::Runs;

constexpr clprim_type TYPE = CLPRIM_U32;
constexpr std::size_t SIZE = sizeof(cl_uint);

// The reference's result for the input and n that were asked for last.
struct Expected {
    bench::Content content = bench::Content::flags; // none yet
    std::size_t n = 0;
    std::size_t runs = 0;
    std::unique_ptr<unsigned char[]> elements;
};

class UniqueSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Runs &runs);

  private:
    bench::Work work(const Runs &runs, std::size_t n);
    void add_variant(const Runs &runs, std::size_t n, const std::string &name, clprim_select_variant variant);
    void add_peers(const Runs &runs, std::size_t n);
    const Expected &expected(const Runs &runs, std::size_t n);
    std::string check(const Runs &runs, std::size_t n, const bench::Output &output);

    Expected expected_;
    bench::Plans<clprim_plan> plans_{clprim_plan_destroy};
};

const Expected &UniqueSuite::expected(const Runs &runs, std::size_t n)
{
    if (runs.content == expected_.content && n == expected_.n)
        return expected_;
    expected_ = Expected();
    expected_.elements.reset(new unsigned char[n * SIZE]);
    bench::require(clprim_reference_unique(expected_.elements.get(), &expected_.runs, SIZE, nullptr,
                                           session_.inputs(runs.content).host(TYPE, n), n),
                   "clprim_reference_unique");
    expected_.content = runs.content;
    expected_.n = n;
    return expected_;
}

// "" or what is wrong: the count, then the elements, bit for bit.
std::string UniqueSuite::check(const Runs &runs, std::size_t n, const bench::Output &output)
{
    const Expected &wanted = expected(runs, n);
    if (output.selected() != wanted.runs)
        return "wrong result: " + std::to_string(output.selected()) + " runs, by the reference " +
               std::to_string(wanted.runs);
    return bench::check_pieces(output, wanted.runs, SIZE,
                               [&](std::size_t begin, std::size_t count, const unsigned char *got) {
                                   return bench::check_bits(wanted.elements.get(), got, begin, count, SIZE);
                               });
}

bench::Work UniqueSuite::work(const Runs &runs, std::size_t n)
{
    const double written = runs.length > 0 ? 1 / runs.length : 0;
    return {"unique",
            TYPE,
            n,
            static_cast<double>(n) * SIZE * (1 + written),
            [this, runs, n](const bench::Output &output) { return check(runs, n, output); },
            runs.distribution,
            "",
            runs.content,
            "",
            SIZE};
}

void UniqueSuite::add_variant(const Runs &runs, std::size_t n, const std::string &name, clprim_select_variant variant)
{
    add_clprim(work(runs, n), name, n * SIZE, [=](cl_mem out) -> std::function<void()> {
        clprim_unique_desc desc{};
        desc.type = TYPE;
        desc.index_type = CLPRIM_U64;
        desc.variant = variant;
        clprim_plan *const unique = plans_.get(std::to_string(variant), [&](clprim_plan **made) {
            return clprim_unique_create(made, session_.runtime(), &desc);
        });
        const cl_mem in = session_.inputs(runs.content).device(TYPE, n);
        const cl_mem count = selected();
        const cl_command_queue queue = session_.queue();
        const clprim_unique_call call{.in = {in}, .count = n, .out = {out}, .out_count = {count}};
        return [=] {
            bench::require(clprim_unique_enqueue(unique, queue, &call, 0, nullptr, nullptr), "clprim_unique_enqueue");
        };
    });
}

void UniqueSuite::add_peers(const Runs &runs, std::size_t n)
{
    const bench::Work at = work(runs, n);
#if CLPRIM_BENCH_HAVE_CUB
    add_cub(at, [=](bool wide) { return peers::cub_unique(n, wide); });
#endif
#if CLPRIM_BENCH_HAVE_BOOST_COMPUTE
    add_boost_compute(at, [=](const peers::BoostTarget &target) { return peers::boost_compute_unique(target, n); });
#endif
    const std::pair<const char *, peers::HostUnique> on_host[] = {
        {"std_par", peers::std_par_unique()}, {"std", peers::std_unique()}, {"c", peers::c_unique()}};
    for (const auto &[name, function] : on_host)
        if (function != nullptr)
            add_host(at, name, n * SIZE, [this, runs, n, function = function]() -> HostCall {
                const void *const in = session_.inputs(runs.content).host(TYPE, n);
                return [=](void *out) { return function(out, in, n); };
            });
}

void UniqueSuite::add(const Runs &runs)
{
    for (const std::size_t n : session_.sizes(bench::FEW_SIZES, SIZE, 2 * SIZE)) {
        add_variant(runs, n, "", CLPRIM_SELECT_AUTO);
        add_peers(runs, n);
    }
    std::size_t count = 0;
    const clprim_variant_info *variants = clprim_select_operation.variants(&count);
    if (runs.content == bench::Content::runs8)
        for (const std::size_t n : session_.sizes(bench::QUICK_LADDER, SIZE, 2 * SIZE))
            for (std::size_t i = 0; i < count; i++)
                add_variant(runs, n, variants[i].name, static_cast<clprim_select_variant>(variants[i].id));
}

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "unique");
    UniqueSuite suite(session);
    for (const Runs &runs : bench::RUNS)
        suite.add(runs);
    return session.run();
}

// bench_comparison_sort.cpp: sorts by comparisons, every variant of them, beside those of others.
#include "peers/comparison_sort_peers.hpp"
#include "sort_check.hpp"
#include "suite.hpp"

#include <clprim/comparison_sort.h>

#include <cstdint>

namespace {

using bench::Content;

struct Operation {
    const char *name;
    bool pairs; // with values of the keys' type: the indices
    clprim_type type;
    std::size_t words; // of it in an element, of which the first one is compared
    bool stable;
    bool ladder; // every variant that can do it, not AUTO alone

    std::string type_name() const
    {
        const std::string keys = clprim_type_name(type);
        return pairs ? keys + "_" + keys : words > 1 ? keys + "x" + std::to_string(words) : keys;
    }
    std::string key(std::size_t n) const
    {
        return std::string(name) + "/" + type_name() + "/" + std::to_string(n);
    }
    std::size_t out_size() const // of an element: its key and its value
    {
        return clprim_type_size(type) * words * (pairs ? 2 : 1);
    }
};

// By type, since Inputs holds one at a time. All in an order given as text, without which AUTO would not compare at
// all.
const Operation OPERATIONS[] = {
    {"comparison_sort", false, CLPRIM_U32, 1, false, true},
    {"comparison_sort_stable", false, CLPRIM_U32, 1, true, true},
    {"comparison_sort_pairs", true, CLPRIM_U32, 1, false, true},
    {"comparison_sort_custom", false, CLPRIM_U32, 4, false, false},
    {"comparison_sort", false, CLPRIM_F32, 1, false, false},
    {"comparison_sort", false, CLPRIM_U64, 1, false, false},
};

const std::vector<int> KEYS_SIZES = {10, 12, 14, 16, 18, 20, 22, 24, 26, 28};
const std::vector<int> LADDER_SIZES = {12, 16, 20, 24};
constexpr std::size_t MAX_ON_HOST = std::size_t{1} << 24; // std::sort: 20 s at 2^28

class ComparisonSortSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Operation &operation);

  private:
    bench::Work work(const Operation &operation, std::size_t n);
    void add_variant(const Operation &operation, std::size_t n, const std::string &name,
                     clprim_comparison_sort_variant variant);
    void add_peers(const Operation &operation, std::size_t n);
    void add_host_peers(const Operation &operation, std::size_t n);
    std::vector<std::size_t> sizes(const Operation &operation, const std::vector<int> &logs) const;
    std::function<void()> bind(const Operation &operation, std::size_t n, clprim_plan *plan, cl_mem out);
    std::string check(const Operation &operation, std::size_t n, const bench::Output &output);

    std::string hashed_; // what the hashes are of
    std::uint64_t hashes_ = 0;
    bench::Plans<clprim_plan> plans_{clprim_plan_destroy};
};

std::string ComparisonSortSuite::check(const Operation &operation, std::size_t n, const bench::Output &output)
{
    const bool is_wide = clprim_type_size(operation.type) == 8;
    if (operation.key(n) != hashed_) {
        const auto hashes = operation.words > 1 ? bench::input_hashes<peers::Record>
                            : is_wide           ? bench::input_hashes<std::uint64_t>
                                                : bench::input_hashes<std::uint32_t>;
        hashes_ = hashes(session_.inputs().host(operation.type, n * operation.words), n, operation.pairs);
        hashed_ = operation.key(n);
    }
    const auto check_all = operation.words > 1            ? bench::check_order<peers::Record>
                           : operation.type == CLPRIM_F32 ? bench::check_order<float>
                           : operation.type == CLPRIM_U32 ? bench::check_order<std::uint32_t>
                                                          : bench::check_order<std::uint64_t>;
    return check_all(output, n, operation.pairs, hashes_);
}

bench::Work ComparisonSortSuite::work(const Operation &operation, std::size_t n)
{
    bench::Work work{operation.name, operation.type, n, static_cast<double>(2 * n * operation.out_size()),
                     [this, operation, n](const bench::Output &output) { return check(operation, n, output); }};
    work.type_name = operation.type_name();
    work.words = operation.words;
    return work;
}

// One call: to the keys, and behind them the values.
std::function<void()> ComparisonSortSuite::bind(const Operation &operation, std::size_t n, clprim_plan *plan,
                                                cl_mem out)
{
    clprim_comparison_sort_call call{
        .keys_in = {session_.inputs().device(operation.type, n * operation.words)}, .count = n, .keys_out = {out}};
    const cl_command_queue queue = session_.queue();
    if (operation.pairs) {
        call.values_in = {session_.inputs(Content::indices).device(operation.type, n)};
        call.values_out = {out, n};
    }
    return [=] {
        bench::require(clprim_comparison_sort_enqueue(plan, queue, &call, 0, nullptr, nullptr),
                       "clprim_comparison_sort_enqueue");
    };
}

void ComparisonSortSuite::add_variant(const Operation &operation, std::size_t n, const std::string &name,
                                      clprim_comparison_sort_variant variant)
{
    add_clprim(work(operation, n), name, n * operation.out_size(), [=](cl_mem out) {
        clprim_comparison_sort_desc desc{};
        desc.key_type = operation.type;
        if (variant != CLPRIM_COMPARISON_SORT_RADIX)
            desc.less = operation.words > 1 ? "a.key < b.key" : "a < b";
        if (operation.words > 1) {
            desc.source = "typedef struct { uint key, other[3]; } record;";
            desc.type_name = "record";
            desc.type_size = sizeof(peers::Record);
        }
        desc.stable = operation.stable;
        desc.value_size = operation.pairs ? clprim_type_size(operation.type) : 0;
        desc.variant = variant;
        desc.max_count = n;
        clprim_plan *const plan = plans_.get(
            operation.name + operation.type_name() + std::to_string(n) + "/" + std::to_string(variant),
            [&](clprim_plan **made) { return clprim_comparison_sort_create(made, session_.runtime(), &desc); });
        return bind(operation, n, plan, out);
    });
}

void ComparisonSortSuite::add_peers(const Operation &operation, std::size_t n)
{
    const bench::Work at = work(operation, n);
    [[maybe_unused]] const clprim_type type = operation.type;
    [[maybe_unused]] const bool pairs = operation.pairs;
    [[maybe_unused]] const bool records = operation.words > 1;
#if CLPRIM_BENCH_HAVE_CUB
    add_cub(
        at,
        [=](bool wide) {
            return records ? peers::cub_merge_sort_records(n, wide) : peers::cub_merge_sort(type, pairs, n, wide);
        },
        pairs ? Content::indices : Content::values);
#endif
#if CLPRIM_BENCH_HAVE_BOOST_COMPUTE
    if (!pairs && !records)
        add_boost_compute(
            at, [=](const peers::BoostTarget &target) { return peers::boost_compute_merge_sort(target, type, n); });
#endif
    if (n <= MAX_ON_HOST)
        add_host_peers(operation, n);
}

void ComparisonSortSuite::add_host_peers(const Operation &operation, std::size_t n)
{
    const bench::Work at = work(operation, n);
    const clprim_type type = operation.type;
    const auto add_pairs = [&](const char *name, peers::HostSortPairs sort) {
        add_host(at, name, n * operation.out_size(), [this, type, sort, n]() -> HostCall {
            const void *const keys = session_.inputs().host(type, n);
            const void *const values = session_.inputs(Content::indices).host(type, n);
            return [=](void *out) {
                sort(out, keys, values, n);
                return n;
            };
        });
    };
    const auto add_keys = [&](const bench::Work &row, const char *name, peers::HostSort sort) {
        const auto bind = [sort, n]() -> HostCall {
            return [sort, n](void *out) {
                sort(out, n);
                return n;
            };
        };
        if (sort != nullptr)
            add_host(row, name, n * operation.out_size(), bind, true);
    };
    if (operation.pairs) {
        add_pairs("std", peers::std_sort_pairs());
        add_pairs("std_stable", peers::std_stable_sort_pairs());
        return;
    }
    bench::Work by_tbb = at;
    by_tbb.peers_differ = "tbb::parallel_sort";
    const bool records = operation.words > 1;
    add_keys(by_tbb, "std_par", records ? peers::tbb_sort_records() : peers::tbb_sort(type));
    add_keys(at, "std", records ? peers::std_sort_records() : peers::std_sort(type));
    add_keys(at, "std_stable", records ? peers::std_stable_sort_records() : peers::std_stable_sort(type));
}

// The output in one piece; and all arrays together, scratch memory among them.
std::vector<std::size_t> ComparisonSortSuite::sizes(const Operation &operation, const std::vector<int> &logs) const
{
    return session_.sizes(logs, operation.out_size(), 3 * operation.out_size());
}

void ComparisonSortSuite::add(const Operation &operation)
{
    std::size_t count = 0;
    const clprim_variant_info *variants = clprim_comparison_sort_operation.variants(&count);
    for (const std::size_t n : sizes(operation, session_.quick() ? bench::FEW_SIZES : KEYS_SIZES)) {
        add_variant(operation, n, "", CLPRIM_COMPARISON_SORT_AUTO);
        add_peers(operation, n);
    }
    for (const std::size_t n : sizes(operation, session_.quick() ? bench::QUICK_LADDER : LADDER_SIZES))
        for (std::size_t i = 0; operation.ladder && i < count; i++)
            if (!operation.stable || variants[i].keeps_order)
                add_variant(operation, n, variants[i].name,
                            static_cast<clprim_comparison_sort_variant>(variants[i].id));
}

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "comparison_sort");
    ComparisonSortSuite suite(session);
    for (const Operation &operation : OPERATIONS)
        suite.add(operation);
    return session.run();
}

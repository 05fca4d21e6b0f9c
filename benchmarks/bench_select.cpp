// bench_select.cpp: selections and partitions by clPRIM, every variant of them, and by others.
#include "peers/select_peers.hpp"
#include "suite.hpp"

#include <clprim/reference.h>
#include <clprim/select.h>

#include <algorithm>

namespace {

using peers::Select;

struct Operation {
    const char *name;
    Select select;
    clprim_type type;
    const char *distribution; // which share is selected
    double share;
    double limit;          // the elements below are selected, where not by flags
    const char *predicate; // the same for clPRIM
    bool ladder;           // every variant, not AUTO alone

    bool by_flags() const
    {
        return select == Select::flagged;
    }
    std::string key() const
    {
        return std::string(name) + clprim_type_name(type) + distribution;
    }
};

// By type, since Inputs holds one type at a time.
const Operation OPERATIONS[] = {
    {"select_if", Select::below, CLPRIM_I32, "uniform", 0.5, 0, "x < 0", true},
    {"select_if", Select::below, CLPRIM_I32, "select10", 0.1, -1717986918, "x < -1717986918", false},
    {"select_if", Select::below, CLPRIM_I32, "select90", 0.9, 1717986918, "x < 1717986918", false},
    {"select_flagged", Select::flagged, CLPRIM_I32, "uniform", 0.5, 0, nullptr, false},
    {"partition", Select::partition, CLPRIM_I32, "uniform", 0.5, 0, "x < 0", false},
    {"select_if", Select::below, CLPRIM_F32, "uniform", 0.5, 0, "x < 0.0f", false},
};

// The reference's partition of the longest input asked for so far: what is selected of a shorter one comes first in it,
// what is not comes first among its others.
struct Expected {
    std::string key;
    std::size_t n = 0;
    std::size_t selected = 0;
    std::unique_ptr<unsigned char[]> elements;
    std::vector<std::uint8_t> keep;
};

class SelectSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Operation &operation);

  private:
    bench::Work work(const Operation &operation, std::size_t n);
    void add_variant(const Operation &operation, std::size_t n, const std::string &name, clprim_select_variant variant);
    void add_peers(const Operation &operation, std::size_t n);
    std::vector<std::size_t> sizes(const Operation &operation, const std::vector<int> &logs) const;
    const std::uint8_t *host_flags(const Operation &operation, std::size_t n);
    void fill_keep(std::vector<std::uint8_t> &keep, const Operation &operation, std::size_t n);
    const Expected &expected(const Operation &operation, std::size_t n);
    std::string check(const Operation &operation, std::size_t n, const bench::Output &output);

    Expected expected_;
    bench::Plans<clprim_plan> plans_{clprim_plan_destroy};
};

// Null where there are none.
const std::uint8_t *SelectSuite::host_flags(const Operation &operation, std::size_t n)
{
    if (!operation.by_flags())
        return nullptr;
    return static_cast<const std::uint8_t *>(session_.inputs(bench::Content::flags).host(CLPRIM_U8, n));
}

void SelectSuite::fill_keep(std::vector<std::uint8_t> &keep, const Operation &operation, std::size_t n)
{
    const auto below = [&](const auto *x) {
        for (std::size_t i = 0; i < n; i++)
            keep[i] = static_cast<double>(x[i]) < operation.limit;
    };
    keep.resize(n);
    if (const std::uint8_t *flags = host_flags(operation, n))
        std::copy_n(flags, n, keep.begin());
    else if (const void *in = session_.inputs().host(operation.type, n); operation.type == CLPRIM_F32)
        below(static_cast<const float *>(in));
    else
        below(static_cast<const std::int32_t *>(in));
}

const Expected &SelectSuite::expected(const Operation &operation, std::size_t n)
{
    if (operation.key() == expected_.key && n <= expected_.n)
        return expected_;
    const std::size_t size = clprim_type_size(operation.type);
    expected_ = Expected();
    expected_.elements.reset(new unsigned char[n * size]);
    fill_keep(expected_.keep, operation, n);
    bench::require(clprim_reference_select(expected_.elements.get(), &expected_.selected, size, expected_.keep.data(),
                                           true, session_.inputs().host(operation.type, n), n),
                   "clprim_reference_select");
    expected_.key = operation.key();
    expected_.n = n;
    return expected_;
}

// "" or what is wrong: the count, then the elements, bit for bit. Peers put those that were not selected at the end in
// reverse.
std::string SelectSuite::check(const Operation &operation, std::size_t n, const bench::Output &output)
{
    const std::size_t size = clprim_type_size(operation.type);
    const Expected &wanted = expected(operation, n);
    const auto selected = static_cast<std::size_t>(std::count_if(wanted.keep.begin(),
                                                                 wanted.keep.begin() + static_cast<std::ptrdiff_t>(n),
                                                                 [](std::uint8_t keep) { return keep != 0; }));
    if (output.selected() != selected)
        return "wrong result: " + std::to_string(output.selected()) + " elements selected, by the reference " +
               std::to_string(selected);
    std::string wrong = bench::check_pieces(
        output, selected, size, [&](std::size_t begin, std::size_t count, const unsigned char *got) {
            return bench::check_bits(wanted.elements.get(), got, begin, count, size);
        });
    if (operation.select != Select::partition || !wrong.empty())
        return wrong;
    const std::size_t others = n - selected;
    const unsigned char *const first_other = wanted.elements.get() + wanted.selected * size;
    bench::Output rest;
    std::vector<unsigned char> reversed;
    rest.read = [&](void *to, std::size_t offset, std::size_t bytes) {
        if (!output.by_peer)
            return output.read(to, selected * size + offset, bytes);
        reversed.resize(bytes);
        output.read(reversed.data(), n * size - offset - bytes, bytes);
        for (std::size_t i = 0; i < bytes; i += size)
            std::copy_n(reversed.data() + (bytes - size - i), size, static_cast<unsigned char *>(to) + i);
    };
    wrong =
        bench::check_pieces(rest, others, size, [&](std::size_t begin, std::size_t count, const unsigned char *got) {
            return bench::check_bits(first_other, got, begin, count, size);
        });
    return wrong.empty() ? wrong : wrong + ", counted among those that were not selected";
}

// The bytes count what the distribution selects on average.
bench::Work SelectSuite::work(const Operation &operation, std::size_t n)
{
    const double written = operation.select == Select::partition ? 1 : operation.share;
    const double bytes = static_cast<double>(clprim_type_size(operation.type)) * (1 + written) + operation.by_flags();
    return {operation.name,
            operation.type,
            n,
            static_cast<double>(n) * bytes,
            [this, operation, n](const bench::Output &output) { return check(operation, n, output); },
            operation.distribution,
            operation.select == Select::partition ? "the others in reverse" : "",
            bench::Content::values,
            "",
            operation.select == Select::partition ? 0 : clprim_type_size(operation.type)};
}

void SelectSuite::add_variant(const Operation &operation, std::size_t n, const std::string &name,
                              clprim_select_variant variant)
{
    add_clprim(
        work(operation, n), name, n * clprim_type_size(operation.type), [=](cl_mem out) -> std::function<void()> {
            clprim_select_desc desc{};
            desc.type = operation.type;
            desc.predicate = operation.predicate;
            desc.partition = operation.select == Select::partition;
            desc.index_type = CLPRIM_U64;
            desc.variant = variant;
            clprim_plan *const select = plans_.get(operation.key() + std::to_string(variant), [&](clprim_plan **made) {
                return clprim_select_create(made, session_.runtime(), &desc);
            });
            const cl_mem in = session_.inputs().device(operation.type, n);
            const cl_mem count = selected();
            const cl_command_queue queue = session_.queue();
            clprim_select_call call{};
            call.in.buffer = in;
            if (operation.by_flags())
                call.flags.buffer = session_.inputs(bench::Content::flags).device(CLPRIM_U8, n);
            call.count = n;
            call.out.buffer = out;
            call.out_count.buffer = count;
            return [=] {
                bench::require(clprim_select_enqueue(select, queue, &call, 0, nullptr, nullptr),
                               "clprim_select_enqueue");
            };
        });
}

void SelectSuite::add_peers(const Operation &operation, std::size_t n)
{
    const bench::Work at = work(operation, n);
    const Select select = operation.select;
    const clprim_type type = operation.type;
#if CLPRIM_BENCH_HAVE_CUB
    add_cub(
        at, [=, limit = operation.limit](bool wide) { return peers::cub_select(select, type, n, limit, wide); },
        operation.by_flags() ? bench::Content::flags : bench::Content::values);
#endif
#if CLPRIM_BENCH_HAVE_BOOST_COMPUTE
    if (select == Select::below)
        add_boost_compute(at, [=, limit = operation.limit](const peers::BoostTarget &target) {
            return peers::boost_compute_select(target, select, type, n, limit);
        });
#endif
    const std::pair<const char *, peers::HostSelect> on_host[] = {{"std_par", peers::std_par_select(select, type)},
                                                                  {"std", peers::std_select(select, type)},
                                                                  {"c", peers::c_select(select, type)}};
    for (const auto &[name, function] : on_host)
        if (function != nullptr)
            add_host(at, name, n * clprim_type_size(type), [this, operation, n, function = function]() -> HostCall {
                const void *const in = session_.inputs().host(operation.type, n);
                const std::uint8_t *const flags = host_flags(operation, n);
                return [=](void *out) { return function(out, in, flags, n, operation.limit); };
            });
}

std::vector<std::size_t> SelectSuite::sizes(const Operation &operation, const std::vector<int> &logs) const
{
    const std::size_t size = clprim_type_size(operation.type);
    return session_.sizes(logs, size, 2 * size + operation.by_flags());
}

void SelectSuite::add(const Operation &operation)
{
    const bool few = session_.quick() || !operation.ladder;
    for (const std::size_t n : sizes(operation, few ? bench::FEW_SIZES : bench::ALL_SIZES)) {
        add_variant(operation, n, "", CLPRIM_SELECT_AUTO);
        add_peers(operation, n);
    }
    if (!operation.ladder)
        return;
    std::size_t count = 0;
    const clprim_variant_info *variants = clprim_select_operation.variants(&count);
    for (const std::size_t n : sizes(operation, session_.quick() ? bench::QUICK_LADDER : bench::FEW_SIZES))
        for (std::size_t i = 0; i < count; i++)
            add_variant(operation, n, variants[i].name, static_cast<clprim_select_variant>(variants[i].id));
}

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "select");
    SelectSuite suite(session);
    for (const Operation &operation : OPERATIONS)
        suite.add(operation);
    return session.run();
}

// SPDX-License-Identifier: MIT
// bench_select.cpp: selections by clPRIM, every variant of them, and by others.
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
};

// By type, since Inputs holds one type at a time.
const Operation OPERATIONS[] = {
    {"select_if", Select::below, CLPRIM_I32, "uniform", 0.5, 0, "x < 0", true},
    {"select_if", Select::below, CLPRIM_I32, "select10", 0.1, -1717986918, "x < -1717986918", false},
    {"select_if", Select::below, CLPRIM_I32, "select90", 0.9, 1717986918, "x < 1717986918", false},
    {"select_flagged", Select::flagged, CLPRIM_I32, "uniform", 0.5, 0, nullptr, false},
    {"select_if", Select::below, CLPRIM_F32, "uniform", 0.5, 0, "x < 0.0f", false},
};

// The reference's selection.
struct Expected {
    std::size_t selected = 0;
    std::vector<unsigned char> elements;
};

class SelectSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Operation &operation);

  private:
    bench::Work work(const Operation &operation, std::size_t n);
    Bind bind(const Operation &operation, std::size_t n);
    void add_peers(const bench::Work &work, const Operation &operation);
    std::vector<std::uint8_t> keep(const Operation &operation, std::size_t n);
    const Expected &expected(const Operation &operation, std::size_t n);
    std::string check(const Operation &operation, std::size_t n, const bench::Output &output);

    bench::Last<Expected> expected_;
};

std::vector<std::uint8_t> SelectSuite::keep(const Operation &operation, std::size_t n)
{
    std::vector<std::uint8_t> keep(n);
    const auto below = [&](const auto *x) {
        for (std::size_t i = 0; i < n; i++)
            keep[i] = static_cast<double>(x[i]) < operation.limit;
    };
    if (operation.by_flags())
        std::copy_n(host_flags(n), n, keep.begin());
    else if (const void *in = session_.inputs().host(operation.type, n); operation.type == CLPRIM_F32)
        below(static_cast<const float *>(in));
    else
        below(static_cast<const std::int32_t *>(in));
    return keep;
}

const Expected &SelectSuite::expected(const Operation &operation, std::size_t n)
{
    const auto key = std::string(operation.name) + clprim_type_name(operation.type) + operation.distribution;
    return expected_.get(key + "/" + std::to_string(n), [&] {
        const std::size_t size = clprim_type_size(operation.type);
        Expected made{0, std::vector<unsigned char>(n * size)};
        bench::require(clprim_reference_select(made.elements.data(), &made.selected, size, keep(operation, n).data(),
                                               session_.inputs().host(operation.type, n), n),
                       "clprim_reference_select");
        return made;
    });
}

// "" or what is wrong: the count, then the elements, bit for bit.
std::string SelectSuite::check(const Operation &operation, std::size_t n, const bench::Output &output)
{
    const std::size_t size = clprim_type_size(operation.type);
    const auto &[selected, elements] = expected(operation, n);
    const std::string wrong = bench::check_selected(output, selected, "elements selected");
    return !wrong.empty() ? wrong : bench::check_bits(output, selected, size, {{elements.data()}});
}

// The bytes count what the distribution selects on average.
bench::Work SelectSuite::work(const Operation &operation, std::size_t n)
{
    const std::size_t size = clprim_type_size(operation.type);
    const double bytes = static_cast<double>(size) * (1 + operation.share) + operation.by_flags();
    return {.op = operation.name,
            .type = operation.type,
            .n = n,
            .bytes = static_cast<double>(n) * bytes,
            .out_bytes = n * size,
            .check = [=, this](const bench::Output &output) { return check(operation, n, output); },
            .distribution = operation.distribution,
            .selected_size = size};
}

bench::Suite::Bind SelectSuite::bind(const Operation &operation, std::size_t n)
{
    return [=, this](cl_mem out, int variant) {
        const clprim_select_desc desc{
            .type = operation.type, .predicate = operation.predicate, .index_type = CLPRIM_U64};
        clprim_select_call call{
            .in = {session_.inputs().device(operation.type, n)}, .count = n, .out = {out}, .out_count = {selected()}};
        if (operation.by_flags())
            call.flags = {session_.inputs(bench::Content::flags).device(CLPRIM_U8, n)};
        return enqueue(clprim_select_operation, variant, desc, call);
    };
}

void SelectSuite::add_peers(const bench::Work &work, const Operation &operation)
{
    const Select select = operation.select;
    const clprim_type type = operation.type;
    const double limit = operation.limit;
    const std::size_t n = work.n;
    if constexpr (bench::HAVE_CUB)
        add_cub(
            work, [=](bool wide) { return peers::cub_select(select, type, n, limit, wide); },
            operation.by_flags() ? bench::Content::flags : bench::Content::values);
    if constexpr (bench::HAVE_BOOST_COMPUTE)
        if (select == Select::below)
            add_boost_compute(
                work, [=](const auto &target) { return peers::boost_compute_select(target, select, type, n, limit); });
    add_host<peers::HostSelect>(work,
                                {{"std_par", peers::std_par_select(select, type)},
                                 {"std", peers::std_select(select, type)},
                                 {"c", peers::c_select(select, type)}},
                                [=, this](peers::HostSelect function) {
                                    const void *const in = session_.inputs().host(type, n);
                                    const std::uint8_t *const flags = operation.by_flags() ? host_flags(n) : nullptr;
                                    return [=](void *out) { return function(out, in, flags, n, limit); };
                                });
}

void SelectSuite::add(const Operation &operation)
{
    const auto sizes = [&, size = clprim_type_size(operation.type)](const std::vector<int> &logs) {
        return session_.sizes(logs, size, 2 * size + operation.by_flags());
    };
    for (const std::size_t n : sizes(session_.quick() || !operation.ladder ? bench::FEW_SIZES : bench::ALL_SIZES)) {
        add_auto(work(operation, n), bind(operation, n));
        add_peers(work(operation, n), operation);
    }
    if (operation.ladder)
        for (const std::size_t n : sizes(session_.quick() ? bench::QUICK_LADDER : bench::FEW_SIZES))
            add_variants(work(operation, n), clprim_select_operation, bind(operation, n));
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run<SelectSuite>(argc, argv, "select", OPERATIONS);
}

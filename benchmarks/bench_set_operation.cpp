// SPDX-License-Identifier: MIT
// bench_set_operation.cpp: set operations by clPRIM, every variant of them, and by others: of two halves of n elements,
// each in order.
#include "peers/set_operation_peers.hpp"
#include "suite.hpp"

#include <clprim/reference.h>
#include <clprim/set_operation.h>

#include <algorithm>

namespace {

const std::vector<int> SIZES = {16, 20, 24, 26, 28};
constexpr std::size_t MAX_ON_HOST = std::size_t{1} << 26;

struct Operation {
    const char *name;
    clprim_set_op op;
    clprim_type type;
    const char *distribution;
    bench::Content content;
    bool ladder; // every variant, not AUTO alone
};

// By type and content, since Inputs holds one at a time.
const Operation OPERATIONS[] = {
    {"set_union", CLPRIM_SET_UNION, CLPRIM_U32, "uniform", bench::Content::values, true},
    {"set_intersection", CLPRIM_SET_INTERSECTION, CLPRIM_U32, "uniform", bench::Content::values, true},
    {"set_difference", CLPRIM_SET_DIFFERENCE, CLPRIM_U32, "uniform", bench::Content::values, false},
    {"set_symmetric_difference", CLPRIM_SET_SYMMETRIC_DIFFERENCE, CLPRIM_U32, "uniform", bench::Content::values, false},
    {"set_union", CLPRIM_SET_UNION, CLPRIM_U32, "few", bench::Content::few, false},
    {"set_union", CLPRIM_SET_UNION, CLPRIM_U32, "constant", bench::Content::constant, false},
    {"set_union", CLPRIM_SET_UNION, CLPRIM_U64, "uniform", bench::Content::values, false},
    {"set_intersection", CLPRIM_SET_INTERSECTION, CLPRIM_U64, "uniform", bench::Content::values, false},
};

// Both arrays, one behind the other, and what becomes of them.
struct Case {
    std::vector<unsigned char> in, expected;
    std::size_t found = 0;
    bench::Buffer device;
};

// Numbers below n, so that about a third of the elements of one array are in the other, some of them more than once.
template <class T> void make_common(void *keys, std::size_t n)
{
    T *const x = static_cast<T *>(keys);
    std::for_each(x, x + n, [n](T &key) { key %= static_cast<T>(n); });
}

class SetSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Operation &operation);

  private:
    void add_peers(const bench::Work &work, const Operation &operation);
    const Case &case_of(const Operation &operation, std::size_t n);
    std::string check(const Operation &operation, std::size_t n, const bench::Output &output);

    bench::Last<Case> case_;
};

const Case &SetSuite::case_of(const Operation &operation, std::size_t n)
{
    const std::string key = std::string(operation.name) + clprim_type_name(operation.type) + operation.distribution;
    return case_.get(key + "/" + std::to_string(n), [&] {
        const std::size_t size = clprim_type_size(operation.type);
        const auto *all =
            static_cast<const unsigned char *>(session_.inputs(operation.content).host(operation.type, n));
        const std::size_t half = n / 2 * size; // bytes
        const clprim_reference_sort_how how{.key_type = operation.type};
        const clprim_reference_order order{.type = operation.type};
        Case made;
        made.in.assign(all, all + 2 * half);
        made.expected.resize(2 * half);
        unsigned char *const in = made.in.data();
        if (operation.content == bench::Content::values)
            (size == 4 ? make_common<std::uint32_t> : make_common<std::uint64_t>)(in, n / 2 * 2);
        for (unsigned char *const array : {in, in + half})
            bench::require(clprim_reference_sort(array, nullptr, &how, n / 2), "clprim_reference_sort");
        bench::require(clprim_reference_set_operation(made.expected.data(), nullptr, &made.found, operation.op, &order,
                                                      0, in, nullptr, n / 2, in + half, nullptr, n / 2),
                       "clprim_reference_set_operation");
        made.device = session_.new_buffer(2 * half, in);
        return made;
    });
}

std::string SetSuite::check(const Operation &operation, std::size_t n, const bench::Output &output)
{
    const Case &wanted = case_of(operation, n);
    const std::string wrong = bench::check_selected(output, wanted.found, "elements");
    if (!wrong.empty())
        return wrong;
    return bench::check_bits(output, wanted.found, clprim_type_size(operation.type), {{wanted.expected.data()}});
}

void SetSuite::add_peers(const bench::Work &work, const Operation &operation)
{
    const clprim_type type = work.type;
    const clprim_set_op op = operation.op;
    const std::size_t n = work.n;
    if constexpr (bench::HAVE_CUB)
        add_cub_once(work, [=, &operation, this] {
            return peers::cub_set_operation(op, type, case_of(operation, n).in.data(), n / 2, n / 2);
        });
    if (n <= MAX_ON_HOST)
        add_host<peers::HostSetOperation>(
            work, {{"std_par", peers::std_set_operation_par(op, type)}, {"std", peers::std_set_operation(op, type)}},
            [=, &operation, this](peers::HostSetOperation function) {
                return [=, in = case_of(operation, n).in.data()](void *out) { return function(out, in, n / 2, n / 2); };
            });
}

void SetSuite::add(const Operation &operation)
{
    const std::size_t size = clprim_type_size(operation.type);
    for (const std::size_t n : session_.sizes(session_.quick() ? bench::FEW_SIZES : SIZES, size, 3 * size)) {
        const auto bind = [=, &operation, this](cl_mem out, int variant) {
            const cl_mem in = case_of(operation, n).device.get();
            return enqueue(
                clprim_set_operation_operation, variant,
                clprim_set_operation_desc{.key_type = operation.type, .op = operation.op, .index_type = CLPRIM_U64},
                clprim_set_operation_call{.a_keys = {in},
                                          .b_keys = {in, n / 2},
                                          .a_count = n / 2,
                                          .b_count = n / 2,
                                          .keys_out = {out},
                                          .out_count = {selected()}});
        };
        const bench::Work work{
            .op = operation.name,
            .type = operation.type,
            .n = n,
            .bytes = static_cast<double>(n * size), // of the arrays; how much is written depends on them
            .out_bytes = n * size,
            .check = [=, &operation, this](const bench::Output &output) { return check(operation, n, output); },
            .distribution = operation.distribution,
            .content = operation.content,
            .selected_size = size};
        add_auto(work, bind);
        add_peers(work, operation);
        if (operation.ladder)
            add_variants(work, clprim_set_operation_operation, bind);
    }
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run<SetSuite>(argc, argv, "set_operation", OPERATIONS);
}

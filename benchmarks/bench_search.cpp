// SPDX-License-Identifier: MIT
// bench_search.cpp: lower bounds of n needles in n elements by clPRIM, every variant of them, and by others.
#include "peers/search_peers.hpp"
#include "suite.hpp"

#include <clprim/reference.h>
#include <clprim/search.h>

#include <cstdint>

namespace {

struct Operation {
    const char *name;
    clprim_type type;
    bool sorted; // needles
};

const Operation OPERATIONS[] = {
    {"search", CLPRIM_U32, false},
    {"search_sorted", CLPRIM_U32, true},
    {"search", CLPRIM_U64, false},
};

const std::vector<int> SIZES = {16, 20, 24, 26};
constexpr std::size_t MAX_ON_HOST = std::size_t{1} << 24;

// Elements in order, needles, and where they belong.
struct Case {
    std::vector<unsigned char> in, needles;
    std::vector<cl_uint> expected;
    bench::Buffer device_in, device_needles;
};

class SearchSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Operation &operation);

  private:
    void add_peers(const bench::Work &work, const Operation &operation);
    const Case &case_of(const Operation &operation, std::size_t n);

    bench::Last<Case> case_;
};

const Case &SearchSuite::case_of(const Operation &operation, std::size_t n)
{
    const std::string key =
        std::string(operation.name) + "/" + clprim_type_name(operation.type) + "/" + std::to_string(n);
    return case_.get(key, [&] {
        const std::size_t bytes = n * clprim_type_size(operation.type);
        const auto *all = static_cast<const unsigned char *>(session_.inputs().host(operation.type, 2 * n));
        const clprim_reference_sort_how how{.key_type = operation.type};
        const clprim_reference_order order{.type = operation.type};
        std::vector<std::uint64_t> places(n);
        Case made;
        made.in.assign(all, all + bytes);
        made.needles.assign(all + bytes, all + 2 * bytes);
        bench::require(clprim_reference_sort(made.in.data(), nullptr, &how, n), "clprim_reference_sort");
        if (operation.sorted)
            bench::require(clprim_reference_sort(made.needles.data(), nullptr, &how, n), "clprim_reference_sort");
        bench::require(clprim_reference_search(places.data(), &order, false, made.in.data(), n, made.needles.data(), n),
                       "clprim_reference_search");
        made.expected.assign(places.begin(), places.end());
        made.device_in = session_.new_buffer(bytes, made.in.data());
        made.device_needles = session_.new_buffer(bytes, made.needles.data());
        return made;
    });
}

void SearchSuite::add_peers(const bench::Work &work, const Operation &operation)
{
    const std::size_t n = work.n;
    if constexpr (bench::HAVE_CUB)
        add_cub_once(work, [=, this] {
            const Case &at = case_of(operation, n);
            return peers::cub_search(operation.type, at.in.data(), n, at.needles.data(), n);
        });
    if (n <= MAX_ON_HOST)
        add_host<peers::HostSearch>(
            work, {{"std_par", peers::std_search_par(operation.type)}, {"std", peers::std_search(operation.type)}},
            [=, this](peers::HostSearch search) {
                const Case *const at = &case_of(operation, n);
                return [=](void *out) { search(out, at->in.data(), n, at->needles.data(), n); };
            });
}

void SearchSuite::add(const Operation &operation)
{
    const std::size_t size = clprim_type_size(operation.type);
    for (const std::size_t n : session_.sizes(session_.quick() ? bench::FEW_SIZES : SIZES, 2 * size, 4 * size)) {
        const auto check = [=, this](const bench::Output &output) {
            return bench::check_bits(output, n, sizeof(cl_uint), {{case_of(operation, n).expected.data()}});
        };
        const auto bind = [=, this](cl_mem out, int variant) {
            const Case &at = case_of(operation, n);
            return enqueue(clprim_search_operation, variant,
                           clprim_search_desc{.type = operation.type, .needles_are_sorted = operation.sorted},
                           clprim_search_call{.in = {at.device_in.get()},
                                              .needles = {at.device_needles.get()},
                                              .count = n,
                                              .needle_count = n,
                                              .out = {out}});
        };
        // At least all needles are read, all elements, and all indices written.
        const bench::Work work{
            operation.name,      operation.type, n, static_cast<double>(n * (2 * size + sizeof(cl_uint))),
            n * sizeof(cl_uint), check};
        add_auto(work, bind);
        add_peers(work, operation);
        if (operation.sorted)
            add_variants(work, clprim_search_operation, bind);
    }
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run<SearchSuite>(argc, argv, "search", OPERATIONS);
}

// SPDX-License-Identifier: MIT
// bench_nth_element.cpp: median, quartiles and percentiles by clPRIM, every variant of it, and by others.
#include "peers/nth_element_peers.hpp"
#include "suite.hpp"

#include <clprim/nth_element.h>
#include <clprim/reference.h>

#include <algorithm>
#include <cstdint>

namespace {

using bench::Content;

struct Operation {
    clprim_type type;
    std::size_t parts; // the ranks divide the sorted array into so many
    Content content;
    bool ladder; // every variant, not AUTO alone

    std::string distribution() const
    {
        const char *const ranks = parts == 2 ? "median" : parts == 4 ? "quartiles" : "percentiles";
        return std::string(ranks) + (content == Content::constant ? "_constant" : "");
    }
    peers::Ranks ranks(std::size_t n) const
    {
        peers::Ranks made;
        for (std::size_t i = 1; i < parts; i++)
            made.push_back(static_cast<std::uint32_t>(i * (n - 1) / parts));
        return made;
    }
};

// By type and content, since Inputs holds one of each at a time.
const Operation OPERATIONS[] = {
    {CLPRIM_U32, 2, Content::values, true},      {CLPRIM_U32, 4, Content::values, false},
    {CLPRIM_U32, 100, Content::values, true},    {CLPRIM_U32, 2, Content::constant, true},
    {CLPRIM_U32, 100, Content::constant, false}, {CLPRIM_F32, 2, Content::values, false},
    {CLPRIM_F32, 4, Content::values, false},     {CLPRIM_F32, 100, Content::values, false},
    {CLPRIM_U64, 2, Content::values, false},     {CLPRIM_U64, 4, Content::values, false},
    {CLPRIM_U64, 100, Content::values, false},
};

constexpr std::size_t MAX_ON_HOST = std::size_t{1} << 24;

struct Case {
    std::vector<unsigned char> expected;
    bench::Buffer ranks;
};

class NthElementSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Operation &operation);

  private:
    bench::Work work(const Operation &operation, std::size_t n);
    Bind bind(const Operation &operation, std::size_t n);
    void add_peers(const bench::Work &work, const Operation &operation);
    void add_top_k(const bench::Work &work, const Operation &operation);
    const Case &case_of(const Operation &operation, std::size_t n);
    std::string check(const Operation &operation, std::size_t n, const bench::Output &output);

    bench::Last<Case> case_;
};

const Case &NthElementSuite::case_of(const Operation &operation, std::size_t n)
{
    const std::string key = operation.distribution() + "/" + clprim_type_name(operation.type) + "/" + std::to_string(n);
    return case_.get(key, [&] {
        const std::size_t size = clprim_type_size(operation.type);
        const auto *const in =
            static_cast<const unsigned char *>(session_.inputs().of(operation.content).host(operation.type, n));
        const peers::Ranks ranks = operation.ranks(n);
        std::vector<unsigned char> copy(in, in + n * size);
        Case made;
        if (n <= MAX_ON_HOST) {
            const std::vector<std::uint64_t> wide(ranks.begin(), ranks.end());
            const clprim_reference_nth_element_how how{.key_type = operation.type};
            made.expected.resize(ranks.size() * size);
            bench::require(clprim_reference_nth_element(made.expected.data(), &how, in, n, wide.data(), wide.size()),
                           "clprim_reference_nth_element");
        } else { // the reference sorts all
            peers::std_nth_element(operation.type)(copy.data(), n, ranks);
            for (const std::size_t rank : ranks)
                made.expected.insert(made.expected.end(), &copy[rank * size], &copy[rank * size] + size);
        }
        made.ranks = session_.new_buffer(ranks.size() * sizeof ranks[0], ranks.data());
        return made;
    });
}

// "" or what is wrong. Peers leave the keys where they are in the sorted array.
std::string NthElementSuite::check(const Operation &operation, std::size_t n, const bench::Output &output)
{
    const std::size_t size = clprim_type_size(operation.type);
    const peers::Ranks ranks = operation.ranks(n);
    std::vector<unsigned char> got(ranks.size() * size);
    for (std::size_t i = 0; i < ranks.size(); i++)
        output.read(&got[i * size], (output.by_peer ? ranks[i] : i) * size, size);
    return got == case_of(operation, n).expected ? "" : "wrong result: other keys than the reference's";
}

// All keys are read once, and the ranks; their keys are written.
bench::Work NthElementSuite::work(const Operation &operation, std::size_t n)
{
    const std::size_t size = clprim_type_size(operation.type);
    const std::size_t count = operation.parts - 1;
    return {.op = "nth_element",
            .type = operation.type,
            .n = n,
            .bytes = static_cast<double>(n * size + count * (size + sizeof(std::uint32_t))),
            .out_bytes = count * size,
            .check = [=, this](const bench::Output &output) { return check(operation, n, output); },
            .distribution = operation.distribution(),
            .content = operation.content};
}

bench::Suite::Bind NthElementSuite::bind(const Operation &operation, std::size_t n)
{
    return [=, this](cl_mem out, int variant) {
        const Case &at = case_of(operation, n);
        const cl_mem in = session_.inputs().of(operation.content).device(operation.type, n);
        const std::size_t count = operation.parts - 1;
        return enqueue(
            clprim_nth_element_operation, variant,
            clprim_nth_element_desc{.key_type = operation.type, .max_ranks = count, .max_count = n},
            clprim_nth_element_call{
                .keys_in = {in}, .count = n, .ranks = {at.ranks.get()}, .rank_count = count, .keys_out = {out}});
    };
}

// The smallest keys up to the median, of which the largest is the result.
void NthElementSuite::add_top_k(const bench::Work &work, const Operation &operation)
{
    if constexpr (bench::HAVE_CUB) {
        const std::size_t n = work.n;
        const std::size_t rank = operation.ranks(n)[0];
        bench::Work smallest = work;
        smallest.peers_differ = "all keys up to the median";
        smallest.out_bytes = (rank + 1) * sizeof(std::uint32_t);
        smallest.check = [=, this](const bench::Output &output) -> std::string {
            std::vector<std::uint32_t> got(rank + 1);
            std::uint32_t wanted = 0;
            output.read(got.data(), 0, got.size() * sizeof got[0]);
            std::copy_n(case_of(operation, n).expected.data(), sizeof wanted,
                        reinterpret_cast<unsigned char *>(&wanted));
            return *std::max_element(got.begin(), got.end()) == wanted ? "" : "wrong result: another median";
        };
        add_cub(
            smallest, [=](bool wide) { return peers::cub_smallest(CLPRIM_U32, n, rank, wide); }, Content::values,
            "cub_top_k");
    }
}

void NthElementSuite::add_peers(const bench::Work &work, const Operation &operation)
{
    const clprim_type type = operation.type;
    const std::size_t n = work.n;
    bench::Work by_sorting = work;
    by_sorting.out_bytes = n * clprim_type_size(type);
    if constexpr (bench::HAVE_CUB) {
        by_sorting.peers_differ = "all are sorted";
        add_cub(by_sorting, [=](bool wide) { return peers::cub_nth_element(type, n, wide); });
        by_sorting.peers_differ = "";
    }
    if (type == CLPRIM_U32 && operation.parts == 2)
        add_top_k(work, operation);
    if (n > MAX_ON_HOST)
        return;
    // libstdc++'s parallel one splits off one element at a time from equal ones
    const bool in_parallel = operation.content == Content::values;
    add_host<peers::HostNthElement>(
        by_sorting,
        {{"std_par", in_parallel ? peers::std_par_nth_element(type) : nullptr, "nth_element"},
         {"std", peers::std_nth_element(type), "nth_element"},
         {"std_sort", peers::std_sort_all(type), "all are sorted"}},
        [=](peers::HostNthElement find) {
            return [=, ranks = operation.ranks(n)](void *keys) { find(keys, n, ranks); };
        },
        true);
}

void NthElementSuite::add(const Operation &operation)
{
    const std::size_t size = clprim_type_size(operation.type);
    for (const std::size_t n : session_.sizes(bench::FEW_SIZES, size, 4 * size)) { // a sort takes most
        const bench::Work row = work(operation, n);
        add_auto(row, bind(operation, n));
        add_peers(row, operation);
        if (operation.ladder)
            add_variants(row, clprim_nth_element_operation, bind(operation, n));
    }
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run<NthElementSuite>(argc, argv, "nth_element", OPERATIONS);
}

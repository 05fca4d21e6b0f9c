// SPDX-License-Identifier: MIT
// bench_chain.cpp: select, sort, unique and reduce_by_key one after another, each with the number of elements that the one
// before it found. Rows of `chain`: the counts stay on the device (.count_at). Rows of `chain_known`, the same with counts
// that the host has known before. Nothing waits for the host in either of them.
#include "suite.hpp"

#include <clprim/radix_sort.h>
#include <clprim/reduce_by_key.h>
#include <clprim/select.h>
#include <clprim/unique.h>

#include <algorithm>
#include <array>

namespace {

// Which share of the elements the selection keeps: those up to the limit.
struct Share {
    const char *name;
    cl_uint limit;
};
const Share SHARES[] = {{"keeps1", 42949673U}, {"keeps10", 429496730U}, {"keeps50", 2147483648U}, {"keeps100", ~0U}};

enum Count { SELECTED, KEPT, RUNS, COUNTS };

class ChainSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Share &share, std::size_t n);

  private:
    using Known = std::array<std::size_t, COUNTS>;

    const Known &known(const Share &share, std::size_t n);
    std::function<void()> chain(const Share &share, std::size_t n, cl_mem out, const Known *known);

    bench::Last<Known> known_;
    bench::Buffer filtered_, sorted_, distinct_, counts_;
    std::size_t room_ = 0;
};

// What the host would count.
const ChainSuite::Known &ChainSuite::known(const Share &share, std::size_t n)
{
    return known_.get(share.name + std::to_string(n), [&] {
        const auto *in = static_cast<const cl_uint *>(session_.inputs().host(CLPRIM_U32, n));
        std::vector<cl_uint> kept;
        std::copy_if(in, in + n, std::back_inserter(kept), [&](cl_uint x) { return x <= share.limit; });
        const std::size_t selected = kept.size();
        std::sort(kept.begin(), kept.end());
        const auto distinct = static_cast<std::size_t>(std::unique(kept.begin(), kept.end()) - kept.begin());
        return Known{selected, distinct, distinct};
    });
}

// known: the counts; nullptr: each is read from where the operation before wrote it.
std::function<void()> ChainSuite::chain(const Share &share, std::size_t n, cl_mem out, const Known *known)
{
    if (room_ < n) {
        filtered_ = session_.new_buffer(n * sizeof(cl_uint));
        sorted_ = session_.new_buffer(n * sizeof(cl_uint));
        distinct_ = session_.new_buffer(n * sizeof(cl_uint));
        counts_ = session_.new_buffer(COUNTS * sizeof(cl_uint));
        room_ = n;
    }
    const clprim_type at = known != nullptr ? CLPRIM_TYPE_DEFAULT : CLPRIM_U32;
    const auto count = [&](Count which) { return known != nullptr ? (*known)[which] : n; };
    const auto on_device = [&](Count which) {
        return known != nullptr ? clprim_array{} : clprim_array{.buffer = counts_.get(), .offset = which};
    };
    clprim_select_call select{.in = {session_.inputs().device(CLPRIM_U32, n)},
                              .count = n,
                              .out = {filtered_.get()},
                              .out_count = {counts_.get(), SELECTED}};
    select.arguments[0].host = const_cast<cl_uint *>(&share.limit);
    const std::array<std::function<void()>, 4> steps{
        enqueue(clprim_select_operation, 0,
                clprim_select_desc{.type = CLPRIM_U32,
                                   .predicate = "x <= limit",
                                   .text = {.parameters = {{.name = "limit", .type = CLPRIM_U32}}}},
                select),
        enqueue(clprim_radix_sort_operation, 0, clprim_radix_sort_desc{.key_type = CLPRIM_U32, .count_at_type = at},
                clprim_radix_sort_call{.keys_in = {filtered_.get()},
                                       .count_at = on_device(SELECTED),
                                       .count = count(SELECTED),
                                       .keys_out = {sorted_.get()}}),
        enqueue(clprim_unique_operation, 0, clprim_unique_desc{.type = CLPRIM_U32, .count_at_type = at},
                clprim_unique_call{.in = {sorted_.get()},
                                   .count_at = on_device(SELECTED),
                                   .count = count(SELECTED),
                                   .out = {distinct_.get()},
                                   .out_count = {counts_.get(), KEPT}}),
        enqueue(clprim_reduce_by_key_operation, 0,
                clprim_reduce_by_key_desc{.key_type = CLPRIM_U32, .type = CLPRIM_U32, .count_at_type = at},
                clprim_reduce_by_key_call{.keys_in = {distinct_.get()},
                                          .values_in = {distinct_.get()},
                                          .count_at = on_device(KEPT),
                                          .count = count(KEPT),
                                          .keys_out = {filtered_.get()},
                                          .values_out = {out},
                                          .out_count = {counts_.get(), RUNS}})};
    return [steps] {
        for (const std::function<void()> &step : steps)
            step();
    };
}

void ChainSuite::add(const Share &share, std::size_t n)
{
    const auto check = [=, this, &share](const bench::Output &output) -> std::string {
        const auto *in = static_cast<const cl_uint *>(session_.inputs().host(CLPRIM_U32, n));
        std::vector<cl_uint> wanted;
        std::copy_if(in, in + n, std::back_inserter(wanted), [&](cl_uint x) { return x <= share.limit; });
        std::sort(wanted.begin(), wanted.end());
        wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
        return bench::check_bits(output, wanted.size(), sizeof(cl_uint), {{wanted.data()}});
    };
    for (const bool is_known : {false, true}) {
        bench::Work work{is_known ? "chain_known" : "chain", CLPRIM_U32, n, static_cast<double>(4 * n), n * 4, check};
        work.distribution = share.name;
        add_auto(work, [=, this, &share](cl_mem out, int) {
            return chain(share, n, out, is_known ? &known(share, n) : nullptr);
        });
    }
}

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "chain");
    ChainSuite suite(session);
    for (const std::size_t n : session.sizes({16, 20, 24}, sizeof(cl_uint), 8 * sizeof(cl_uint)))
        for (const Share &share : SHARES)
            suite.add(share, n);
    return session.run();
}

// SPDX-License-Identifier: MIT
// bench_sort_by_key.cpp: sorts of several arrays by keys of u32, by clPRIM and by others.
#include "peers/sort_by_key_peers.hpp"
#include "suite.hpp"

#include <clprim/sort_by_key.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>

namespace {

using bench::Content;
using peers::Arrays;

struct Operation {
    const char *type; // in the rows' names: the keys', and the bytes of the arrays' elements
    Arrays arrays;

    std::size_t words() const // of all arrays, in an element of each
    {
        return arrays.count * arrays.words;
    }
    std::size_t out_size() const // of an element of each array, and its key
    {
        return (words() + 1) * sizeof(std::uint32_t);
    }
    std::size_t element_size() const
    {
        return arrays.words * sizeof(std::uint32_t);
    }
};

const Operation OPERATIONS[] = {
    {"u32_4", {1, 1}}, {"u32_4x2", {2, 1}}, {"u32_4x4", {4, 1}}, {"u32_12", {1, 3}}, {"u32_64", {1, 16}},
};

constexpr std::size_t MAX_ON_HOST = std::size_t{1} << 24;
constexpr std::size_t MAX_BYTES = std::size_t{6} << 30; // of the output
constexpr std::size_t PIECE = std::size_t{1} << 20;     // elements read at once

// The first of 0 .. n - 1 that is not right; n where all are. On all cores.
template <class IsRight> std::size_t first_wrong(std::size_t n, IsRight is_right)
{
    const std::size_t share = n / std::max(1U, std::thread::hardware_concurrency()) + 1;
    std::atomic<std::size_t> found{n};
    std::vector<std::thread> pool;
    for (std::size_t begin = 0; begin < n; begin += share)
        pool.emplace_back([=, &found] {
            std::size_t i = begin;
            while (i < std::min(n, begin + share) && is_right(i))
                i++;
            std::size_t known = found;
            while (i < std::min(n, begin + share) && i < known && !found.compare_exchange_weak(known, i)) {
            }
        });
    for (std::thread &thread : pool)
        thread.join();
    return found;
}

class SortByKeySuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Operation &operation);

  private:
    Bind bind(const Operation &operation, std::size_t n);
    void add_peers(const bench::Work &work, const Operation &operation);
    std::string check(const Operation &operation, std::size_t n, const bench::Output &output);
};

// "" or what is wrong. Words say where they were. What is in order, equal keys by their places, with the keys that were
// at these, is the one right result: there are n different places. In all arrays they must be the same.
std::string SortByKeySuite::check(const Operation &operation, std::size_t n, const bench::Output &output)
{
    const std::size_t words = operation.arrays.words;
    const auto *const keys_in =
        static_cast<const std::uint32_t *>(session_.inputs(Content::values).host(CLPRIM_U32, n));
    std::vector<std::uint32_t> keys(PIECE + 1); // from 1 on; before it the last one of the piece before
    std::vector<std::uint32_t> first((PIECE + 1) * words);
    std::vector<std::uint32_t> other(PIECE * words);
    for (std::size_t begin = 0; begin < n; begin += PIECE) {
        const std::size_t count = std::min(PIECE, n - begin);
        keys.front() = keys.back();
        std::copy(first.end() - static_cast<std::ptrdiff_t>(words), first.end(), first.begin());
        output.read(&keys[1], (operation.words() * n + begin) * sizeof keys[0], count * sizeof keys[0]);
        output.read(&first[words], begin * operation.element_size(), count * operation.element_size());
        const std::size_t wrong = first_wrong(count, [&](std::size_t i) {
            const std::uint32_t *const element = &first[(i + 1) * words];
            const std::size_t place = element[0] / words;
            bool right = place < n && keys_in[place] == keys[i + 1];
            for (std::size_t w = 0; w < words; w++)
                right = right && element[w] == place * words + w;
            const bool equal = keys[i] == keys[i + 1];
            return right && (begin + i == 0 || keys[i] < keys[i + 1] || (equal && first[i * words] < element[0]));
        });
        if (wrong < count)
            return "wrong result: element " + std::to_string(begin + wrong);
        for (std::size_t a = 1; a < operation.arrays.count; a++) {
            output.read(other.data(), (a * n + begin) * operation.element_size(), count * operation.element_size());
            const auto offset = static_cast<std::uint32_t>(a * n * words);
            if (first_wrong(count * words, [&](std::size_t w) { return other[w] == first[words + w] + offset; }) <
                count * words)
                return "wrong result: array " + std::to_string(a) + " differs from the first one";
        }
    }
    return "";
}

// To the arrays, and behind them the keys.
bench::Suite::Bind SortByKeySuite::bind(const Operation &operation, std::size_t n)
{
    return [=, this](cl_mem out, int variant) {
        clprim_sort_by_key_desc desc{};
        desc.num_arrays = operation.arrays.count;
        std::fill_n(desc.element_sizes, operation.arrays.count, operation.element_size());
        desc.max_count = n;
        const cl_mem in = session_.inputs(Content::indices).device(CLPRIM_U32, n * operation.words());
        clprim_sort_by_key_call call{};
        call.keys_in = {session_.inputs(Content::values).device(CLPRIM_U32, n)};
        call.count = n;
        call.keys_out = {out, operation.words() * n};
        for (std::size_t a = 0; a < operation.arrays.count; a++) {
            call.arrays_in[a] = {in, a * n};
            call.arrays_out[a] = {out, a * n};
        }
        return enqueue(clprim_sort_by_key_operation, variant, desc, call);
    };
}

void SortByKeySuite::add_peers(const bench::Work &work, const Operation &operation)
{
    const Arrays arrays = operation.arrays;
    const std::size_t n = work.n;
    if constexpr (bench::HAVE_CUB)
        add_cub(work, [=](bool wide) { return peers::cub_sort_by_key(arrays, n, wide); });
    if constexpr (bench::HAVE_BOOST_COMPUTE)
        if (operation.words() == 1)
            add_boost_compute(work,
                              [=](const auto &target) { return peers::boost_compute_sort_by_key(target, arrays, n); });
    if (n <= MAX_ON_HOST)
        add_host<peers::HostSortByKey>(
            work,
            {{"std_par", peers::tbb_sort_by_key(), "tbb::parallel_sort"},
             {"std_stable", peers::std_stable_sort_by_key()}},
            [=, this, words = operation.words()](peers::HostSortByKey sort) {
                const auto *const keys = static_cast<const cl_uint *>(session_.inputs().host(CLPRIM_U32, n));
                const auto *const in =
                    static_cast<const cl_uint *>(session_.inputs(Content::indices).host(CLPRIM_U32, n * words));
                return [=](void *out) { sort(static_cast<cl_uint *>(out), keys, in, arrays, n); };
            });
}

// The output in one piece; and all arrays together: input, output and scratch memory.
void SortByKeySuite::add(const Operation &operation)
{
    const std::size_t scratch = 4 * sizeof(std::uint32_t);
    for (const std::size_t n :
         session_.sizes(bench::FEW_SIZES, operation.out_size(), 2 * operation.out_size() + scratch)) {
        if (n * operation.out_size() > MAX_BYTES)
            continue;
        const bench::Work work{.op = "sort_by_key",
                               .type = CLPRIM_U32,
                               .n = n,
                               .bytes = static_cast<double>(2 * n * operation.out_size()),
                               .out_bytes = n * operation.out_size(),
                               .check = [=, this](const bench::Output &output) { return check(operation, n, output); },
                               .type_name = operation.type};
        add_auto(work, bind(operation, n));
        add_peers(work, operation);
    }
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run<SortByKeySuite>(argc, argv, "sort_by_key", OPERATIONS);
}

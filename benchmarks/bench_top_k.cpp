// SPDX-License-Identifier: MIT
// bench_top_k.cpp: the k largest keys by clPRIM, every variant of it, and by others.
#include "peers/top_k_peers.hpp"
#include "suite.hpp"

#include <clprim/reference.h>
#include <clprim/top_k.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>

namespace {

using bench::Content;

struct Operation {
    const char *name;
    clprim_type type;
    bool indices;
    Content content;
    bool ladder;   // every variant, not AUTO alone
    bool unsorted; // in any order, of U32 without indices

    std::size_t out_size() const // of an element: its key and its index
    {
        return clprim_type_size(type) + (indices ? sizeof(std::uint32_t) : 0);
    }
    std::string distribution(std::size_t k) const
    {
        return "k" + std::to_string(k) + (content == Content::constant ? "_constant" : "");
    }
    std::string key(std::size_t n, std::size_t k) const
    {
        return std::string(name) + "/" + clprim_type_name(type) + "/" + std::to_string(n) + "/" + distribution(k);
    }
};

// By type and content, since Inputs holds one of each at a time.
const Operation OPERATIONS[] = {
    {"top_k", CLPRIM_U32, false, Content::values, true, false},
    {"top_k_unsorted", CLPRIM_U32, false, Content::values, false, true},
    {"top_k_indices", CLPRIM_U32, true, Content::values, false, false},
    {"top_k", CLPRIM_U32, false, Content::constant, true, false},
    {"top_k", CLPRIM_F32, false, Content::values, false, false},
};

const std::size_t KS[] = {1, 10, 100, 1000, 100000};
constexpr std::size_t MAX_OF_REFERENCE = std::size_t{1} << 24;

// Of inputs too long for the reference, which sorts them: what is above the k-th, and of what is equal to it the first.
template <class T> void find_first(unsigned char *out, bool with_indices, const void *in, std::size_t n, std::size_t k)
{
    const T *keys = static_cast<const T *>(in);
    std::vector<T> copy(keys, keys + n);
    std::nth_element(copy.begin(), copy.begin() + static_cast<std::ptrdiff_t>(k - 1), copy.end(), std::greater<T>());
    const T threshold = copy[k - 1];
    std::vector<std::uint32_t> found;
    std::vector<std::uint32_t> equal;
    for (std::size_t i = 0; i < n; i++)
        if (keys[i] > threshold)
            found.push_back(static_cast<std::uint32_t>(i));
        else if (keys[i] == threshold && equal.size() < k)
            equal.push_back(static_cast<std::uint32_t>(i));
    std::stable_sort(found.begin(), found.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] > keys[b]; });
    found.insert(found.end(), equal.begin(), equal.begin() + static_cast<std::ptrdiff_t>(k - found.size()));
    for (std::size_t i = 0; i < k; i++)
        std::memcpy(out + i * sizeof(T), &keys[found[i]], sizeof(T));
    if (with_indices)
        std::memcpy(out + k * sizeof(T), found.data(), k * sizeof(std::uint32_t));
}

class TopKSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Operation &operation);

  private:
    bench::Work work(const Operation &operation, std::size_t n, std::size_t k);
    Bind bind(const Operation &operation, std::size_t n, std::size_t k);
    void add_peers(const bench::Work &work, const Operation &operation, std::size_t k);
    std::vector<unsigned char> expected(const Operation &operation, std::size_t n, std::size_t k);
    std::string check(const Operation &operation, std::size_t n, std::size_t k, const bench::Output &output);

    bench::Last<std::vector<unsigned char>> expected_;
};

// k keys, and then their indices.
std::vector<unsigned char> TopKSuite::expected(const Operation &operation, std::size_t n, std::size_t k)
{
    const void *const in = session_.inputs(operation.content).host(operation.type, n);
    std::vector<unsigned char> made(k * operation.out_size());
    if (n <= MAX_OF_REFERENCE) {
        clprim_reference_top_k_how how{};
        how.key_type = operation.type;
        how.k = k;
        how.indices = operation.indices;
        void *const indices = operation.indices ? &made[k * clprim_type_size(operation.type)] : nullptr;
        bench::require(clprim_reference_top_k(made.data(), indices, &how, in, nullptr, n), "clprim_reference_top_k");
    } else {
        const auto find = operation.type == CLPRIM_F32 ? find_first<float> : find_first<std::uint32_t>;
        find(made.data(), operation.indices, in, n, k);
    }
    return made;
}

// "" or what is wrong: keys and indices must be the reference's, bit for bit. CUB sorts all: its indices lie behind n.
std::string TopKSuite::check(const Operation &operation, std::size_t n, std::size_t k, const bench::Output &output)
{
    const std::size_t size = clprim_type_size(operation.type);
    const unsigned char *const wanted =
        expected_.get(operation.key(n, k), [&] { return expected(operation, n, k); }).data();
    if (operation.unsorted) {
        std::vector<std::uint32_t> got(k);
        output.read(got.data(), 0, k * size);
        std::sort(got.begin(), got.end(), std::greater<>());
        return std::memcmp(got.data(), wanted, k * size) == 0 ? "" : "wrong result: other keys than the reference's";
    }
    std::vector<bench::Part> parts = {{wanted}};
    if (operation.indices)
        parts.push_back({wanted + k * size, (output.by_peer ? n : k) * size, ", counted among the indices"});
    return bench::check_bits(output, k, size, parts);
}

bench::Work TopKSuite::work(const Operation &operation, std::size_t n, std::size_t k)
{
    const std::size_t out_bytes = k * operation.out_size();
    return {.op = operation.name,
            .type = operation.type,
            .n = n,
            .bytes = static_cast<double>(n * clprim_type_size(operation.type) + out_bytes),
            .out_bytes = out_bytes,
            .check = [=, this](const bench::Output &output) { return check(operation, n, k, output); },
            .distribution = operation.distribution(k),
            .content = operation.content};
}

bench::Suite::Bind TopKSuite::bind(const Operation &operation, std::size_t n, std::size_t k)
{
    return [=, this](cl_mem out, int variant) {
        const clprim_top_k_desc desc{.key_type = operation.type,
                                     .k = k,
                                     .indices = operation.indices,
                                     .unsorted = operation.unsorted,
                                     .max_count = n};
        const cl_mem in = session_.inputs(operation.content).device(operation.type, n);
        clprim_top_k_call call{.keys_in = {in}, .count = n, .keys_out = {out}};
        if (operation.indices)
            call.values_out = {out, k};
        return enqueue(clprim_top_k_operation, variant, desc, call);
    };
}

void TopKSuite::add_peers(const bench::Work &work, const Operation &operation, std::size_t k)
{
    const clprim_type type = operation.type;
    const std::size_t n = work.n;
    if (operation.unsorted) {
        if constexpr (bench::HAVE_CUB)
            add_cub(
                work, [=](bool wide) { return peers::cub_top_k_unsorted(type, n, k, wide); }, Content::values);
        return;
    }
    if constexpr (bench::HAVE_CUB) {
        bench::Work by_sorting = work;
        by_sorting.peers_differ = "all are sorted";
        add_cub(
            by_sorting,
            [=, indices = operation.indices](bool wide) { return peers::cub_top_k(type, indices, n, wide); },
            operation.indices ? Content::indices : Content::values);
    }
    if (operation.indices || n > MAX_OF_REFERENCE)
        return;
    bench::Work in_place = work; // of all keys, of which the first k are the result
    in_place.out_bytes = n * clprim_type_size(type);
    // libstdc++'s parallel one splits off one element at a time from equal ones
    const bool in_parallel = operation.content == Content::values;
    add_host<peers::HostTopK>(
        in_place,
        {{"std_par", in_parallel ? peers::std_par_nth_element(type) : nullptr, "nth_element"},
         {"std", peers::std_nth_element(type), "nth_element"}},
        [=](peers::HostTopK find) { return [=](void *keys) { find(keys, n, k); }; }, true);
    add_host<peers::HostTopKCopy>(work, {{"std_heap", peers::std_partial_sort_copy(type), "partial_sort_copy"}},
                                  [=, this, content = operation.content](peers::HostTopKCopy find) {
                                      const void *const keys = session_.inputs(content).host(type, n);
                                      return [=](void *out) { find(out, keys, n, k); };
                                  });
}

void TopKSuite::add(const Operation &operation)
{
    const auto each = [&](const std::vector<int> &logs, const auto &add_rows) {
        // The largest array; and all together: input, output, and what sorts all of them takes.
        for (const std::size_t n : session_.sizes(logs, operation.out_size(), 4 * operation.out_size()))
            for (const std::size_t k : KS)
                if (k < n)
                    add_rows(work(operation, n, k), bind(operation, n, k), k);
    };
    each(bench::FEW_SIZES, [&](const bench::Work &row, const Bind &bound, std::size_t k) {
        add_auto(row, bound);
        add_peers(row, operation, k);
    });
    if (operation.ladder)
        each(session_.quick() ? bench::QUICK_LADDER : bench::FEW_SIZES,
             [&](const bench::Work &row, const Bind &bound, std::size_t) {
                 add_variants(row, clprim_top_k_operation, bound);
             });
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run<TopKSuite>(argc, argv, "top_k", OPERATIONS);
}

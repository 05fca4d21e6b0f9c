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
    bool ladder; // every variant, not AUTO alone

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
    {"top_k", CLPRIM_U32, false, Content::values, true},
    {"top_k_indices", CLPRIM_U32, true, Content::values, false},
    {"top_k", CLPRIM_U32, false, Content::constant, true},
    {"top_k", CLPRIM_F32, false, Content::values, false},
};

const std::size_t KS[] = {1, 10, 100, 1000, 100000};
constexpr std::size_t MAX_OF_REFERENCE = std::size_t{1} << 24;

// What the output of one operation must be: k keys, and then their indices.
struct Expected {
    std::string key;
    std::vector<unsigned char> elements;
};

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
    void add_variant(const Operation &operation, std::size_t n, std::size_t k, const std::string &name,
                     clprim_top_k_variant variant);
    void add_peers(const Operation &operation, std::size_t n, std::size_t k);
    void add_host_peers(const Operation &operation, std::size_t n, std::size_t k);
    std::vector<std::size_t> sizes(const Operation &operation, const std::vector<int> &logs) const;
    const Expected &expected(const Operation &operation, std::size_t n, std::size_t k);
    std::string check(const Operation &operation, std::size_t n, std::size_t k, const bench::Output &output);

    Expected expected_;
    bench::Plans<clprim_plan> plans_{clprim_plan_destroy};
};

const Expected &TopKSuite::expected(const Operation &operation, std::size_t n, std::size_t k)
{
    if (operation.key(n, k) == expected_.key)
        return expected_;
    const void *const in = session_.inputs(operation.content).host(operation.type, n);
    expected_ = Expected();
    expected_.elements.resize(k * operation.out_size());
    unsigned char *const out = expected_.elements.data();
    if (n <= MAX_OF_REFERENCE) {
        clprim_reference_top_k_how how{};
        how.key_type = operation.type;
        how.k = k;
        how.indices = operation.indices;
        void *const indices = operation.indices ? out + k * clprim_type_size(operation.type) : nullptr;
        bench::require(clprim_reference_top_k(out, indices, &how, in, nullptr, n), "clprim_reference_top_k");
    } else if (operation.type == CLPRIM_F32) {
        find_first<float>(out, operation.indices, in, n, k);
    } else {
        find_first<std::uint32_t>(out, operation.indices, in, n, k);
    }
    expected_.key = operation.key(n, k);
    return expected_;
}

// "" or what is wrong: keys and indices must be the reference's, bit for bit. CUB sorts all: its indices lie behind n.
std::string TopKSuite::check(const Operation &operation, std::size_t n, std::size_t k, const bench::Output &output)
{
    const std::size_t size = clprim_type_size(operation.type);
    const Expected &wanted = expected(operation, n, k);
    const auto check_from = [&](std::size_t in_wanted, std::size_t in_output) { // in bytes
        bench::Output part;
        part.read = [&](void *to, std::size_t at, std::size_t bytes) { output.read(to, in_output + at, bytes); };
        return bench::check_pieces(part, k, size, [&](std::size_t begin, std::size_t count, const unsigned char *got) {
            return bench::check_bits(wanted.elements.data() + in_wanted, got, begin, count, size);
        });
    };
    const std::string wrong = check_from(0, 0);
    if (!wrong.empty() || !operation.indices)
        return wrong;
    const std::string wrong_index = check_from(k * size, (output.by_peer ? n : k) * size);
    return wrong_index.empty() ? "" : wrong_index + ", counted among the indices";
}

bench::Work TopKSuite::work(const Operation &operation, std::size_t n, std::size_t k)
{
    const std::size_t bytes = n * clprim_type_size(operation.type) + k * operation.out_size();
    bench::Work work{operation.name, operation.type, n, static_cast<double>(bytes),
                     [this, operation, n, k](const bench::Output &output) { return check(operation, n, k, output); }};
    work.distribution = operation.distribution(k);
    work.content = operation.content;
    return work;
}

void TopKSuite::add_variant(const Operation &operation, std::size_t n, std::size_t k, const std::string &name,
                            clprim_top_k_variant variant)
{
    add_clprim(work(operation, n, k), name, k * operation.out_size(), [=](cl_mem out) -> std::function<void()> {
        clprim_top_k_desc desc{};
        desc.key_type = operation.type;
        desc.k = k;
        desc.indices = operation.indices;
        desc.variant = variant;
        desc.max_count = n;
        clprim_plan *const plan =
            plans_.get(operation.key(n, k) + "/" + std::to_string(variant),
                       [&](clprim_plan **made) { return clprim_top_k_create(made, session_.runtime(), &desc); });
        const cl_mem in = session_.inputs(operation.content).device(operation.type, n);
        const cl_command_queue queue = session_.queue();
        clprim_top_k_call call{.keys_in = {in}, .count = n, .keys_out = {out}};
        if (operation.indices)
            call.values_out = {out, k};
        return [=] {
            bench::require(clprim_top_k_enqueue(plan, queue, &call, 0, nullptr, nullptr), "clprim_top_k_enqueue");
        };
    });
}

void TopKSuite::add_peers(const Operation &operation, std::size_t n, std::size_t k)
{
#if CLPRIM_BENCH_HAVE_CUB
    bench::Work by_sorting = work(operation, n, k);
    by_sorting.peers_differ = "all are sorted";
    add_cub(
        by_sorting,
        [type = operation.type, indices = operation.indices, n](bool wide) {
            return peers::cub_top_k(type, indices, n, wide);
        },
        operation.indices ? Content::indices : Content::values);
#endif
    if (!operation.indices && n <= MAX_OF_REFERENCE)
        add_host_peers(operation, n, k);
}

void TopKSuite::add_host_peers(const Operation &operation, std::size_t n, std::size_t k)
{
    const std::size_t size = clprim_type_size(operation.type);
    bench::Work by_nth_element = work(operation, n, k);
    by_nth_element.peers_differ = "nth_element";
    const auto add_nth_element = [&](const char *name, peers::HostTopK find) {
        const auto bind = [=]() -> HostCall {
            return [=](void *keys) {
                find(keys, n, k);
                return k;
            };
        };
        if (find != nullptr)
            add_host(by_nth_element, name, n * size, bind, true);
    };
    if (operation.content ==
        Content::values) // libstdc++'s parallel one splits off one element at a time from equal ones
        add_nth_element("std_par", peers::std_par_nth_element(operation.type));
    add_nth_element("std", peers::std_nth_element(operation.type));
    bench::Work by_heap = work(operation, n, k);
    by_heap.peers_differ = "partial_sort_copy";
    add_host(by_heap, "std_heap", k * size, [this, operation, n, k]() -> HostCall {
        const void *const keys = session_.inputs(operation.content).host(operation.type, n);
        return [=, find = peers::std_partial_sort_copy(operation.type)](void *out) {
            find(out, keys, n, k);
            return k;
        };
    });
}

// The largest array; and all together: input, output, and what sorts all of them takes.
std::vector<std::size_t> TopKSuite::sizes(const Operation &operation, const std::vector<int> &logs) const
{
    return session_.sizes(logs, operation.out_size(), 4 * operation.out_size());
}

void TopKSuite::add(const Operation &operation)
{
    std::size_t count = 0;
    const clprim_variant_info *variants = clprim_top_k_operation.variants(&count);
    for (const std::size_t n : sizes(operation, bench::FEW_SIZES))
        for (const std::size_t k : KS) {
            if (k >= n)
                continue;
            add_variant(operation, n, k, "", CLPRIM_TOP_K_AUTO);
            add_peers(operation, n, k);
        }
    for (const std::size_t n : sizes(operation, session_.quick() ? bench::QUICK_LADDER : bench::FEW_SIZES))
        for (const std::size_t k : KS)
            for (std::size_t i = 0; operation.ladder && k < n && i < count; i++)
                add_variant(operation, n, k, variants[i].name, static_cast<clprim_top_k_variant>(variants[i].id));
}

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "top_k");
    TopKSuite suite(session);
    for (const Operation &operation : OPERATIONS)
        suite.add(operation);
    return session.run();
}

// bench_radix_sort.cpp: radix sorts by clPRIM, every variant of them, and by others.
#include "peers/radix_sort_peers.hpp"
#include "suite.hpp"

#include <clprim/radix_sort.h>
#include <clprim/reference.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>

namespace {

using bench::Content;

enum class Sort {
    keys,
    pairs,  // with values of the keys' type: the indices
    argsort // which makes them
};

struct Operation {
    const char *name;
    Sort sort;
    clprim_type type;
    const char *distribution;
    Content content;
    bool ladder; // every variant, not AUTO alone

    bool has_values() const
    {
        return sort != Sort::keys;
    }
    std::string type_name() const
    {
        const std::string keys = clprim_type_name(type);
        return sort == Sort::pairs ? keys + "_" + keys : keys;
    }
    std::string key(std::size_t n) const
    {
        return std::string(name) + "/" + type_name() + "/" + distribution + "/" + std::to_string(n);
    }
    std::size_t out_size() const // of an element: its key and its value
    {
        return clprim_type_size(type) * (has_values() ? 2 : 1);
    }
    std::size_t bytes_per_element() const // the fewest that are moved
    {
        return out_size() + (sort == Sort::argsort ? clprim_type_size(type) : out_size());
    }
};

// By type and content, since Inputs holds one of each at a time.
const Operation OPERATIONS[] = {
    {"radix_sort_keys", Sort::keys, CLPRIM_U32, "uniform", Content::values, true},
    {"radix_sort_pairs", Sort::pairs, CLPRIM_U32, "uniform", Content::values, false},
    {"radix_sort_argsort", Sort::argsort, CLPRIM_U32, "uniform", Content::values, false},
    {"radix_sort_keys", Sort::keys, CLPRIM_U32, "constant", Content::constant, false},
    {"radix_sort_keys", Sort::keys, CLPRIM_U32, "few", Content::few, false},
    {"radix_sort_keys", Sort::keys, CLPRIM_U32, "range16", Content::range16, false},
    {"radix_sort_keys", Sort::keys, CLPRIM_U32, "and3", Content::and3, false},
    {"radix_sort_keys", Sort::keys, CLPRIM_U32, "ascending", Content::ascending, false},
    {"radix_sort_keys", Sort::keys, CLPRIM_F32, "uniform", Content::values, false},
    {"radix_sort_keys", Sort::keys, CLPRIM_U64, "uniform", Content::values, false},
    {"radix_sort_pairs", Sort::pairs, CLPRIM_U64, "uniform", Content::values, false},
    {"radix_sort_keys", Sort::keys, CLPRIM_U8, "uniform", Content::values, false},
};

const std::vector<int> KEYS_SIZES = {10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30};
const std::vector<int> LADDER_SIZES = {10, 12, 16, 20, 24, 28}; // the first two for the variant of one work-group
const std::vector<int> SKEWED_SIZES = {24, 28};
const std::vector<int> QUICK_SKEWED_SIZES = {28};
constexpr std::size_t MAX_ON_HOST = std::size_t{1} << 24; // std::sort: 20 s at 2^28
constexpr std::size_t MAX_OF_REFERENCE = std::size_t{1} << 24;
constexpr std::size_t PIECE = std::size_t{1} << 24; // elements read at once, where there are more

// What the output of one operation must be: the reference's, keys and then values, or of long inputs the sum of
// hashes alone.
struct Expected {
    std::string key;
    std::vector<unsigned char> elements;
    std::uint64_t hashes = 0;
};

template <class T> using Index = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

// Of an element and its value. A sum of these does not depend on the order, and hardly ever stays as it was when an
// element, or a value, is another.
template <class T> std::uint64_t hash(T key, std::uint64_t value)
{
    std::uint64_t x = 0;
    std::memcpy(&x, &key, sizeof key);
    x = (x + value * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 32)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 29);
}

// The sum of of(0), ..., of(n - 1), on all cores.
template <class Of> std::uint64_t sum_on_all_cores(std::size_t n, Of of)
{
    const std::size_t share = n / std::max(1U, std::thread::hardware_concurrency()) + 1;
    std::atomic<std::uint64_t> sum{0};
    std::vector<std::thread> pool;
    for (std::size_t begin = 0; begin < n; begin += share)
        pool.emplace_back([=, &sum] {
            std::uint64_t own = 0;
            for (std::size_t i = begin; i < std::min(n, begin + share); i++)
                own += of(i);
            sum += own;
        });
    for (std::thread &thread : pool)
        thread.join();
    return sum;
}

template <class T> std::uint64_t input_hashes(const void *in, std::size_t n, bool with_values)
{
    const T *keys = static_cast<const T *>(in);
    return sum_on_all_cores(n, [=](std::size_t i) { return hash(keys[i], with_values ? i : 0); });
}

// "" or what is wrong with an output too long for the reference. One that is in order, equal keys by their values, and
// has the input's keys and values, is right.
template <class T>
std::string check_order(const bench::Output &output, std::size_t n, bool with_values, std::uint64_t hashes)
{
    std::vector<T> keys(PIECE + 1); // from 1 on; before it the last one of the piece before
    std::vector<Index<T>> values(with_values ? PIECE + 1 : 0);
    std::atomic<std::size_t> unsorted{n};
    std::uint64_t found = 0;
    for (std::size_t begin = 0; begin < n; begin += PIECE) {
        const std::size_t count = std::min(PIECE, n - begin);
        keys.front() = keys.back();
        output.read(&keys[1], begin * sizeof(T), count * sizeof(T));
        if (with_values) {
            values.front() = values.back();
            output.read(&values[1], (n + begin) * sizeof(T), count * sizeof(T));
        }
        found += sum_on_all_cores(count, [&, begin](std::size_t i) {
            const bool equal = keys[i] == keys[i + 1];
            const bool in_order = equal ? !with_values || values[i] < values[i + 1] : keys[i] < keys[i + 1];
            if (!in_order && begin + i > 0)
                unsorted = begin + i;
            return hash(keys[i + 1], with_values ? values[i + 1] : 0);
        });
    }
    if (unsorted < n)
        return "wrong result: element " + std::to_string(unsorted) + " should come before the one before it";
    return found == hashes ? "" : "wrong result: in order, but not the input's elements";
}

class RadixSortSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Operation &operation);

  private:
    bench::Work work(const Operation &operation, std::size_t n);
    void add_variant(const Operation &operation, std::size_t n, const std::string &name,
                     clprim_radix_sort_variant variant);
    void add_peers(const Operation &operation, std::size_t n);
    void add_host_peers(const Operation &operation, std::size_t n);
    void add_ladder(const Operation &operation);
    std::vector<std::size_t> sizes(const Operation &operation, const std::vector<int> &logs) const;
    std::function<void()> bind(const Operation &operation, std::size_t n, clprim_plan *plan, cl_mem out);
    const Expected &expected(const Operation &operation, std::size_t n);
    void sort_by_reference(std::vector<unsigned char> &elements, const Operation &operation, std::size_t n);
    std::string check(const Operation &operation, std::size_t n, const bench::Output &output);

    Expected expected_;
    bench::Plans<clprim_plan> plans_{clprim_plan_destroy};
};

void RadixSortSuite::sort_by_reference(std::vector<unsigned char> &elements, const Operation &operation, std::size_t n)
{
    const std::size_t size = clprim_type_size(operation.type);
    elements.resize(n * operation.out_size());
    std::memcpy(elements.data(), session_.inputs(operation.content).host(operation.type, n), n * size);
    clprim_reference_sort_how how{};
    how.key_type = operation.type;
    how.value_size = operation.has_values() ? size : 0;
    how.argsort = operation.has_values(); // that is what values are, whoever made them
    bench::require(
        clprim_reference_sort(elements.data(), operation.has_values() ? elements.data() + n * size : nullptr, &how, n),
        "clprim_reference_sort");
}

const Expected &RadixSortSuite::expected(const Operation &operation, std::size_t n)
{
    if (operation.key(n) == expected_.key)
        return expected_;
    expected_ = Expected();
    if (n <= MAX_OF_REFERENCE) {
        sort_by_reference(expected_.elements, operation, n);
    } else {
        const auto hashes = clprim_type_size(operation.type) == 8   ? input_hashes<std::uint64_t>
                            : clprim_type_size(operation.type) == 4 ? input_hashes<std::uint32_t>
                                                                    : input_hashes<std::uint8_t>;
        expected_.hashes =
            hashes(session_.inputs(operation.content).host(operation.type, n), n, operation.has_values());
    }
    expected_.key = operation.key(n);
    return expected_;
}

// "" or what is wrong: keys and values must be the reference's, bit for bit; see check_order() for long ones.
std::string RadixSortSuite::check(const Operation &operation, std::size_t n, const bench::Output &output)
{
    const std::size_t size = clprim_type_size(operation.type);
    const Expected &wanted = expected(operation, n);
    if (n > MAX_OF_REFERENCE) {
        const auto check_long = operation.type == CLPRIM_U8    ? check_order<std::uint8_t>
                                : operation.type == CLPRIM_F32 ? check_order<float>
                                : operation.type == CLPRIM_U32 ? check_order<std::uint32_t>
                                                               : check_order<std::uint64_t>;
        return check_long(output, n, operation.has_values(), wanted.hashes);
    }
    const auto check_from = [&](std::size_t offset) { // in bytes: of the keys or the values
        bench::Output part;
        part.read = [&](void *to, std::size_t at, std::size_t bytes) { output.read(to, offset + at, bytes); };
        return bench::check_pieces(part, n, size, [&](std::size_t begin, std::size_t count, const unsigned char *got) {
            return bench::check_bits(wanted.elements.data() + offset, got, begin, count, size);
        });
    };
    const std::string wrong = check_from(0);
    if (!wrong.empty() || !operation.has_values())
        return wrong;
    const std::string wrong_value = check_from(n * size);
    return wrong_value.empty() ? "" : wrong_value + ", counted among the values";
}

bench::Work RadixSortSuite::work(const Operation &operation, std::size_t n)
{
    bench::Work work{operation.name, operation.type, n, static_cast<double>(n * operation.bytes_per_element()),
                     [this, operation, n](const bench::Output &output) { return check(operation, n, output); }};
    work.distribution = operation.distribution;
    work.content = operation.content;
    work.type_name = operation.type_name();
    if (operation.sort == Sort::argsort)
        work.peers_differ = "indices are read";
    return work;
}

// One call: to the keys, and behind them the values.
std::function<void()> RadixSortSuite::bind(const Operation &operation, std::size_t n, clprim_plan *plan, cl_mem out)
{
    const cl_mem in = session_.inputs(operation.content).device(operation.type, n);
    const cl_command_queue queue = session_.queue();
    clprim_radix_sort_call call{.keys_in = {in}, .count = n, .keys_out = {out}};
    if (operation.sort == Sort::pairs)
        call.values_in = {session_.inputs(Content::indices).device(operation.type, n)};
    if (operation.has_values())
        call.values_out = {out, n};
    return [=] {
        bench::require(clprim_radix_sort_enqueue(plan, queue, &call, 0, nullptr, nullptr), "clprim_radix_sort_enqueue");
    };
}

void RadixSortSuite::add_variant(const Operation &operation, std::size_t n, const std::string &name,
                                 clprim_radix_sort_variant variant)
{
    add_clprim(work(operation, n), name, n * operation.out_size(), [=](cl_mem out) {
        clprim_radix_sort_desc desc{};
        desc.key_type = operation.type;
        desc.value_size = operation.sort == Sort::pairs ? clprim_type_size(operation.type) : 0;
        desc.argsort = operation.sort == Sort::argsort;
        desc.index_type =
            desc.argsort && clprim_type_size(operation.type) == sizeof(cl_ulong) ? CLPRIM_U64 : CLPRIM_U32;
        desc.variant = variant;
        desc.max_count = n;
        clprim_plan *const plan =
            plans_.get(operation.name + operation.type_name() + std::to_string(n) + "/" + std::to_string(variant),
                       [&](clprim_plan **made) { return clprim_radix_sort_create(made, session_.runtime(), &desc); });
        return bind(operation, n, plan, out);
    });
}

void RadixSortSuite::add_peers(const Operation &operation, std::size_t n)
{
    const bench::Work at = work(operation, n);
    [[maybe_unused]] const clprim_type type = operation.type;
    [[maybe_unused]] const bool pairs = operation.has_values();
#if CLPRIM_BENCH_HAVE_CUB
    add_cub(
        at, [=](bool wide) { return peers::cub_sort(type, pairs, n, wide); },
        pairs ? Content::indices : Content::values);
#endif
#if CLPRIM_BENCH_HAVE_BOOST_COMPUTE
    if (operation.content == Content::values)
        add_boost_compute(
            at, [=](const peers::BoostTarget &target) { return peers::boost_compute_sort(target, type, pairs, n); });
#endif
    if (n <= MAX_ON_HOST)
        add_host_peers(operation, n);
}

void RadixSortSuite::add_host_peers(const Operation &operation, std::size_t n)
{
    const bench::Work at = work(operation, n);
    const clprim_type type = operation.type;
    if (operation.has_values())
        return add_host(at, "std_stable", n * operation.out_size(), [this, operation, n]() -> HostCall {
            const void *const keys = session_.inputs(operation.content).host(operation.type, n);
            const void *const values = session_.inputs(Content::indices).host(operation.type, n);
            return [=, sort = peers::std_stable_sort_pairs(operation.type)](void *out) {
                sort(out, keys, values, n);
                return n;
            };
        });
    bench::Work by_tbb = at;
    by_tbb.peers_differ = "tbb::parallel_sort";
    const auto add_sort = [&](const bench::Work &row, const char *name, peers::HostSort sort) {
        const auto bind = [sort, n]() -> HostCall {
            return [sort, n](void *out) {
                sort(out, n);
                return n;
            };
        };
        if (sort != nullptr)
            add_host(row, name, n * operation.out_size(), bind, true);
    };
    add_sort(by_tbb, "std_par", peers::tbb_sort(type));
    if (operation.content != Content::values) // the others are too slow for every distribution
        return;
    add_sort(at, "std", peers::std_sort(type));
    add_sort(at, "std_stable", peers::std_stable_sort(type));
}

// The output in one piece; and all arrays together: input, output and scratch memory.
std::vector<std::size_t> RadixSortSuite::sizes(const Operation &operation, const std::vector<int> &logs) const
{
    return session_.sizes(logs, operation.out_size(), 3 * operation.out_size());
}

void RadixSortSuite::add_ladder(const Operation &operation)
{
    std::size_t count = 0;
    const clprim_variant_info *variants = clprim_radix_sort_operation.variants(&count);
    for (const std::size_t n : sizes(operation, session_.quick() ? bench::QUICK_LADDER : LADDER_SIZES))
        for (std::size_t i = 0; i < count; i++)
            add_variant(operation, n, variants[i].name, static_cast<clprim_radix_sort_variant>(variants[i].id));
}

void RadixSortSuite::add(const Operation &operation)
{
    const bool skewed = operation.content != Content::values;
    const std::vector<int> &logs = skewed && session_.quick()              ? QUICK_SKEWED_SIZES
                                   : skewed                                ? SKEWED_SIZES
                                   : operation.ladder && !session_.quick() ? KEYS_SIZES
                                                                           : bench::FEW_SIZES;
    for (const std::size_t n : sizes(operation, logs)) {
        add_variant(operation, n, "", CLPRIM_RADIX_SORT_AUTO);
        add_peers(operation, n);
    }
    if (operation.ladder)
        add_ladder(operation);
}

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "radix_sort");
    RadixSortSuite suite(session);
    for (const Operation &operation : OPERATIONS)
        suite.add(operation);
    return session.run();
}

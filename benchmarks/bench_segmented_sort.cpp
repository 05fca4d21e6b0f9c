// bench_segmented_sort.cpp: sorts by segments by clPRIM, every variant of them, and by others.
#include "peers/segmented_sort_peers.hpp"
#include "suite.hpp"

#include <clprim/bitonic_sort.h>
#include <clprim/reference.h>
#include <clprim/segmented_sort.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <thread>

namespace {

using bench::Content;

struct Operation {
    const char *name;
    clprim_type type;
    bool pairs; // with values of the keys' type: the indices
    const char *distribution;
    std::size_t mean; // of the segments' lengths, up to twice that; 0: one segment
    bool giants;      // and four segments of an eighth of the array, at most 2^20 elements, among the others
    bool ladder;      // every variant, not AUTO alone

    std::string type_name() const
    {
        const std::string keys = clprim_type_name(type);
        return pairs ? keys + "_" + keys : keys;
    }
    std::string key(std::size_t n) const
    {
        return type_name() + "/" + distribution + "/" + std::to_string(n);
    }
    std::size_t out_size() const // of an element: its key and its value
    {
        return clprim_type_size(type) * (pairs ? 2 : 1);
    }
    std::size_t longest(std::size_t n) const
    {
        return mean == 0 || giants ? n : 2 * mean;
    }
};

// By type, since Inputs holds one at a time.
const Operation OPERATIONS[] = {
    {"segmented_sort_keys", CLPRIM_U32, false, "mean10", 10, false, true},
    {"segmented_sort_keys", CLPRIM_U32, false, "mean100", 100, false, true},
    {"segmented_sort_keys", CLPRIM_U32, false, "mean1000", 1000, false, true},
    {"segmented_sort_keys", CLPRIM_U32, false, "mean100000", 100000, false, true},
    {"segmented_sort_keys", CLPRIM_U32, false, "one", 0, false, true},
    {"segmented_sort_keys", CLPRIM_U32, false, "mix", 10, true, true},
    {"segmented_sort_pairs", CLPRIM_U32, true, "mean10", 10, false, false},
    {"segmented_sort_pairs", CLPRIM_U32, true, "mean1000", 1000, false, false},
    {"segmented_sort_pairs", CLPRIM_U32, true, "mix", 10, true, false},
    {"segmented_sort_keys", CLPRIM_U64, false, "mean10", 10, false, false},
    {"segmented_sort_keys", CLPRIM_U64, false, "mean1000", 1000, false, false},
    {"segmented_sort_keys", CLPRIM_U64, false, "mix", 10, true, false},
};

const std::vector<int> SIZES = {20, 24, 26};
const std::vector<int> QUICK_SIZES = {24};
constexpr std::size_t LARGEST_GIANT = std::size_t{1} << 20;
constexpr std::size_t MAX_ON_HOST = std::size_t{1} << 24;

// The offsets of one operation's segments, and what its output must be: the reference's, keys and then values.
struct Case {
    std::string key;
    std::vector<std::uint32_t> offsets;
    bench::Buffer device;
    std::vector<unsigned char> expected;

    peers::Segments segments() const
    {
        return {offsets.data(), offsets.size() - 1};
    }
};

std::uint64_t next_random(std::uint64_t &state)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return state >> 33;
}

std::vector<std::uint32_t> make_offsets(const Operation &operation, std::size_t n)
{
    std::vector<std::uint32_t> offsets = {0};
    const std::size_t giant = std::min(n / 8, LARGEST_GIANT);
    std::uint64_t random = 1;
    std::size_t giants = 0;
    for (std::size_t at = 0; at < n;) {
        const bool is_giant = operation.giants && giants < 4 && at >= giants * (n / 4) + n / 16;
        std::size_t length = operation.mean == 0 ? n : next_random(random) % (2 * operation.mean + 1);
        length = is_giant ? giant : length;
        giants += is_giant;
        at += std::min(length, n - at);
        offsets.push_back(static_cast<std::uint32_t>(at));
    }
    return offsets;
}

class SegmentedSortSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Operation &operation);

  private:
    bench::Work work(const Operation &operation, std::size_t n);
    void add_variant(const Operation &operation, std::size_t n, const std::string &name,
                     clprim_segmented_sort_variant variant);
    void add_bitonic(const Operation &operation, std::size_t n);
    void add_peers(const Operation &operation, std::size_t n);
    void add_ladder(const Operation &operation, std::size_t n);
    std::function<void()> bind(const Operation &operation, std::size_t n, clprim_plan *plan, cl_mem out);
    const Case &case_of(const Operation &operation, std::size_t n);
    void expect(Case &made, const Operation &operation, std::size_t n);
    std::string check(const Operation &operation, std::size_t n, const bench::Output &output);

    Case case_; // the last one
    bench::Plans<clprim_plan> plans_{clprim_plan_destroy};
    bench::Plans<clprim_plan> bitonic_plans_{clprim_plan_destroy};
};

// By the reference, some segments in each thread.
void SegmentedSortSuite::expect(Case &made, const Operation &operation, std::size_t n)
{
    const std::size_t size = clprim_type_size(operation.type);
    const std::size_t count = made.offsets.size() - 1;
    const std::size_t share = count / std::max(1U, std::thread::hardware_concurrency()) + 1;
    std::vector<std::thread> pool;
    made.expected.resize(n * operation.out_size());
    unsigned char *const keys = made.expected.data();
    std::memcpy(keys, session_.inputs().host(operation.type, n), n * size);
    if (operation.pairs)
        std::memcpy(keys + n * size, session_.inputs(Content::indices).host(operation.type, n), n * size);
    for (std::size_t begin = 0; begin < count; begin += share)
        pool.emplace_back([=, &made] {
            clprim_reference_sort_how how{};
            how.key_type = operation.type;
            how.value_size = operation.pairs ? size : 0;
            bench::require(clprim_reference_segmented_sort(keys, operation.pairs ? keys + n * size : nullptr, &how, n,
                                                           CLPRIM_U32, made.offsets.data() + begin,
                                                           std::min(share, count - begin)),
                           "clprim_reference_segmented_sort");
        });
    for (std::thread &thread : pool)
        thread.join();
}

const Case &SegmentedSortSuite::case_of(const Operation &operation, std::size_t n)
{
    if (operation.key(n) == case_.key)
        return case_;
    Case made;
    made.offsets = make_offsets(operation, n);
    expect(made, operation, n);
    const std::size_t bytes = made.offsets.size() * sizeof made.offsets[0];
    made.device = session_.new_buffer(bytes);
    bench::require_cl(clEnqueueWriteBuffer(session_.queue(), made.device.get(), CL_TRUE, 0, bytes, made.offsets.data(),
                                           0, nullptr, nullptr),
                      "clEnqueueWriteBuffer");
    made.key = operation.key(n);
    case_ = std::move(made);
    return case_;
}

// "" or what is wrong: keys and values must be the reference's, bit for bit.
std::string SegmentedSortSuite::check(const Operation &operation, std::size_t n, const bench::Output &output)
{
    const std::size_t size = clprim_type_size(operation.type);
    const Case &wanted = case_of(operation, n);
    const auto check_from = [&](std::size_t offset) { // in bytes: of the keys or the values
        bench::Output part;
        part.read = [&](void *to, std::size_t at, std::size_t bytes) { output.read(to, offset + at, bytes); };
        return bench::check_pieces(part, n, size, [&](std::size_t begin, std::size_t count, const unsigned char *got) {
            return bench::check_bits(wanted.expected.data() + offset, got, begin, count, size);
        });
    };
    const std::string wrong = check_from(0);
    if (!wrong.empty() || !operation.pairs)
        return wrong;
    const std::string wrong_value = check_from(n * size);
    return wrong_value.empty() ? "" : wrong_value + ", counted among the values";
}

bench::Work SegmentedSortSuite::work(const Operation &operation, std::size_t n)
{
    bench::Work work{operation.name, operation.type, n, static_cast<double>(2 * n * operation.out_size()),
                     [this, operation, n](const bench::Output &output) { return check(operation, n, output); }};
    work.distribution = operation.distribution;
    work.type_name = operation.type_name();
    return work;
}

// One call: to the keys, and behind them the values.
std::function<void()> SegmentedSortSuite::bind(const Operation &operation, std::size_t n, clprim_plan *plan, cl_mem out)
{
    const cl_mem in = session_.inputs().device(operation.type, n);
    const cl_command_queue queue = session_.queue();
    const Case &at = case_of(operation, n);
    const cl_mem offsets = at.device.get();
    const std::size_t segments = at.segments().count;
    clprim_segmented_sort_call call{};
    call.keys_in = {in};
    call.offsets = {offsets};
    call.count = n;
    call.segment_count = segments;
    call.keys_out = {out};
    if (operation.pairs) {
        call.values_in = {session_.inputs(Content::indices).device(operation.type, n)};
        call.values_out = {out, n};
    }
    return [=] {
        bench::require(clprim_segmented_sort_enqueue(plan, queue, &call, 0, nullptr, nullptr),
                       "clprim_segmented_sort_enqueue");
    };
}

// AUTO knows nothing of the segments, LOCAL how long they are.
void SegmentedSortSuite::add_variant(const Operation &operation, std::size_t n, const std::string &name,
                                     clprim_segmented_sort_variant variant)
{
    add_clprim(work(operation, n), name, n * operation.out_size(), [=](cl_mem out) {
        clprim_segmented_sort_desc desc{};
        desc.key_type = operation.type;
        desc.value_size = operation.pairs ? clprim_type_size(operation.type) : 0;
        desc.variant = variant;
        desc.max_count = n;
        desc.max_segments = variant == CLPRIM_SEGMENTED_SORT_COMPOSITE ? case_of(operation, n).segments().count : 0;
        desc.max_segment_size = variant == CLPRIM_SEGMENTED_SORT_LOCAL ? operation.longest(n) : 0;
        clprim_plan *const plan =
            plans_.get(operation.name + operation.key(n) + "/" + std::to_string(variant), [&](clprim_plan **made) {
                return clprim_segmented_sort_create(made, session_.runtime(), &desc);
            });
        return bind(operation, n, plan, out);
    });
}

// By comparisons: clprim_bitonic_sort_enqueue() of a plan with .segmented, of keys alone, since it is not stable.
void SegmentedSortSuite::add_bitonic(const Operation &operation, std::size_t n)
{
    if (operation.pairs)
        return;
    add_clprim(work(operation, n), "bitonic_sort", n * operation.out_size(), [=](cl_mem out) -> std::function<void()> {
        clprim_bitonic_sort_desc desc{};
        desc.key_type = operation.type;
        desc.segmented = true;
        clprim_plan *const plan = bitonic_plans_.get(clprim_type_name(operation.type), [&](clprim_plan **made) {
            return clprim_bitonic_sort_create(made, session_.runtime(), &desc);
        });
        const cl_command_queue queue = session_.queue();
        const Case &at = case_of(operation, n);
        const clprim_bitonic_sort_call call{.keys_in = {session_.inputs().device(operation.type, n)},
                                            .offsets = {at.device.get()},
                                            .count = n,
                                            .segment_count = at.segments().count,
                                            .keys_out = {out}};
        return [=] {
            bench::require(clprim_bitonic_sort_enqueue(plan, queue, &call, 0, nullptr, nullptr),
                           "clprim_bitonic_sort_enqueue");
        };
    });
}

void SegmentedSortSuite::add_peers(const Operation &operation, std::size_t n)
{
    const bench::Work at = work(operation, n);
    const clprim_type type = operation.type;
#if CLPRIM_BENCH_HAVE_CUB
    for (const bool radix : {false, true})
        add_cub(
            at,
            [=](bool wide) -> std::unique_ptr<peers::Device> { // there is one form of each
                if (wide)
                    return nullptr;
                return peers::cub_segmented_sort(type, operation.pairs, radix, n, case_of(operation, n).segments());
            },
            operation.pairs ? Content::indices : Content::values, radix ? "cub_radix" : "cub");
#endif
    if (n > MAX_ON_HOST || operation.pairs)
        return;
    const auto add_sort = [&](const char *name, peers::HostSegmentedSort sort) {
        const auto bind_sort = [this, operation, n, sort]() -> HostCall {
            const Case *const wanted = &case_of(operation, n);
            return [sort, n, wanted](void *out) {
                sort(out, wanted->segments());
                return n;
            };
        };
        if (sort != nullptr)
            add_host(at, name, n * operation.out_size(), bind_sort, true);
    };
    add_sort("std_par", peers::tbb_segmented_sort(type));
    add_sort("std", peers::std_segmented_sort(type));
    add_sort("std_stable", peers::std_stable_segmented_sort(type));
}

void SegmentedSortSuite::add_ladder(const Operation &operation, std::size_t n)
{
    std::size_t count = 0;
    const clprim_variant_info *variants = clprim_segmented_sort_operation.variants(&count);
    for (std::size_t i = 0; i < count; i++)
        add_variant(operation, n, variants[i].name, static_cast<clprim_segmented_sort_variant>(variants[i].id));
}

void SegmentedSortSuite::add(const Operation &operation)
{
    const std::vector<int> &logs = session_.quick() ? QUICK_SIZES : SIZES;
    for (const std::size_t n : session_.sizes(logs, operation.out_size(), 8 * operation.out_size())) {
        add_variant(operation, n, "", CLPRIM_SEGMENTED_SORT_AUTO);
        add_bitonic(operation, n);
        if (operation.ladder)
            add_ladder(operation, n);
        add_peers(operation, n);
    }
}

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "segmented_sort");
    SegmentedSortSuite suite(session);
    for (const Operation &operation : OPERATIONS)
        suite.add(operation);
    return session.run();
}

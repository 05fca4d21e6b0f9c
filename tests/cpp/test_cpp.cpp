// SPDX-License-Identifier: MIT
// test_cpp.cpp: clprim.hpp against the C++ standard library. Compiled as C++17 with exceptions and without, and as
// C++20. A plain program: exits with 0 if everything is right.
#define CL_TARGET_OPENCL_VERSION 200 // clSVMAlloc
#include <clprim/clprim.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr std::size_t n = 3000;
int failures = 0;

void expect(bool is_right, const char *what, int line)
{
    if (is_right)
        return;
    std::fprintf(stderr, "test_cpp.cpp:%d: %s\n", line, what);
    failures++;
}
#define EXPECT(what) expect((what), #what, __LINE__)

struct refusal {
    clprim_status status;
    std::string sentence;
};

// Both ways of reporting errors, for the same tests: the result of a call, and its error.
#ifdef CLPRIM_NO_EXCEPTIONS
template <class T> T value_of(const clprim::result<T> &result)
{
    expect(static_cast<bool>(result), result.sentence, 0);
    return *result;
}
refusal refusal_of(const clprim::outcome &outcome)
{
    return {outcome.status, outcome.sentence};
}
template <class Made> auto refusal_of(const Made &made) -> decltype(refusal_of(made.made()))
{
    return refusal_of(made.made());
}
#define DO(call)      expect(static_cast<bool>(call), clprim_last_error(), __LINE__)
#define VALUE(call)   value_of(call)
#define REFUSAL(call) refusal_of(call)
#else
template <class Call> refusal refusal_of(Call call)
{
    try {
        static_cast<void>(call());
    } catch (const clprim::error &error) {
        EXPECT(std::strlen(error.what()) > 0);
        return {error.status(), error.what()};
    }
    return {CLPRIM_SUCCESS, ""};
}
#define DO(call)      (call)
#define VALUE(call)   (call)
#define REFUSAL(call) refusal_of([&] { static_cast<void>(call); })
#endif
#define STATUS(call) REFUSAL(call).status

void expect_range(const refusal &refused, const std::string &array, const char *needed, int line)
{
    const std::string sentence = array + " elements; it must have " + needed;
    expect(refused.status == CLPRIM_INVALID_RANGE && refused.sentence == sentence, sentence.c_str(), line);
}
#define TOO_FEW(call, array, needed) expect_range(REFUSAL(call), array, needed, __LINE__)

template <class T> std::vector<T> random_vector(std::size_t count, int below)
{
    static std::mt19937 engine(7);
    std::uniform_int_distribution<int> numbers(0, below - 1);
    std::vector<T> made(count);
    for (T &x : made)
        x = static_cast<T>(numbers(engine));
    return made;
}

template <class T, class U> std::vector<T> as(const std::vector<U> &v, std::size_t count = n)
{
    return {v.begin(), v.begin() + static_cast<std::ptrdiff_t>(count)};
}

template <class T> std::vector<T> sorted(std::vector<T> v)
{
    std::sort(v.begin(), v.end());
    return v;
}

std::vector<std::uint32_t> order_of(const std::vector<float> &keys)
{
    std::vector<std::uint32_t> order(keys.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    return order;
}

// A description, or a call, with these members: with(&clprim_top_k_desc::k, 3, &clprim_top_k_desc::smallest, true).
template <class Struct, class Member, class Value, class... More>
Struct with(Member Struct::*member, Value value, More... more)
{
    Struct made = {};
    if constexpr (sizeof...(More) > 0)
        made = with(more...);
    made.*member = value;
    return made;
}

static_assert(clprim::type_of<signed char> == CLPRIM_I8 && clprim::type_of<bool> == CLPRIM_U8);
static_assert(clprim::type_of<short> == CLPRIM_I16 && clprim::type_of<unsigned short> == CLPRIM_U16);
static_assert(clprim::type_of<int> == CLPRIM_I32 && clprim::type_of<const unsigned> == CLPRIM_U32);
static_assert(clprim::type_of<long long> == CLPRIM_I64 && clprim::type_of<std::size_t> == CLPRIM_U64);
static_assert(clprim::type_of<clprim::half> == CLPRIM_F16 && clprim::type_of<float> == CLPRIM_F32);
static_assert(clprim::type_of<double> == CLPRIM_F64 && clprim::type_of<long double> == CLPRIM_TYPE_END);
static_assert(!std::is_copy_constructible_v<clprim::radix_sort_plan>);
static_assert(std::is_nothrow_move_constructible_v<clprim::radix_sort_plan>);

void folds()
{
    const auto numbers = random_vector<int>(n, 1000);
    EXPECT(VALUE(clprim::reduce<std::int64_t>(numbers)) == std::accumulate(numbers.begin(), numbers.end(), 0));
    const clprim_indexed highest = VALUE(clprim::reduce<clprim_indexed>(numbers, CLPRIM_ARGMAX));
    const auto at = std::max_element(numbers.begin(), numbers.end());
    EXPECT(highest.value.i32 == *at && highest.index == static_cast<std::uint64_t>(at - numbers.begin()));
    const int few[] = {3, 1, 2};
    EXPECT(VALUE(clprim::reduce(few)) == 6 && VALUE(clprim::reduce(clprim::span(few, 2))) == 4);

    std::vector<int> out(n);
    std::vector<int> expected(n);
    std::partial_sum(numbers.begin(), numbers.end(), expected.begin());
    DO(clprim::inclusive_scan(numbers, out));
    EXPECT(out == expected);
    DO(clprim::exclusive_scan(numbers, out));
    EXPECT(out[0] == 0 && std::equal(out.begin() + 1, out.end(), expected.begin()));

    const auto heads = random_vector<std::uint32_t>(n, 2); // not the default type, like those below
    DO(clprim::scan_segments(numbers, heads, out, with(&clprim_scan_desc::segments, CLPRIM_SEGMENTS_BY_FLAG)));
    for (std::size_t i = 0; i < n; i++)
        expected[i] = heads[i] || i == 0 ? numbers[i] : expected[i - 1] + numbers[i];
    EXPECT(out == expected);
    std::vector<std::uint64_t> offsets = {0};
    for (std::size_t i = 1; i <= n; i++)
        if (i == n || heads[i])
            offsets.push_back(i);
    DO(clprim::scan_by_offsets(numbers, offsets, out));
    EXPECT(out == expected);
}

void shuffles()
{
    std::vector<std::uint64_t> numbers(n);
    std::vector<std::uint64_t> out(n);
    std::iota(numbers.begin(), numbers.end(), 0);
    DO(clprim::shuffle(numbers, out, 17));
    EXPECT(out != numbers);
    std::vector<std::uint64_t> again(n);
    DO(clprim::shuffle(numbers, again, 17));
    EXPECT(out == again);
    std::sort(out.begin(), out.end());
    EXPECT(out == numbers);
}

void histograms()
{
    const auto bytes = random_vector<unsigned char>(n, 256);
    std::vector<std::uint32_t> counts(256);
    std::vector<std::uint32_t> expected(256);
    for (const unsigned char x : bytes)
        expected[x]++;
    EXPECT(VALUE(clprim::histogram(bytes, counts)) == 0 && counts == expected);
    std::vector<std::uint64_t> first(100);
    EXPECT(VALUE(clprim::histogram(bytes, first)) == n - std::accumulate(&expected[0], &expected[100], 0u));
    EXPECT(first == as<std::uint64_t>(expected, 100));
    std::vector<std::int32_t> sums(256);
    const std::vector<std::int32_t> weights(n, 3);
    EXPECT(VALUE(clprim::histogram_weighted(bytes, weights, sums)) == 0);
    for (std::uint32_t &x : expected)
        x *= 3;
    EXPECT(sums == as<std::int32_t>(expected, 256));
}

struct range {
    std::uint32_t begin, end;
};

void sorts()
{
    const auto floats = random_vector<float>(n, 500);
    const auto order = order_of(floats);
    const auto ordered = sorted(floats);
    std::vector<float> keys = floats;
    DO(clprim::radix_sort(keys));
    EXPECT(keys == ordered);
    DO(clprim::radix_sort(keys, with(&clprim_radix_sort_desc::descending, true)));
    EXPECT(std::equal(keys.rbegin(), keys.rend(), ordered.begin()));

    std::vector<std::uint32_t> numbered(n);
    std::iota(numbered.begin(), numbered.end(), 0u);
    std::vector<std::uint32_t> indices;
    const auto moves_indices = [&](auto sort) {
        keys = floats;
        indices = numbered;
        sort();
        EXPECT(keys == ordered && indices == order);
    };
    moves_indices([&] { DO(clprim::argsort(keys, indices)); });
    moves_indices([&] { DO(clprim::radix_sort_pairs(keys, indices)); });
    const auto stable = with(&clprim_comparison_sort_desc::stable, true);
    moves_indices([&] { DO(clprim::comparison_sort_pairs(keys, indices, stable)); });

    keys = floats;
    std::vector<std::array<char, 3>> threes(n);
    std::vector<range> ranges(n);
    for (const std::uint32_t i : numbered) {
        threes[i] = {static_cast<char>(i), static_cast<char>(i >> 8), 'x'};
        ranges[i] = {static_cast<std::uint32_t>(floats[i]), i};
    }
    auto doubles = as<double>(numbered);
    DO(clprim::sort_by_key(keys, std::tie(threes, doubles, indices = numbered)));
    EXPECT(keys == ordered && doubles == as<double>(order) && indices == order);
    EXPECT(threes[5][0] == static_cast<char>(order[5]) && threes[n - 1][1] == static_cast<char>(order[n - 1] >> 8));

    auto by_begin = stable;
    by_begin.text.source = "typedef struct { uint begin, end; } range;";
    by_begin.type_name = "range";
    by_begin.less = "a.begin < b.begin";
    DO(clprim::comparison_sort(ranges, by_begin));
    EXPECT(
        std::equal(ranges.begin(), ranges.end(), order.begin(), [](range r, std::uint32_t i) { return r.end == i; }));

    auto numbers = random_vector<int>(n, 1 << 30);
    std::vector<int> others = numbers;
    const auto expected = sorted(numbers);
    DO(clprim::bitonic_sort_pairs(numbers, others));
    EXPECT(numbers == expected && others == expected);
    EXPECT(VALUE(clprim::is_sorted(numbers)));
    std::swap(numbers[99], numbers[100]);
    EXPECT(!VALUE(clprim::is_sorted(numbers)) && VALUE(clprim::is_sorted_until(numbers)) == 100);
    clprim_find_desc negative = {};
    negative.predicate = "x < 0";
    EXPECT(VALUE(clprim::find(numbers, negative)) == n);
    numbers[77] = -1;
    EXPECT(VALUE(clprim::find(numbers, negative)) == 77);

    const std::vector<std::uint32_t> offsets = {0, 1000, n};
    auto by_parts = floats;
    std::sort(by_parts.begin(), by_parts.begin() + 1000);
    std::sort(by_parts.begin() + 1000, by_parts.end());
    std::vector<float> maxima(2);
    DO(clprim::segmented_reduce(floats, offsets, maxima, CLPRIM_MAX));
    EXPECT(maxima[0] == by_parts[999] && maxima[1] == by_parts[n - 1]);
    DO(clprim::segmented_sort(keys = floats, offsets));
    EXPECT(keys == by_parts);
    DO(clprim::segmented_sort_pairs(keys = floats, doubles = as<double>(floats), offsets));
    EXPECT(keys == by_parts && doubles == as<double>(by_parts));

    // Halves, as halves and as integers of 16 bits.
    std::vector<clprim::half> halves = {clprim::half(2.5f), clprim::half(-1.0f), clprim::half(0.5f)};
    std::vector<std::uint16_t> bits = {halves[0].bits, halves[1].bits, halves[2].bits};
    DO(clprim::radix_sort(halves));
    DO(clprim::radix_sort(bits, with(&clprim_radix_sort_desc::key_type, CLPRIM_F16)));
    std::vector<std::uint16_t> narrow = {0x3f80, 0xbf80, 0xff80, 0x0000}; // 1, -1, -infinity, 0
    DO(clprim::radix_sort(narrow, with(&clprim_radix_sort_desc::key_type, CLPRIM_BF16)));
    EXPECT((narrow == std::vector<std::uint16_t>{0xff80, 0xbf80, 0x0000, 0x3f80}));
#ifdef __SIZEOF_INT128__
    std::vector<clprim::uint128> wide = {clprim::uint128{1} << 100, 7, clprim::uint128{1} << 64, 0};
    DO(clprim::radix_sort(wide));
    EXPECT((wide == std::vector<clprim::uint128>{0, 7, clprim::uint128{1} << 64, clprim::uint128{1} << 100}));
#endif
    EXPECT(static_cast<float>(halves[0]) == -1 && static_cast<float>(halves[2]) == 2.5f);
    EXPECT(bits[0] == halves[0].bits && bits[1] == halves[1].bits && bits[2] == halves[2].bits);
}

void selections()
{
    const auto numbers = random_vector<int>(n, 100);
    std::vector<int> out(n);
    std::vector<int> expected;
    const auto odd = with(&clprim_select_desc::predicate, "x % 2 == 1");
    std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(expected), [](int x) { return x % 2 == 1; });
    out.resize(VALUE(clprim::select(numbers, out, odd)));
    EXPECT(out == expected);
    const auto flags = random_vector<std::uint16_t>(n, 2);
    expected.clear();
    for (std::size_t i = 0; i < n; i++)
        if (flags[i])
            expected.push_back(numbers[i]);
    out.resize(n);
    out.resize(VALUE(clprim::select_flagged(numbers, flags, out)));
    EXPECT(out == expected);

    const auto ordered = sorted(numbers);
    expected = ordered;
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    out.resize(n);
    out.resize(VALUE(clprim::unique(ordered, out)));
    EXPECT(out == expected);
    std::vector<std::uint64_t> places(n);
    std::vector<std::uint64_t> first(n);
    std::iota(places.begin(), places.end(), 0);
    out.resize(n);
    out.resize(VALUE(clprim::unique_by_key(ordered, places, out, first)));
    EXPECT(out == expected);
    for (std::size_t i = 0; i < out.size(); i++)
        EXPECT(first[i] ==
               static_cast<std::uint64_t>(std::lower_bound(ordered.begin(), ordered.end(), out[i]) - ordered.begin()));
    std::vector<int> elements(n);
    std::vector<std::uint32_t> lengths(n);
    elements.resize(VALUE(clprim::run_length_encode(ordered, elements, lengths)));
    EXPECT(elements == expected);
    EXPECT(lengths[0] == static_cast<std::uint32_t>(std::count(ordered.begin(), ordered.end(), ordered[0])));
    std::vector<std::int64_t> sums(n);
    elements.resize(n);
    elements.resize(VALUE(clprim::reduce_by_key(ordered, ordered, elements, sums)));
    EXPECT(elements == expected && sums[3] == static_cast<std::int64_t>(lengths[3]) * elements[3]);
}

void partitions()
{
    const auto numbers = random_vector<int>(n, 100);
    auto desc = with(&clprim_partition_desc::predicate, "x % 2 == 1");
    std::vector<int> out(n);
    std::vector<int> expected = numbers;
    const auto middle =
        std::stable_partition(expected.begin(), expected.end(), [](int x) { return x % 2 == 1; }) - expected.begin();
    EXPECT(VALUE(clprim::partition(numbers, out, desc)) == static_cast<std::size_t>(middle) && out == expected);
    std::vector<std::uint16_t> flags(n);
    std::transform(numbers.begin(), numbers.end(), flags.begin(), [](int x) { return x % 2; });
    out.assign(n, -1);
    EXPECT(VALUE(clprim::partition_flagged(numbers, flags, out)) == static_cast<std::size_t>(middle) &&
           out == expected);

    std::vector<int> second(n);
    std::vector<int> rest(n);
    auto counts = VALUE(clprim::partition_separate(numbers, out, rest, desc));
    EXPECT(counts.first + counts.rest == n && std::equal(out.begin(), out.begin() + middle, expected.begin()));
    EXPECT(std::equal(expected.begin() + middle, expected.end(), rest.begin()));
    desc.second_predicate = "x % 3 == 0"; // of the even ones
    counts = VALUE(clprim::partition_three(numbers, out, second, rest, desc));
    std::stable_partition(expected.begin() + middle, expected.end(), [](int x) { return x % 3 == 0; });
    EXPECT(counts.first == static_cast<std::uint64_t>(middle) && counts.first + counts.second + counts.rest == n);
    second.resize(counts.second);
    rest.resize(counts.rest);
    second.insert(second.end(), rest.begin(), rest.end());
    EXPECT(std::equal(expected.begin() + middle, expected.end(), second.begin(), second.end()));
}

// The same elements as the C++ standard library gives, with their values.
template <class StdSet>
void test_set(clprim_set_op op, StdSet std_set, const std::vector<float> &a, const std::vector<float> &b)
{
    const auto desc = with(&clprim_set_operation_desc::op, op);
    std::vector<float> expected;
    std_set(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
    std::vector<float> out(a.size() + b.size());
    std::vector<float> values(out);
    out.resize(VALUE(clprim::set_operation(a, b, out, desc)));
    EXPECT(out == expected);
    out.resize(values.size());
    out.resize(VALUE(clprim::set_operation_pairs(a, a, b, b, out, values, desc)));
    values.resize(out.size());
    EXPECT(out == expected && values == expected);
}
#define TEST_SET(op, name)                                                                                             \
    test_set(                                                                                                          \
        op, [](auto... them) { std::name(them...); }, a, b)

void test_sets(const std::vector<float> &a, const std::vector<float> &b)
{
    TEST_SET(CLPRIM_SET_UNION, set_union);
    TEST_SET(CLPRIM_SET_INTERSECTION, set_intersection);
    TEST_SET(CLPRIM_SET_DIFFERENCE, set_difference);
    TEST_SET(CLPRIM_SET_SYMMETRIC_DIFFERENCE, set_symmetric_difference);
}

void orders()
{
    const auto floats = random_vector<float>(n, 500);
    const auto order = order_of(floats);
    const auto ordered = sorted(floats);
    std::vector<float> five(5);
    std::vector<std::uint64_t> where(5);
    EXPECT(VALUE(clprim::top_k(floats, five)) == 5 && std::equal(five.begin(), five.end(), ordered.rbegin()));
    EXPECT(VALUE(clprim::top_k_indices(floats, five, where, with(&clprim_top_k_desc::smallest, true))) == 5);
    EXPECT(five == as<float>(ordered, 5) && where == as<std::uint64_t>(order, 5));
    EXPECT(VALUE(clprim::top_k(clprim::span(floats.data(), 3), five)) == 3);
    const std::vector<std::uint64_t> ranks = {n - 1, 0, n / 2, 7, 7};
    EXPECT(STATUS(clprim::nth_element(floats, ranks, five)) == CLPRIM_SUCCESS);
    EXPECT(
        std::equal(five.begin(), five.end(), ranks.begin(), [&](float f, std::uint64_t r) { return f == ordered[r]; }));
    EXPECT(VALUE(clprim::top_k(floats, five)) == 5);

    const std::vector<std::uint32_t> ends = {0, 1000, n};
    std::vector<float> twice(10);
    std::vector<std::uint32_t> found(10);
    DO(clprim::segmented_top_k_indices(floats, ends, twice, found));
    EXPECT(VALUE(clprim::top_k(clprim::span(floats.data(), 1000), five)) == 5);
    EXPECT(std::equal(five.begin(), five.end(), twice.begin()) && floats[found[0]] == twice[0]);
    EXPECT(VALUE(clprim::top_k(clprim::span(floats.data() + 1000, n - 1000), five)) == 5);
    EXPECT(std::equal(five.begin(), five.end(), twice.begin() + 5) && floats[1000 + found[5]] == twice[5]);
    DO(clprim::segmented_top_k(clprim::span(floats.data(), 2000), 1000, twice));
    EXPECT(VALUE(clprim::top_k(clprim::span(floats.data() + 1000, 1000), five)) == 5);
    EXPECT(std::equal(five.begin(), five.end(), twice.begin() + 5));

    std::vector<double> best(5);
    EXPECT(VALUE(clprim::top_k_pairs(floats, as<double>(floats), five, best)) == 5 && best == as<double>(five, 5));
    EXPECT(std::equal(five.begin(), five.end(), ordered.rbegin()));

    const auto others = sorted(random_vector<float>(100, 500));
    std::vector<float> both(n + 100);
    std::vector<float> expected(n + 100);
    std::merge(ordered.begin(), ordered.end(), others.begin(), others.end(), expected.begin());
    DO(clprim::merge(ordered, others, both));
    EXPECT(both == expected);
    std::vector<float> both_values(n + 100);
    DO(clprim::merge_pairs(ordered, ordered, others, others, both, both_values));
    EXPECT(both == expected && both_values == expected);
    test_sets(ordered, others);
    std::vector<std::uint32_t> places(100);
    DO(clprim::search(ordered, others, places));
    EXPECT(std::equal(places.begin(), places.end(), others.begin(), [&](std::uint32_t place, float needle) {
        return place == std::lower_bound(ordered.begin(), ordered.end(), needle) - ordered.begin();
    }));
}

template <class T> cl_mem buffer_of(const clprim::runtime &runtime, std::vector<T> v)
{
    return clCreateBuffer(runtime.context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, v.size() * sizeof(T), v.data(),
                          nullptr);
}

template <class T> std::vector<T> contents(cl_command_queue queue, cl_mem memory, cl_event after)
{
    std::size_t size = 0;
    clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof size, &size, nullptr);
    std::vector<T> v(size / sizeof(T));
    clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, size, v.data(), 1, &after, nullptr);
    return v;
}

// Functions of an extension, whose types are missing in some systems' headers.
template <class F> F extension(const clprim::runtime &runtime, const char *name)
{
    return reinterpret_cast<F>(clGetExtensionFunctionAddressForPlatform(runtime.info().platform, name));
}

void recordings()
{
    const clprim::runtime runtime;
    const clprim_reduce_desc description = {};
    clprim::reduce_plan plan(runtime, description);
    clprim_reduce_call call = {};
    EXPECT(STATUS(plan.record(nullptr, call)) == CLPRIM_INVALID_ARGUMENT);
    if (!runtime.info().has_command_buffers)
        return;
    using commands = struct ::_cl_command_buffer_khr *;
    const auto create = extension<commands(CL_API_CALL *)(cl_uint, const cl_command_queue *, const void *, cl_int *)>(
        runtime, "clCreateCommandBufferKHR");
    const auto finalize = extension<cl_int(CL_API_CALL *)(commands)>(runtime, "clFinalizeCommandBufferKHR");
    const auto release = extension<cl_int(CL_API_CALL *)(commands)>(runtime, "clReleaseCommandBufferKHR");
    const auto enqueue =
        extension<cl_int(CL_API_CALL *)(cl_uint, cl_command_queue *, commands, cl_uint, const cl_event *, cl_event *)>(
            runtime, "clEnqueueCommandBufferKHR");
    cl_command_queue queue = runtime.queue();
    cl_mem in = buffer_of(runtime, std::vector<std::int32_t>(n, 3));
    cl_mem sums = buffer_of(runtime, std::vector<std::int32_t>(2));
    commands buffer = create(1, &queue, nullptr, nullptr);
    clprim::reduce_plan again(runtime, description);
    cl_uint done = 0;
    call.in = clprim::at(in);
    call.count = n;
    call.out = clprim::at(sums);
    DO(plan.record(buffer, call, {}, &done));
    call.in = clprim::at(sums);
    call.count = 1;
    call.out = clprim::at(sums, 1);
    const std::vector<cl_uint> after = {done};
    DO(again.record(buffer, call, after));
    EXPECT(STATUS(plan.enqueue(queue, call)) == CLPRIM_INVALID_ARGUMENT);
    cl_event replayed = nullptr;
    EXPECT(finalize(buffer) == CL_SUCCESS && enqueue(0, nullptr, buffer, 0, nullptr, &replayed) == CL_SUCCESS);
    const auto sum = static_cast<std::int32_t>(3 * n);
    EXPECT((contents<std::int32_t>(queue, sums, replayed) == std::vector<std::int32_t>{sum, sum}));
    clReleaseEvent(replayed);
    release(buffer);
    clReleaseMemObject(in);
    clReleaseMemObject(sums);
}

void plans()
{
    const clprim::runtime owner;
    const clprim::runtime runtime(owner.queue());
    EXPECT(runtime.context() == owner.context() && runtime.device() == owner.device() && runtime.info().name[0] != 0);
    cl_command_queue queue = runtime.queue();
    {
        const clprim::runtime kept = clprim::runtime::of(queue);
        const clprim::runtime again = clprim::runtime::of(queue);
        EXPECT(kept.get() != nullptr && kept.get() == again.get() && kept.context() == owner.context());
    }
    clprim_runtime_forget(owner.context());
    using key = std::uint16_t; // no operation has this default
    const auto numbers = random_vector<key>(n, 1 << 16);
    cl_mem in = buffer_of(runtime, numbers);
    cl_mem out = buffer_of(runtime, std::vector<key>(n + 1, 5));
    cl_mem sum = buffer_of(runtime, std::vector<std::uint64_t>(2, 5));

    auto made = clprim::radix_sort_plan::of<key>(runtime);
    clprim::radix_sort_plan sort = std::move(made);
    EXPECT(made.get() == nullptr && sort.get() != nullptr);
    cl_event sorted_event = nullptr;
    cl_event summed = nullptr;
    using sorting = clprim_radix_sort_call;
    auto call = with(&sorting::keys_in, clprim::at(in), &sorting::count, n, &sorting::keys_out, clprim::at(out, 1));
    cl_event gate = clCreateUserEvent(runtime.context(), nullptr);
    const std::vector<cl_event> opened = {gate};
    DO(sort.enqueue({queue, opened, &sorted_event}, call));
    cl_int state = CL_COMPLETE;
    clGetEventInfo(sorted_event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, nullptr);
    EXPECT(state > CL_COMPLETE);
    clSetUserEventStatus(gate, CL_COMPLETE);
    clReleaseEvent(gate);

    const auto wide = with(&clprim_reduce_desc::accumulator_type, clprim::type_of<std::uint64_t>);
    auto reduce = clprim::reduce_plan::of<key>(runtime, wide);
    const std::vector<cl_event> waits = {sorted_event};
    using folding = clprim_reduce_call;
    DO(reduce.enqueue({queue, waits, &summed},
                      with(&folding::in, clprim::at(out, 1), &folding::count, n, &folding::out, clprim::at(sum, 1))));
    const auto result = contents<key>(queue, out, summed);
    EXPECT(result[0] == 5 && std::vector<key>(result.begin() + 1, result.end()) == sorted(numbers));
    const auto sums = contents<std::uint64_t>(queue, sum, summed);
    EXPECT(sums[0] == 5 && sums[1] == std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0}));

    // The caller's scratch memory, and no event.
    cl_mem scratch = buffer_of(runtime, std::vector<char>(VALUE(sort.scratch_size(call))));
    DO(sort.set_scratch(scratch));
    call.keys_out = call.keys_in;
    DO(sort.enqueue(queue, call));
    clReleaseMemObject(scratch);
    auto pairs = clprim::radix_sort_plan::of<key, std::uint32_t>(runtime);
    clprim_radix_sort_call nothing = {};
    nothing.keys_in = nothing.values_in = call.keys_in;
    nothing.keys_out = nothing.values_out = clprim::at(out);
    DO(pairs.enqueue(nullptr, nothing));
    call.count = n + 1;
    EXPECT(STATUS(sort.enqueue(queue, call)) == CLPRIM_INVALID_RANGE);
    EXPECT(contents<key>(queue, in, summed) == sorted(numbers));

    clReleaseEvent(sorted_event);
    clReleaseEvent(summed);
    for (cl_mem memory : {in, out, sum})
        clReleaseMemObject(memory);
}

template <class Plan, class Call> void make(const clprim::runtime &runtime, const char *name)
{
    static_assert(std::is_same_v<typename Plan::call_type, Call>);
    typename Plan::desc_type desc = {};
    if constexpr (std::is_same_v<Plan, clprim::top_k_plan> || std::is_same_v<Plan, clprim::segmented_top_k_plan>)
        desc.k = 1;
    const auto plan = Plan::template of<std::int32_t>(runtime, desc);
    EXPECT(plan.get() != nullptr && std::strcmp(clprim_plan_operation(plan)->name, name) == 0);
}

// Every operation has a plan, and can be called with arrays on the host without making one.
void every_operation()
{
    const clprim::runtime runtime;
#define MAKE(op) make<clprim::op##_plan, clprim_##op##_call>(runtime, #op);
    CLPRIM_OPERATIONS(MAKE)
#undef MAKE

    const std::vector<std::int32_t> a = {1, 4, 6};
    const std::vector<std::int32_t> b = {2, 5};
    std::vector<std::int32_t> both(5);
    const auto desc = with(&clprim_merge_desc::key_type, clprim::type_of<std::int32_t>);
    using merging = clprim_merge_call;
    auto call = with(&merging::a_keys, clprim::host(a), &merging::b_keys, clprim::host(b), &merging::a_count, a.size(),
                     &merging::b_count, b.size(), &merging::keys_out, clprim::host(both));
    DO(clprim::merge_plan::run(call, desc));
    EXPECT(both == std::vector<std::int32_t>({1, 2, 4, 5, 6}));
    call.b_keys = {};
    EXPECT(STATUS(clprim::merge_plan::run(call, desc)) == CLPRIM_INVALID_ARGUMENT);
}

// The call uses the elements from 3 on, in shared virtual memory; the elements before are unchanged.
void shared_memory()
{
    const clprim::runtime runtime;
    if (!runtime.info().has_svm)
        return;
    const std::size_t bytes = 8 * sizeof(std::uint32_t);
    auto *keys = static_cast<std::uint32_t *>(clSVMAlloc(runtime.context(), CL_MEM_READ_WRITE, bytes, 0));
    const std::vector<std::uint32_t> before = {9, 8, 7, 6, 5, 4, 3, 2};
    EXPECT(clEnqueueSVMMap(runtime.queue(), CL_TRUE, CL_MAP_WRITE, keys, bytes, 0, nullptr, nullptr) == CL_SUCCESS);
    std::copy(before.begin(), before.end(), keys);
    EXPECT(clEnqueueSVMUnmap(runtime.queue(), keys, 0, nullptr, nullptr) == CL_SUCCESS);
    using sorting = clprim_radix_sort_call;
    auto sort = clprim::radix_sort_plan::of<std::uint32_t>(runtime);
    DO(sort.enqueue(nullptr, with(&sorting::keys_in, clprim::svm(keys, 3), &sorting::count, 5, &sorting::keys_out,
                                  clprim::svm(keys, 3))));
    EXPECT(clEnqueueSVMMap(runtime.queue(), CL_TRUE, CL_MAP_READ, keys, bytes, 0, nullptr, nullptr) == CL_SUCCESS);
    EXPECT(std::vector<std::uint32_t>(keys, keys + 8) == std::vector<std::uint32_t>({9, 8, 7, 2, 3, 4, 5, 6}));
    EXPECT(clEnqueueSVMUnmap(runtime.queue(), keys, 0, nullptr, nullptr) == CL_SUCCESS);
    EXPECT(clFinish(runtime.queue()) == CL_SUCCESS);
    clSVMFree(runtime.context(), keys);
}

void errors()
{
    const std::vector<float> floats(10);
    EXPECT(STATUS(clprim::reduce(floats, CLPRIM_XOR)) == CLPRIM_INVALID_OPERATOR);
    const auto nonsense = with(&clprim_custom_op::combine, "a plus b", &clprim_custom_op::identity, "0");
    EXPECT(STATUS(clprim::reduce(floats, with(&clprim_reduce_desc::custom, &nonsense))) == CLPRIM_BUILD_FAILED);
    EXPECT(std::strstr(clprim_last_error(), "combine") != nullptr);
    std::vector<range> ranges(3);
    EXPECT(STATUS(clprim::comparison_sort(ranges)) == CLPRIM_INVALID_ARGUMENT); // which type is that on the device?
    const auto nowhere = with(&clprim_runtime_desc::select, "no device has such a name");
    EXPECT(STATUS(clprim::runtime(nowhere)) == CLPRIM_NO_DEVICE);
    EXPECT(STATUS(clprim::top_k_plan(nullptr)) == CLPRIM_INVALID_ARGUMENT); // which k?
#ifdef CLPRIM_NO_EXCEPTIONS
    clprim::top_k_plan none(nullptr);
    EXPECT(!none.made() && none.get() == nullptr && none.made().sentence[0] != 0);
    EXPECT(STATUS(none.enqueue(nullptr, {})) == CLPRIM_INVALID_ARGUMENT);
#endif
}

// Which array does not fit, and both sizes; the first one if there are several.
void sizes()
{
    std::vector<float> ten(10);
    std::vector<float> few(9);
    std::vector<float> more(12);
    const std::vector<std::uint32_t> flags(8);
    std::vector<std::uint32_t> words(7);
    const char *as_in = "at least 10, as many as in";
    const char *as_keys = "10, as many as keys";
    TOO_FEW(clprim::inclusive_scan(ten, few), "out has 9", as_in);
    TOO_FEW(clprim::unique(ten, few), "out has 9", as_in);
    TOO_FEW(clprim::unique_by_key(ten, few, more, more), "values has 9", as_keys);
    TOO_FEW(clprim::unique_by_key(ten, ten, more, few), "values_out has 9", "at least 10, as many as keys");
    TOO_FEW(clprim::scan_segments(ten, flags, ten, {}), "heads has 8", as_in);
    TOO_FEW(clprim::select_flagged(ten, flags, few), "out has 9", as_in);
    TOO_FEW(clprim::partition_separate(ten, ten, few, {}), "rest has 9", as_in);
    TOO_FEW(clprim::histogram_weighted(ten, few, words), "weights has 9", as_in);
    TOO_FEW(clprim::argsort(ten, words), "indices has 7", as_keys);
    TOO_FEW(clprim::radix_sort_pairs(ten, few), "values has 9", as_keys);
    TOO_FEW(clprim::sort_by_key(ten, std::tie(ten, few, words)), "array 2 has 9", as_keys);
    TOO_FEW(clprim::merge(ten, few, more), "out has 12", "at least 19, as many as a and b together");
    TOO_FEW(clprim::merge_pairs(ten, ten, few, ten, more, more), "b_values has 10", "9, as many as b");
    TOO_FEW(clprim::set_operation(ten, few, more), "out has 12", "at least 19, for the largest result");
    TOO_FEW(clprim::set_operation_pairs(ten, ten, few, ten, more, more), "b_values has 10", "9, as many as b");
    TOO_FEW(clprim::top_k_indices(ten, few, words), "indices has 7", "at least 9, as many as out");
    TOO_FEW(clprim::search(ten, few, words), "out has 7", "at least 9, as many as needles");
    TOO_FEW(clprim::nth_element(ten, std::vector<int>(10), few), "out has 9", "at least 10, as many as ranks");
    auto channels = with(&clprim_histogram_desc::bins, 3u, &clprim_histogram_desc::channels, 3u);
    TOO_FEW(clprim::histogram(few, words, channels), "out has 7", "at least 9, one for each channel's bins");
    channels.bins = 2;
    TOO_FEW(clprim::histogram(ten, words, channels), "in has 10", "a multiple of 3, one for each channel");
    const refusal indexed = REFUSAL(clprim::reduce(ten, CLPRIM_ARGMAX)); // a float has no index
    EXPECT(indexed.status == CLPRIM_INVALID_RANGE && indexed.sentence.find("clprim_indexed") != std::string::npos);
}

// A null runtime object is not taken for the default runtime, which nullptr stands for.
void moved_from()
{
    clprim::runtime first;
    const clprim::runtime second = std::move(first);
    const std::vector<int> numbers = {3, 1, 2};
    EXPECT(first.get() == nullptr && VALUE(clprim::reduce(numbers, CLPRIM_MAX, second)) == 3);
    EXPECT(VALUE(clprim::reduce(numbers, CLPRIM_MAX, second.get())) == 3);
    const refusal moved = REFUSAL(clprim::reduce(numbers, CLPRIM_MAX, first));
    EXPECT(moved.status == CLPRIM_INVALID_ARGUMENT && moved.sentence.find("moved from") != std::string::npos);
    std::vector<int> keys = numbers;
    EXPECT(STATUS(clprim::radix_sort(keys, {}, first)) == CLPRIM_INVALID_ARGUMENT && keys == numbers);
    EXPECT(STATUS(clprim::radix_sort_plan(first)) == CLPRIM_INVALID_ARGUMENT);
    EXPECT(STATUS(clprim::radix_sort_plan::of<int>(first)) == CLPRIM_INVALID_ARGUMENT);
#ifdef CLPRIM_NO_EXCEPTIONS
    EXPECT(first.context() == nullptr && first.device() == nullptr && first.queue() == nullptr);
    EXPECT(first.info().name[0] == 0);
#else
    EXPECT(STATUS(first.context()) == CLPRIM_INVALID_ARGUMENT && STATUS(first.info()) == CLPRIM_INVALID_ARGUMENT);
    EXPECT(STATUS(first.device()) == CLPRIM_INVALID_ARGUMENT && STATUS(first.queue()) == CLPRIM_INVALID_ARGUMENT);
    EXPECT(STATUS(static_cast<clprim_runtime *>(first)) == CLPRIM_INVALID_ARGUMENT);
#endif
    first = clprim::runtime();
    EXPECT(VALUE(clprim::reduce(numbers, CLPRIM_MAX, first)) == 3);
}

// A call keeps no address of a local variable of a function that has returned.
void lifetimes()
{
    const std::vector<float> a = {1, 2, 5};
    std::vector<float> out(6);
    clprim_set_operation_desc desc = {};
    clprim::detail::describe<float>(desc);
    const clprim::runtime_ref runtime;
    clprim::detail::job<clprim::api::set_operation> job(desc, runtime);
    EXPECT(VALUE(clprim::detail::set_operation(job, a, a, out, out.size(), desc)) == a.size());
    const auto *begin = reinterpret_cast<const char *>(&job);
    const auto *kept = static_cast<const char *>(job.call.out_count.host);
    EXPECT(std::less_equal<>()(begin, kept) && std::less<>()(kept, begin + sizeof job));
}

} // namespace

int main()
{
    folds();
    shuffles();
    histograms();
    sorts();
    selections();
    partitions();
    orders();
    plans();
    recordings();
    every_operation();
    shared_memory();
    errors();
    sizes();
    lifetimes();
    moved_from(); // if one of these fails unexpectedly, the program ends with the exception's sentence
    return failures == 0 ? 0 : 1;
}

// SPDX-License-Identifier: MIT
// inputs.cpp: the data that every row works on.
#include "harness.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <thread>
#include <utility>

namespace bench {
namespace {

// The i-th number of the SplitMix64 generator with seed 0.
std::uint64_t splitmix64(std::size_t i)
{
    std::uint64_t x = (static_cast<std::uint64_t>(i) + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

std::runtime_error no_such_input(clprim_type type)
{
    return std::runtime_error(std::string("no such input of ") + clprim_type_name(type));
}

// value(0), value(1), ...; each thread fills a range of its own.
template <class T, class Value> void fill(unsigned char *memory, std::size_t count, Value value)
{
    T *out = reinterpret_cast<T *>(memory);
    const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t share = count / threads + 1;
    std::vector<std::thread> pool;
    for (std::size_t begin = 0; begin < count; begin += share)
        pool.emplace_back([=] {
            for (std::size_t i = begin; i < std::min(count, begin + share); i++)
                out[i] = value(i);
        });
    for (std::thread &thread : pool)
        thread.join();
}

void fill_random(unsigned char *memory, clprim_type type, std::size_t n)
{
    if (type == CLPRIM_F32)
        fill<float>(memory, n, [](std::size_t i) {
            return static_cast<float>(splitmix64(i) >> 40) * (1.0F / 16777216.0F) - 0.5F;
        });
    else if (type == CLPRIM_F64)
        fill<double>(memory, n, [](std::size_t i) {
            return static_cast<double>(splitmix64(i) >> 11) * (1.0 / 9007199254740992.0) - 0.5;
        });
    else if (type == CLPRIM_BF16) // the upper half of the float
        fill<std::uint16_t>(memory, n, [](std::size_t i) {
            const float value = static_cast<float>(splitmix64(i) >> 40) * (1.0F / 16777216.0F) - 0.5F;
            std::uint32_t bits = 0;
            std::memcpy(&bits, &value, sizeof bits);
            return static_cast<std::uint16_t>(bits >> 16);
        });
    else
        fill<std::uint64_t>(memory, (n * clprim_type_size(type) + 7) / 8, splitmix64);
}

// Bytes that are independent of the values: of numbers further on in the generator.
void fill_flags(unsigned char *memory, std::size_t n)
{
    fill<std::uint64_t>(memory, (n + 7) / 8, [](std::size_t i) {
        return splitmix64(i + (std::size_t{1} << 40)) & UINT64_C(0x0101010101010101);
    });
}

// Runs of `length` on average, each of a value one more than the last.
template <class T> void fill_runs(unsigned char *memory, std::size_t n, std::uint64_t length)
{
    auto *out = reinterpret_cast<T *>(memory);
    T key = 0;
    for (std::size_t i = 0; i < n; i++) {
        if (splitmix64(i + (std::size_t{1} << 41)) < UINT64_MAX / length)
            key++;
        out[i] = key;
    }
}

void fill_runs(unsigned char *memory, clprim_type type, std::size_t n, std::uint64_t length)
{
    if (type != CLPRIM_U32)
        throw no_such_input(type);
    fill_runs<std::uint32_t>(memory, n, length);
}

// 0, 1, 2, ...
void fill_counting(unsigned char *memory, clprim_type type, std::size_t n)
{
    if (type == CLPRIM_U32)
        fill<std::uint32_t>(memory, n, [](std::size_t i) { return static_cast<std::uint32_t>(i); });
    else if (type == CLPRIM_U64)
        fill<std::uint64_t>(memory, n, [](std::size_t i) { return i; });
    else
        throw no_such_input(type);
}

// Where drawing elements, and putting values in order, begin in the generator.
constexpr std::size_t DRAWS = std::size_t{1} << 42;
constexpr std::size_t ORDER = std::size_t{1} << 43;
constexpr std::size_t FEW = 16;

// Words with fewer bits that vary, or that vary less.
void fill_low_entropy(unsigned char *memory, clprim_type type, Content content, std::size_t n)
{
    if (type != CLPRIM_U32)
        throw no_such_input(type);
    if (content == Content::range16)
        return fill<std::uint32_t>(
            memory, n, [](std::size_t i) { return static_cast<std::uint32_t>(splitmix64(DRAWS + i) & 0xffff); });
    fill<std::uint32_t>(memory, n, [](std::size_t i) {
        const std::uint64_t two = splitmix64(DRAWS + 2 * i);
        return static_cast<std::uint32_t>(two & (two >> 32) & splitmix64(DRAWS + 2 * i + 1));
    });
}

// Values spread over the whole type, or over [-0.5, 0.5), in a pseudo-random order; see Content.
template <class T> std::vector<T> shuffled_values()
{
    std::vector<T> values(sizeof(T) == 1 ? 256 : 65536);
    for (std::size_t k = 0; k < values.size(); k++) {
        if constexpr (std::is_floating_point_v<T>)
            values[k] = (static_cast<T>(k) + T(0.5)) / 65536 - T(0.5);
        else
            values[k] = static_cast<T>(sizeof(T) == 4 ? k * 65537 : k);
    }
    for (std::size_t k = values.size() - 1; k > 0; k--)
        std::swap(values[k], values[splitmix64(ORDER + k) % (k + 1)]);
    return values;
}

// Walker's alias method: a cell is picked evenly, then one of its two values by the probability of the first.
template <class T> struct Cell {
    std::uint32_t first_below; // of 2^32
    T first;
    T second;
};

// The k-th value, from 1, with a probability proportional to 1/k.
template <class T> std::vector<Cell<T>> zipf_table(const std::vector<T> &values)
{
    const std::size_t count = values.size();
    double sum = 0;
    for (std::size_t k = count; k > 0; k--)
        sum += 1 / static_cast<double>(k);
    std::vector<double> share(count); // of each value, in cells
    std::vector<std::size_t> small;
    std::vector<std::size_t> large;
    for (std::size_t k = 0; k < count; k++) {
        share[k] = static_cast<double>(count) / (static_cast<double>(k + 1) * sum);
        (share[k] < 1 ? small : large).push_back(k);
    }
    std::vector<Cell<T>> table(count);
    for (std::size_t k = 0; k < count; k++)
        table[k] = {UINT32_MAX, values[k], values[k]};
    while (!small.empty() && !large.empty()) {
        const std::size_t filled = small.back();
        const std::size_t filling = large.back();
        small.pop_back();
        table[filled].first_below = static_cast<std::uint32_t>(share[filled] * 0x1p32);
        table[filled].second = values[filling];
        share[filling] -= 1 - share[filled];
        if (share[filling] < 1) {
            large.pop_back();
            small.push_back(filling);
        }
    }
    return table;
}

template <class T> void fill_drawn(unsigned char *memory, Content content, std::size_t n)
{
    const std::vector<T> values = shuffled_values<T>();
    if (content == Content::constant)
        return fill<T>(memory, n, [&](std::size_t) { return values[0]; });
    if (content == Content::few)
        return fill<T>(memory, n, [&](std::size_t i) { return values[splitmix64(DRAWS + i) % FEW]; });
    const std::vector<Cell<T>> table = zipf_table(values);
    const std::size_t mask = table.size() - 1;
    fill<T>(memory, n, [&, mask](std::size_t i) {
        const std::uint64_t number = splitmix64(DRAWS + i);
        const Cell<T> &cell = table[(number >> 32) & mask];
        return static_cast<std::uint32_t>(number) < cell.first_below ? cell.first : cell.second;
    });
}

void fill_drawn(unsigned char *memory, clprim_type type, Content content, std::size_t n)
{
    if (type == CLPRIM_U8)
        fill_drawn<std::uint8_t>(memory, content, n);
    else if (type == CLPRIM_U16)
        fill_drawn<std::uint16_t>(memory, content, n);
    else if (type == CLPRIM_U32)
        fill_drawn<std::uint32_t>(memory, content, n);
    else if (type == CLPRIM_F32)
        fill_drawn<float>(memory, content, n);
    else
        throw no_such_input(type);
}

void fill_content(unsigned char *memory, clprim_type type, Content content, std::size_t n)
{
    switch (content) {
    case Content::values: return fill_random(memory, type, n);
    case Content::constant:
    case Content::few:
    case Content::zipf: return fill_drawn(memory, type, content, n);
    case Content::range16:
    case Content::and3: return fill_low_entropy(memory, type, content, n);
    case Content::ascending:
    case Content::indices: return fill_counting(memory, type, n);
    case Content::flags: return fill_flags(memory, n);
    case Content::runs8: return fill_runs(memory, type, n, 8);
    case Content::runs1000: return fill_runs(memory, type, n, 1000);
    case Content::keys: return fill_runs<std::int32_t>(memory, n, 100);
    }
}

} // namespace

Inputs &Inputs::of(Content content)
{
    if (content != content_)
        type_ = CLPRIM_TYPE_DEFAULT; // of which there is nothing: host() makes it
    content_ = content;
    return *this;
}

const void *Inputs::host(clprim_type type, std::size_t n)
{
    if (type != type_ || n > capacity_) {
        device_.reset();
        host_.reset();
        host_.reset(new unsigned char[(n * clprim_type_size(type) + 7) / 8 * 8]);
        fill_content(host_.get(), type, content_, n);
        type_ = type;
        capacity_ = n;
        bytes_used_ = 0;
        generation_++;
    }
    return host_.get();
}

cl_mem Inputs::device(clprim_type type, std::size_t n)
{
    const void *contents = host(type, n);
    if (device_ == nullptr) {
        cl_int code = CL_SUCCESS;
        const std::size_t bytes = capacity_ * clprim_type_size(type);
        device_.reset(clCreateBuffer(clprim_runtime_context(runtime_), CL_MEM_READ_ONLY, bytes, nullptr, &code));
        require_cl(code, "clCreateBuffer for the input");
        write_buffer(clprim_runtime_queue(runtime_), device_.get(), contents, bytes);
    }
    bytes_used_ = std::max(bytes_used_, n * clprim_type_size(type));
    return device_.get();
}

InputUse Inputs::take_use()
{
    return {device_.get(), host_.get(), std::exchange(bytes_used_, 0)};
}

} // namespace bench

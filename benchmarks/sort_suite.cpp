// SPDX-License-Identifier: MIT
// sort_suite.cpp: see sort_suite.hpp.
#include "sort_suite.hpp"

#include "peers/comparison_sort_peers.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

namespace bench {
namespace {

constexpr std::size_t PIECE = std::size_t{1} << 24; // elements read at once, where there are more

// By their images, in the total order.
struct Bf16 {
    std::uint16_t bits;
    bool operator<(Bf16 other) const
    {
        return image() < other.image();
    }
    std::uint16_t image() const
    {
        return static_cast<std::uint16_t>(bits ^ ((bits & 0x8000) != 0 ? 0xffff : 0x8000));
    }
};

struct U128 {
    std::uint64_t low, high;
    bool operator<(const U128 &other) const
    {
        return high != other.high ? high < other.high : low < other.low;
    }
};

template <class T> using Index = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

// Of an element and its value. A sum of these does not depend on the order, and hardly ever stays as it was when an
// element, or a value, is another.
template <class T> std::uint64_t hash(const T &key, std::uint64_t value)
{
    std::uint64_t x = 0;
    for (std::size_t at = 0; at < sizeof key; at += sizeof x) {
        std::uint64_t word = 0;
        std::memcpy(&word, reinterpret_cast<const unsigned char *>(&key) + at, std::min(sizeof word, sizeof key - at));
        x = x * UINT64_C(0x2545f4914f6cdd1d) + word;
    }
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

// "" or what is wrong with an output.
template <class T> std::string check_as(const Sort &sort, std::size_t n, const Output &output, std::uint64_t hashes)
{
    const bool with_values = sort.has_values();
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
            const bool by_values = with_values && sort.keeps_order && !(keys[i] < keys[i + 1]);
            if ((keys[i + 1] < keys[i] || (by_values && values[i + 1] <= values[i])) && begin + i > 0)
                unsorted = begin + i;
            return hash(keys[i + 1], with_values ? values[i + 1] : 0);
        });
    }
    if (unsorted < n)
        return "wrong result: element " + std::to_string(unsorted) + " should come before the one before it";
    return found == hashes ? "" : "wrong result: in order, but not the input's elements";
}

} // namespace

std::string Sort::type_name() const
{
    const std::string name_of_keys = clprim_type_name(type);
    if (words > 1)
        return name_of_keys + "x" + std::to_string(words);
    return values == Values::indices ? name_of_keys + "_" + name_of_keys : name_of_keys;
}

std::string Sort::key(std::size_t n) const
{
    return std::string(name) + "/" + type_name() + "/" + distribution + "/" + std::to_string(n);
}

std::size_t Sort::key_size() const
{
    return clprim_type_size(type) * words;
}

std::size_t Sort::out_size() const
{
    return key_size() * (has_values() ? 2 : 1);
}

Work SortSuite::work(const Sort &sort, std::size_t n)
{
    const std::size_t in_size = sort.values == Values::made_indices ? sort.key_size() : sort.out_size();
    return {.op = sort.name,
            .type = sort.type,
            .n = n,
            .bytes = static_cast<double>(n * (in_size + sort.out_size())),
            .out_bytes = n * sort.out_size(),
            .check = [=, this](const Output &output) { return check_order(sort, n, output); },
            .distribution = sort.distribution,
            .content = sort.content,
            .type_name = sort.type_name(),
            .words = sort.words};
}

std::string SortSuite::check_order(const Sort &sort, std::size_t n, const Output &output)
{
    struct How {
        std::uint64_t (*hashes)(const void *in, std::size_t n, bool with_values);
        std::string (*check)(const Sort &sort, std::size_t n, const Output &output, std::uint64_t hashes);
    };
    const How how = sort.words > 1             ? How{input_hashes<peers::Record>, check_as<peers::Record>}
                    : sort.type == CLPRIM_BF16 ? How{input_hashes<Bf16>, check_as<Bf16>}
                    : sort.type == CLPRIM_U128 ? How{input_hashes<U128>, check_as<U128>}
                    : sort.type == CLPRIM_U8   ? How{input_hashes<std::uint8_t>, check_as<std::uint8_t>}
                    : sort.type == CLPRIM_F32  ? How{input_hashes<float>, check_as<float>}
                    : sort.type == CLPRIM_U32  ? How{input_hashes<std::uint32_t>, check_as<std::uint32_t>}
                                               : How{input_hashes<std::uint64_t>, check_as<std::uint64_t>};
    const std::uint64_t hashes = hashes_.get(sort.key(n), [&] {
        const void *const in = session_.inputs(sort.content).host(sort.type, n * sort.words);
        return how.hashes(in, n, sort.has_values());
    });
    return how.check(sort, n, output, hashes);
}

std::string SortSuite::check_elements(const Sort &sort, std::size_t n, const Output &output, const void *wanted)
{
    const std::size_t bytes = n * sort.key_size();
    std::vector<Part> parts = {{wanted}};
    if (sort.has_values())
        parts.push_back({static_cast<const unsigned char *>(wanted) + bytes, bytes, ", counted among the values"});
    return check_bits(output, n, sort.key_size(), parts);
}

void SortSuite::add_host_keys(const Work &work, std::initializer_list<HostPeer<HostSort>> peers)
{
    add_host<HostSort>(
        work, peers, [n = work.n](HostSort sort) { return [=](void *out) { sort(out, n); }; }, true);
}

void SortSuite::add_host_pairs(const Work &work, std::initializer_list<HostPeer<HostSortPairs>> peers)
{
    add_host<HostSortPairs>(work, peers, [this, n = work.n, type = work.type](HostSortPairs sort) {
        const void *const keys = session_.inputs().host(type, n);
        const void *const values = session_.inputs(Content::indices).host(type, n);
        return [=](void *out) { sort(out, keys, values, n); };
    });
}

} // namespace bench

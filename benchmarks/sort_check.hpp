// sort_check.hpp: is an output in order, and are its elements the input's?
#ifndef CLPRIM_BENCHMARKS_SORT_CHECK_HPP
#define CLPRIM_BENCHMARKS_SORT_CHECK_HPP

#include "suite.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace bench {

constexpr std::size_t PIECE = std::size_t{1} << 24; // elements read at once, where there are more

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

// "" or what is wrong with an output. One that is in order and has the input's keys, with their values, is right: what
// is equal may come in any order.
template <class T> std::string check_order(const Output &output, std::size_t n, bool with_values, std::uint64_t hashes)
{
    std::vector<T> keys(PIECE + 1); // from 1 on; before it the last one of the piece before
    std::vector<std::uint32_t> values(with_values ? PIECE + 1 : 0);
    std::atomic<std::size_t> unsorted{n};
    std::uint64_t found = 0;
    for (std::size_t begin = 0; begin < n; begin += PIECE) {
        const std::size_t count = std::min(PIECE, n - begin);
        keys.front() = keys.back();
        output.read(&keys[1], begin * sizeof(T), count * sizeof(T));
        if (with_values)
            output.read(&values[1], (n + begin) * sizeof(T), count * sizeof(T));
        found += sum_on_all_cores(count, [&, begin](std::size_t i) {
            if (keys[i + 1] < keys[i] && begin + i > 0)
                unsorted = begin + i;
            return hash(keys[i + 1], with_values ? values[i + 1] : 0);
        });
    }
    if (unsorted < n)
        return "wrong result: element " + std::to_string(unsorted) + " should come before the one before it";
    return found == hashes ? "" : "wrong result: in order, but not the input's elements";
}

} // namespace bench

#endif

// SPDX-License-Identifier: MIT
// sort_suite.hpp: what the suites of sorts share: keys, values beside them, and whether they are in order.
#ifndef CLPRIM_BENCHMARKS_SORT_SUITE_HPP
#define CLPRIM_BENCHMARKS_SORT_SUITE_HPP

#include "suite.hpp"

#include <cstdint>

namespace bench {

constexpr std::size_t MAX_SORTED_ON_HOST = std::size_t{1} << 24; // std::sort: 20 s at 2^28

enum class Values {
    none,
    indices,     // of the keys' type
    made_indices // which the sort makes
};

// One operation: keys of u8, u32, u64, f32, bf16 or u128, or records, with values or without.
struct Sort {
    const char *name;
    clprim_type type;
    Values values = Values::none;
    std::size_t words = 1;    // of `type`, which is U32, in a record of 1 or 4, of which the first one is compared
    bool keeps_order = false; // of equal keys
    const char *distribution = "uniform";
    Content content = Content::values;

    bool has_values() const
    {
        return values != Values::none;
    }
    std::string type_name() const;
    std::string key(std::size_t n) const;
    std::size_t key_size() const;
    std::size_t out_size() const; // of an element: its key and its value
};

class SortSuite : protected Suite {
  public:
    using Suite::Suite;

  protected:
    ~SortSuite() = default;
    // The output is right if it is in order, equal keys by their indices where the sort keeps the order, and has the
    // input's keys with their values.
    Work work(const Sort &sort, std::size_t n);
    std::string check_order(const Sort &sort, std::size_t n, const Output &output);
    // "" or which key or value differs from these: the keys, and behind them the values.
    static std::string check_elements(const Sort &sort, std::size_t n, const Output &output, const void *wanted);

    // A call to the keys, and behind them the values.
    template <class Arguments> Arguments call_of(const Sort &sort, std::size_t n, cl_mem out)
    {
        Arguments call{};
        call.keys_in = {session_.inputs(sort.content).device(sort.type, n * sort.words)};
        call.count = n;
        call.keys_out = {out};
        if (sort.values == Values::indices)
            call.values_in = {session_.inputs(Content::indices).device(sort.type, n)};
        if (sort.has_values())
            call.values_out = {out, n};
        return call;
    }

    // Peers on the host: of keys alone, where they lie; of keys with values, from one place to another.
    using HostSort = void (*)(void *keys, std::size_t n);
    using HostSortPairs = void (*)(void *out, const void *keys, const void *values, std::size_t n);
    void add_host_keys(const Work &work, std::initializer_list<HostPeer<HostSort>> peers);
    void add_host_pairs(const Work &work, std::initializer_list<HostPeer<HostSortPairs>> peers);

  private:
    Last<std::uint64_t> hashes_;
};

} // namespace bench

#endif

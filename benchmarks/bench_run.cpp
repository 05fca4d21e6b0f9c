// SPDX-License-Identifier: MIT
// bench_run.cpp: operations from arrays on the host to arrays on the host, by `run`: a sum and a histogram, for which one
// array goes to the device; indices, for which one comes back; a scan and a sort, for which both do. Rows named registered
// are of memory that was handed to clprim_memory_register before; for those named limited the device has no more than 1 GiB
// for arrays of 2^28 elements, or 4 GiB for more, so that they go through it in pieces.
#include "peers/radix_sort_peers.hpp"
#include "suite.hpp"

#include <clprim/histogram.h>
#include <clprim/radix_sort.h>
#include <clprim/reduce.h>
#include <clprim/scan.h>
#include <clprim/transform.h>

#include <algorithm>
#include <numeric>

namespace {

enum class Memory { ordinary, registered, limited };

const char *const memory_names[] = {"ordinary", "registered", "limited"};

std::uint64_t sum_of(const cl_uint *numbers, std::size_t n)
{
    return std::accumulate(numbers, numbers + n, std::uint64_t{0});
}

class RunSuite : bench::Suite {
  public:
    using Suite::Suite;
    ~RunSuite();
    void add(const clprim_operation &operation, std::size_t n, Memory memory);
    void add_host_sort(std::size_t n);

  private:
    using Array = std::vector<cl_uint>;

    const cl_uint *in(std::size_t n)
    {
        return static_cast<const cl_uint *>(session_.inputs().host(CLPRIM_U32, n));
    }
    void take(std::size_t n, Memory memory);
    void give_back();
    void run(const clprim_operation &operation, std::size_t n);
    std::string check(const clprim_operation &operation, std::size_t n);

    Array in_, out_; // the call's
    bool is_registered_ = false;
    std::uint64_t sum_ = 0;
    std::vector<cl_ulong> bins_ = std::vector<cl_ulong>(BINS);
    static constexpr std::size_t BINS = 256;
};

RunSuite::~RunSuite()
{
    give_back();
}

void RunSuite::give_back()
{
    if (is_registered_) {
        bench::require(clprim_memory_unregister(session_.runtime(), in_.data()), "clprim_memory_unregister");
        bench::require(clprim_memory_unregister(session_.runtime(), out_.data()), "clprim_memory_unregister");
    }
    is_registered_ = false;
}

// Arrays of n elements.
void RunSuite::take(std::size_t n, Memory memory)
{
    const std::size_t most = n <= std::size_t{1} << 28 ? std::size_t{1} << 30 : std::size_t{4} << 30;
    const clprim_run_limits limits{.device_memory = memory == Memory::limited ? most : 0};
    give_back();
    in_.assign(in(n), in(n) + n);
    out_.assign(n, 0);
    bench::require(clprim_runtime_set_run_limits(session_.runtime(), &limits), "clprim_runtime_set_run_limits");
    if (memory == Memory::registered) {
        const std::size_t bytes = n * sizeof(cl_uint);
        bench::require(clprim_memory_register(session_.runtime(), in_.data(), bytes), "clprim_memory_register");
        bench::require(clprim_memory_register(session_.runtime(), out_.data(), bytes), "clprim_memory_register");
        is_registered_ = true;
    }
}

void RunSuite::run(const clprim_operation &operation, std::size_t n)
{
    clprim_runtime *const runtime = session_.runtime();
    if (&operation == &clprim_reduce_operation) {
        const clprim_reduce_desc desc{.type = CLPRIM_U32, .accumulator_type = CLPRIM_U64, .max_count = n};
        const clprim_reduce_call call{.in = {.host = in_.data()}, .count = n, .out = {.host = &sum_}};
        bench::require(clprim_reduce_run(runtime, &desc, &call), "clprim_reduce_run");
    } else if (&operation == &clprim_transform_operation) {
        const clprim_transform_desc desc{.expressions = {"(uint)i"}, .types = {CLPRIM_U32}, .max_count = n};
        const clprim_transform_call call{.count = n, .out = {{.host = out_.data()}}};
        bench::require(clprim_transform_run(runtime, &desc, &call), "clprim_transform_run");
    } else if (&operation == &clprim_histogram_operation) {
        const clprim_histogram_desc desc{.type = CLPRIM_U32,
                                         .mapping = CLPRIM_HISTOGRAM_EVEN,
                                         .bins = BINS,
                                         .low = 0,
                                         .high = 4294967296.0,
                                         .counter_type = CLPRIM_U64,
                                         .max_count = n};
        const clprim_histogram_call call{.in = {.host = in_.data()}, .count = n, .out = {.host = bins_.data()}};
        bench::require(clprim_histogram_run(runtime, &desc, &call), "clprim_histogram_run");
    } else if (&operation == &clprim_scan_operation) {
        const clprim_scan_desc desc{.type = CLPRIM_U32, .max_count = n};
        const clprim_scan_call call{.in = {.host = in_.data()}, .count = n, .out = {.host = out_.data()}};
        bench::require(clprim_scan_run(runtime, &desc, &call), "clprim_scan_run");
    } else {
        const clprim_radix_sort_desc desc{.key_type = CLPRIM_U32, .max_count = n};
        const clprim_radix_sort_call call{
            .keys_in = {.host = in_.data()}, .count = n, .keys_out = {.host = out_.data()}};
        bench::require(clprim_radix_sort_run(runtime, &desc, &call), "clprim_radix_sort_run");
    }
}

std::string RunSuite::check(const clprim_operation &operation, std::size_t n)
{
    bool is_right = false;
    if (&operation == &clprim_reduce_operation) {
        is_right = sum_ == sum_of(in_.data(), n);
    } else if (&operation == &clprim_transform_operation) {
        cl_uint i = 0;
        is_right = std::all_of(out_.begin(), out_.end(), [&](cl_uint x) { return x == i++; });
    } else if (&operation == &clprim_histogram_operation) {
        std::vector<cl_ulong> wanted(BINS);
        for (const cl_uint x : in_)
            wanted[x >> 24]++;
        is_right = bins_ == wanted;
    } else if (&operation == &clprim_scan_operation) {
        cl_uint sum = 0;
        is_right = true;
        for (std::size_t i = 0; i < n && is_right; i++)
            is_right = out_[i] == (sum += in_[i]);
    } else {
        is_right = std::is_sorted(out_.begin(), out_.end()) && sum_of(out_.data(), n) == sum_of(in_.data(), n);
    }
    return is_right && out_.size() == n ? "" : "the result is wrong";
}

void RunSuite::add(const clprim_operation &operation, std::size_t n, Memory memory)
{
    const bool goes_both_ways = &operation == &clprim_radix_sort_operation || &operation == &clprim_scan_operation;
    bench::Work work{std::string("run_") + operation.name,
                     CLPRIM_U32,
                     n,
                     (goes_both_ways ? 2.0 : 1.0) * static_cast<double>(n * sizeof(cl_uint)),
                     sizeof(cl_uint),
                     [=, this, &operation](const bench::Output &) { return check(operation, n); }};
    work.distribution = memory_names[static_cast<int>(memory)];
    add_host<const clprim_operation *>(work, {{"clprim", &operation}}, [=, this](const clprim_operation *which) {
        take(n, memory);
        return [=, this](void *) { run(*which, n); };
    });
}

// All cores of the host, where the keys lie.
void RunSuite::add_host_sort(std::size_t n)
{
    const std::size_t bytes = n * sizeof(cl_uint);
    const auto check = [=, this](const bench::Output &output) -> std::string {
        Array got(n);
        output.read(got.data(), 0, bytes);
        const bool is_right = std::is_sorted(got.begin(), got.end()) && sum_of(got.data(), n) == sum_of(in(n), n);
        return is_right ? "" : "the result is wrong";
    };
    bench::Work work{"run_radix_sort", CLPRIM_U32, n, 2.0 * static_cast<double>(bytes), bytes, check};
    work.distribution = memory_names[0];
    add_host<peers::HostSort>(
        work, {{"std_par", peers::tbb_sort(CLPRIM_U32), "tbb::parallel_sort"}},
        [=](peers::HostSort sort) { return [=](void *keys) { sort(keys, n); }; }, true);
}

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "run");
    RunSuite suite(session);
    const auto sizes = session.sizes({20, 22, 24, 26, 28}, sizeof(cl_uint), 4 * sizeof(cl_uint));
    const bool has_room = session.info().kind == CLPRIM_DEVICE_GPU && !session.quick(); // and the host has it, too
    for (const clprim_operation *operation :
         {&clprim_reduce_operation, &clprim_histogram_operation, &clprim_transform_operation, &clprim_scan_operation,
          &clprim_radix_sort_operation}) {
        for (const std::size_t n : sizes) {
            suite.add(*operation, n, Memory::ordinary);
            suite.add(*operation, n, Memory::registered);
            if (operation == &clprim_radix_sort_operation)
                suite.add_host_sort(n);
        }
        for (const int log : {28, 32})
            if (has_room)
                suite.add(*operation, std::size_t{1} << log, Memory::limited);
    }
    return session.run();
}

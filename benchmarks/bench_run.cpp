// bench_run.cpp: operations from arrays on the host to arrays on the host, by `run`: a sum, for which one array goes to the
// device; indices, for which one comes back; and a sort, for which both do. Rows named registered are of memory that was
// handed to clprim_memory_register before.
#include "suite.hpp"

#include <clprim/radix_sort.h>
#include <clprim/reduce.h>
#include <clprim/transform.h>

#include <algorithm>
#include <numeric>

namespace {

class RunSuite : bench::Suite {
  public:
    using Suite::Suite;
    ~RunSuite();
    void add(const clprim_operation &operation, std::size_t n, bool is_registered);

  private:
    using Array = std::vector<cl_uint>;

    const cl_uint *in(std::size_t n)
    {
        return static_cast<const cl_uint *>(session_.inputs().host(CLPRIM_U32, n));
    }
    void take(std::size_t n, bool is_registered);
    void give_back();
    void run(const clprim_operation &operation, std::size_t n);
    std::string check(const clprim_operation &operation, std::size_t n);

    Array in_, out_; // the call's
    bool is_registered_ = false;
    std::uint64_t sum_ = 0;
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

// Arrays of n elements, registered or not.
void RunSuite::take(std::size_t n, bool is_registered)
{
    give_back();
    in_.assign(in(n), in(n) + n);
    out_.assign(n, 0);
    if (is_registered) {
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
        const clprim_reduce_desc desc{.type = CLPRIM_U32, .accumulator_type = CLPRIM_U64};
        const clprim_reduce_call call{.in = {.host = in_.data()}, .count = n, .out = {.host = &sum_}};
        bench::require(clprim_reduce_run(runtime, &desc, &call), "clprim_reduce_run");
    } else if (&operation == &clprim_transform_operation) {
        const clprim_transform_desc desc{.expressions = {"(uint)i"}, .types = {CLPRIM_U32}};
        const clprim_transform_call call{.count = n, .out = {{.host = out_.data()}}};
        bench::require(clprim_transform_run(runtime, &desc, &call), "clprim_transform_run");
    } else {
        const clprim_radix_sort_desc desc{.key_type = CLPRIM_U32};
        const clprim_radix_sort_call call{
            .keys_in = {.host = in_.data()}, .count = n, .keys_out = {.host = out_.data()}};
        bench::require(clprim_radix_sort_run(runtime, &desc, &call), "clprim_radix_sort_run");
    }
}

std::string RunSuite::check(const clprim_operation &operation, std::size_t n)
{
    const auto sum_of = [](const Array &array) {
        return std::accumulate(array.begin(), array.end(), std::uint64_t{0});
    };
    bool is_right = false;
    if (&operation == &clprim_reduce_operation) {
        is_right = sum_ == sum_of(in_);
    } else if (&operation == &clprim_transform_operation) {
        cl_uint i = 0;
        is_right = std::all_of(out_.begin(), out_.end(), [&](cl_uint x) { return x == i++; });
    } else {
        is_right = std::is_sorted(out_.begin(), out_.end()) && sum_of(out_) == sum_of(in_);
    }
    return is_right && out_.size() == n ? "" : "the result is wrong";
}

void RunSuite::add(const clprim_operation &operation, std::size_t n, bool is_registered)
{
    const double arrays = &operation == &clprim_radix_sort_operation ? 2 : 1;
    bench::Work work{std::string("run_") + operation.name,
                     CLPRIM_U32,
                     n,
                     arrays * static_cast<double>(n * sizeof(cl_uint)),
                     sizeof(cl_uint),
                     [=, this, &operation](const bench::Output &) { return check(operation, n); }};
    work.distribution = is_registered ? "registered" : "ordinary";
    add_host<const clprim_operation *>(work, {{"clprim", &operation}}, [=, this](const clprim_operation *which) {
        take(n, is_registered);
        return [=, this](void *) { run(*which, n); };
    });
}

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "run");
    RunSuite suite(session);
    for (const clprim_operation *operation :
         {&clprim_reduce_operation, &clprim_transform_operation, &clprim_radix_sort_operation})
        for (const std::size_t n : session.sizes({20, 22, 24, 26, 28}, sizeof(cl_uint), 4 * sizeof(cl_uint)))
            for (const bool is_registered : {false, true})
                suite.add(*operation, n, is_registered);
    return session.run();
}

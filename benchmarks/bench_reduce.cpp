// bench_reduce.cpp: reductions by clPRIM, every variant of them, and by others.
#include "harness.hpp"
#include "peers/reduce_peers.hpp"

#include <clprim/reduce.h>
#include <clprim/reference.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <tuple>

namespace {

using bench::Call;
using bench::Timing;

using Result = std::array<unsigned char, sizeof(clprim_indexed)>;

struct Operation {
    const char *name;
    clprim_type type;
    clprim_op op;
    bool ladder; // every variant, not AUTO alone
};

// By type, since Inputs holds one type at a time.
const Operation OPERATIONS[] = {
    {"reduce", CLPRIM_I32, CLPRIM_SUM, true},      {"reduce", CLPRIM_F32, CLPRIM_SUM, true},
    {"reduce_min", CLPRIM_F32, CLPRIM_MIN, false}, {"reduce_argmax", CLPRIM_F32, CLPRIM_ARGMAX, false},
    {"reduce", CLPRIM_I64, CLPRIM_SUM, false},     {"reduce", CLPRIM_F64, CLPRIM_SUM, false},
    {"reduce", CLPRIM_U8, CLPRIM_SUM, false},
};

const std::vector<int> ALL_SIZES = {10, 14, 16, 18, 20, 22, 24, 26, 28};
const std::vector<int> FEW_SIZES = {16, 20, 24, 28};
const std::vector<int> QUICK_LADDER = {24};

// How many roundings may follow one another on an element's way into a sum.
enum class Depth { serial, parallel };

struct DestroyPlan {
    void operator()(clprim_reduce *plan) const
    {
        clprim_reduce_destroy(plan);
    }
};
struct Plan {
    std::unique_ptr<clprim_reduce, DestroyPlan> plan;
    bench::Buffer out;
};

// One operation on its first n elements: what all implementations share.
struct Case {
    Operation operation;
    std::size_t n;

    std::size_t element_size() const
    {
        return clprim_type_size(operation.type);
    }
    bool is_float_sum() const
    {
        return operation.op == CLPRIM_SUM && (operation.type == CLPRIM_F32 || operation.type == CLPRIM_F64);
    }
};

template <class T> double as_double(const Result &result)
{
    T value;
    std::memcpy(&value, result.data(), sizeof value);
    return static_cast<double>(value);
}

class Suite {
  public:
    explicit Suite(bench::Session &session) : session_(session)
    {
    }
    void add(const Operation &operation);

  private:
    void add_clprim(const Case &at, const std::string &implementation, clprim_reduce_variant variant, Timing timing);
    void add_host(const Case &at, const char *implementation, peers::HostReduce function);
    void add_boost_compute(const Case &at);
    void add_cub(const Case &at);
    void add_row(const Case &at, const std::string &implementation, Timing timing,
                 std::function<std::vector<Call>()> prepare);

    Plan &plan(const Operation &operation, clprim_reduce_variant variant);
    Call device_call(const Case &at, std::shared_ptr<peers::DeviceReduce> peer, const char *label, Depth depth);
    const Result &expected(const Case &at);
    std::string check(const Case &at, const Result &got, Depth depth);

    bench::Session &session_;
    std::map<std::tuple<clprim_type, clprim_op, std::size_t>, Result> expected_;
    std::map<std::tuple<clprim_type, clprim_op, clprim_reduce_variant>, Plan> plans_;
    unsigned long cub_generation_ = 0;
};

// By the reference. Float sums in double, of which the serial sum's own error is part of the tolerance.
const Result &Suite::expected(const Case &at)
{
    const auto key = std::make_tuple(at.operation.type, at.operation.op, at.n);
    const auto known = expected_.find(key);
    if (known != expected_.end())
        return known->second;
    Result result{};
    const clprim_type accumulator = at.is_float_sum() ? CLPRIM_F64 : CLPRIM_TYPE_DEFAULT;
    bench::require(clprim_reference_reduce(result.data(), at.operation.type, at.operation.op, accumulator,
                                           session_.inputs().host(at.operation.type, at.n), at.n),
                   "clprim_reference_reduce");
    return expected_.emplace(key, result).first->second;
}

// "" or what is wrong. Everything but a float sum must be the reference's bits. For float sums the bound that holds
// for any data, (n - 1) u sum |x|, is far too wide to catch a lost element. The inputs are independent and uniform in
// [-1/2, 1/2), so partial sums of k of them, and with them each rounding, are random: a chain of d additions is off by
// about u d / sqrt(72), n / d such chains and the tree above them by less than u sqrt(n (d / 24 + log2(n) / 12)).
// Eight times that is allowed; a single lost element exceeds it in nearly every case.
std::string Suite::check(const Case &at, const Result &got, Depth depth)
{
    const Result &wanted = expected(at);
    if (!at.is_float_sum())
        return got == wanted ? "" : "wrong result: it differs from the reference's";
    const bool is_f32 = at.operation.type == CLPRIM_F32;
    const auto n = static_cast<double>(at.n);
    const double chain = depth == Depth::serial ? n : std::min(n, n / 512 + 1024);
    const double u = std::ldexp(1.0, is_f32 ? -24 : -53);
    const double tolerance =
        8 * (u * std::sqrt(n * (chain / 24 + std::log2(n) / 12)) + std::ldexp(n, -53) / std::sqrt(24.0));
    const double value = is_f32 ? as_double<float>(got) : as_double<double>(got);
    const double error = std::fabs(value - as_double<double>(wanted));
    if (error <= tolerance)
        return "";
    char text[128];
    (void)std::snprintf(text, sizeof text,
                        "wrong result: the sum is %.17g, the reference's %.17g, allowed difference %.3g", value,
                        as_double<double>(wanted), tolerance);
    return text;
}

void Suite::add_row(const Case &at, const std::string &implementation, Timing timing,
                    std::function<std::vector<Call>()> prepare)
{
    session_.add({at.operation.name, implementation, clprim_type_name(at.operation.type), at.n, timing,
                  static_cast<double>(at.n * at.element_size()), std::move(prepare),
                  implementation.rfind("clprim", 0) != 0});
}

Plan &Suite::plan(const Operation &operation, clprim_reduce_variant variant)
{
    const auto key = std::make_tuple(operation.type, operation.op, variant);
    const auto known = plans_.find(key);
    if (known != plans_.end())
        return known->second;
    clprim_reduce_desc desc{};
    desc.type = operation.type;
    desc.op = operation.op;
    desc.variant = variant;
    clprim_reduce *made = nullptr;
    bench::require(clprim_reduce_create(&made, session_.runtime(), &desc), "clprim_reduce_create");
    Plan plan{std::unique_ptr<clprim_reduce, DestroyPlan>(made), session_.new_buffer(sizeof(Result))};
    return plans_.emplace(key, std::move(plan)).first->second;
}

void Suite::add_clprim(const Case &at, const std::string &implementation, clprim_reduce_variant variant, Timing timing)
{
    add_row(at, implementation, timing, [this, at, variant] {
        const Plan &with = plan(at.operation, variant);
        clprim_reduce *const reduce = with.plan.get();
        const cl_mem out = with.out.get();
        const cl_mem in = session_.inputs().device(at.operation.type, at.n);
        const cl_command_queue queue = session_.queue();
        Call call;
        call.start = [=] {
            bench::require(clprim_reduce_enqueue(reduce, queue, in, 0, at.n, out, 0, 0, nullptr, nullptr),
                           "clprim_reduce_enqueue");
        };
        call.finish = [=] { bench::require_cl(clFinish(queue), "clFinish"); };
        call.check = [=] {
            Result got{};
            const std::size_t bytes = at.operation.op == CLPRIM_ARGMAX ? got.size() : at.element_size();
            bench::require_cl(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, bytes, got.data(), 0, nullptr, nullptr),
                              "clEnqueueReadBuffer");
            return check(at, got, Depth::parallel);
        };
        return std::vector<Call>{call};
    });
}

// Such a call blocks: its throughput is its latency.
void Suite::add_host(const Case &at, const char *implementation, peers::HostReduce function)
{
    if (function == nullptr)
        return;
    add_row(at, implementation, Timing::throughput, [this, at, function] {
        const void *const in = session_.inputs().host(at.operation.type, at.n);
        const auto result = std::make_shared<Result>();
        Call call;
        call.start = [=] { function(result->data(), in, at.n); };
        call.check = [=] { return check(at, *result, Depth::serial); };
        return std::vector<Call>{call};
    });
}

Call Suite::device_call(const Case &at, std::shared_ptr<peers::DeviceReduce> peer, const char *label, Depth depth)
{
    if (peer == nullptr)
        throw bench::Unsupported("the peer has no such operation");
    Call call;
    call.label = label;
    call.start = [=] { peer->start(); };
    call.finish = [=] { peer->finish(); };
    call.event = [=] { return peer->event_seconds(); };
    call.check = [=] {
        Result got{};
        peer->result(got.data());
        return check(at, got, depth);
    };
    return call;
}

void Suite::add_boost_compute(const Case &at)
{
#if CLPRIM_BENCH_HAVE_BOOST_COMPUTE
    if (at.operation.op != CLPRIM_SUM)
        return;
    add_row(at, "boost_compute", Timing::throughput, [this, at] {
        const cl_mem in = session_.inputs().device(at.operation.type, at.n);
        std::shared_ptr<peers::DeviceReduce> peer =
            peers::boost_compute_reduce(clprim_runtime_context(session_.runtime()), session_.info().device, in,
                                        at.operation.type, at.operation.op, at.n);
        return std::vector<Call>{device_call(at, peer, "", Depth::serial)}; // serial: its code for CPUs
    });
#else
    (void)at;
#endif
}

void Suite::add_cub(const Case &at)
{
#if CLPRIM_BENCH_HAVE_CUB
    if (!peers::cub_available())
        return;
    const auto prepare = [this, at] {
        const void *const in = session_.inputs().host(at.operation.type, at.n);
        if (cub_generation_ != session_.inputs().generation()) {
            peers::cub_set_input(in, session_.inputs().capacity() * at.element_size());
            cub_generation_ = session_.inputs().generation();
        }
        std::vector<Call> calls;
        std::shared_ptr<peers::DeviceReduce> peer = peers::cub_reduce(at.operation.type, at.operation.op, at.n, true);
        calls.push_back(device_call(at, peer, "count as size_t", Depth::parallel));
        if (at.operation.op != CLPRIM_ARGMAX && at.n <= INT_MAX) {
            peer = peers::cub_reduce(at.operation.type, at.operation.op, at.n, false);
            calls.push_back(device_call(at, peer, "count as int", Depth::parallel));
        }
        return calls;
    };
    for (const Timing timing : {Timing::throughput, Timing::latency, Timing::event})
        add_row(at, "cub", timing, prepare);
#else
    (void)at;
#endif
}

void Suite::add(const Operation &operation)
{
    if (operation.type == CLPRIM_F64 && !session_.info().has_fp64)
        return;
    const std::size_t size = clprim_type_size(operation.type);
    const bool few = session_.quick() || operation.op != CLPRIM_SUM;
    for (const std::size_t n : session_.sizes(few ? FEW_SIZES : ALL_SIZES, size)) {
        const Case at{operation, n};
        add_clprim(at, "clprim", CLPRIM_REDUCE_AUTO, Timing::throughput);
        add_clprim(at, "clprim", CLPRIM_REDUCE_AUTO, Timing::latency);
        add_cub(at);
        add_boost_compute(at);
        add_host(at, "std_par", peers::std_par_reduce(operation.type, operation.op));
        add_host(at, "std", peers::std_reduce(operation.type, operation.op));
        add_host(at, "c", peers::c_reduce(operation.type, operation.op));
    }
    if (!operation.ladder)
        return;
    std::size_t count = 0;
    const clprim_variant_info *variants = clprim_reduce_variants(&count);
    for (const std::size_t n : session_.sizes(session_.quick() ? QUICK_LADDER : FEW_SIZES, size))
        for (std::size_t i = 0; i < count; i++)
            add_clprim({operation, n}, std::string("clprim:") + variants[i].name,
                       static_cast<clprim_reduce_variant>(variants[i].id), Timing::throughput);
}

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "reduce");
#if CLPRIM_BENCH_HAVE_BOOST_COMPUTE
    session.context("boost_compute", peers::boost_compute_version());
#endif
#if CLPRIM_BENCH_HAVE_CUB
    if (peers::cub_available())
        session.context("cub", peers::cub_version());
#endif
    Suite suite(session);
    for (const Operation &operation : OPERATIONS)
        suite.add(operation);
    return session.run();
}

// SPDX-License-Identifier: MIT
// bench_reduce.cpp: reductions by clPRIM, every variant of them, and by others.
#include "peers/reduce_peers.hpp"
#include "suite.hpp"

#include <clprim/reduce.h>
#include <clprim/reference.h>

#include <array>
#include <cmath>
#include <cstring>

namespace {

using Result = std::array<unsigned char, sizeof(clprim_indexed)>;

struct Operation {
    const char *name;
    clprim_type type;
    clprim_op op;
    bool ladder; // every variant, not AUTO alone

    bool is_float_sum() const
    {
        return op == CLPRIM_SUM && (type == CLPRIM_F32 || type == CLPRIM_F64);
    }
};

// By type, since Inputs holds one type at a time.
const Operation OPERATIONS[] = {
    {"reduce", CLPRIM_I32, CLPRIM_SUM, true},      {"reduce", CLPRIM_F32, CLPRIM_SUM, true},
    {"reduce_min", CLPRIM_F32, CLPRIM_MIN, false}, {"reduce_argmax", CLPRIM_F32, CLPRIM_ARGMAX, false},
    {"reduce", CLPRIM_I64, CLPRIM_SUM, false},     {"reduce", CLPRIM_F64, CLPRIM_SUM, false},
    {"reduce", CLPRIM_U8, CLPRIM_SUM, false},
};

// Sums of elements that an expression gives.
struct Expression {
    const char *name;
    const char *input;
    std::size_t arrays; // that it reads, of n elements each, one behind another: x and y
};

constexpr float LIMIT = 0.25F;
const Expression EXPRESSIONS[] = {
    {"reduce_dot", "x[i] * y[i]", 2},
    {"reduce_masked", "x[i] > limit ? x[i] : 0", 1},
};

template <class T> double as_double(const Result &result)
{
    T value;
    std::memcpy(&value, result.data(), sizeof value);
    return static_cast<double>(value);
}

class ReduceSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Operation &operation);
    void add_expressions();

  private:
    void add_expression(const Expression &expression, std::size_t n);
    bench::Work work(const Operation &operation, std::size_t n);
    Bind bind(const Operation &operation, std::size_t n);
    void add_peers(const bench::Work &work, clprim_op op);
    std::string check(const Operation &operation, std::size_t n, const bench::Output &output);

    bench::Last<Result> expected_;
};

// "" or what is wrong. Everything but a float sum must be the reference's bits. Float sums in double, of which the
// serial sum's own error is part of the tolerance.
std::string ReduceSuite::check(const Operation &operation, std::size_t n, const bench::Output &output)
{
    const clprim_type type = operation.type;
    const std::string key = std::string(operation.name) + "/" + clprim_type_name(type) + "/" + std::to_string(n);
    const Result &wanted = expected_.get(key, [&] {
        Result result{};
        const clprim_type accumulator = operation.is_float_sum() ? CLPRIM_F64 : CLPRIM_TYPE_DEFAULT;
        const clprim_reference_operator by{.type = type, .op = operation.op, .accumulator_type = accumulator};
        bench::require(clprim_reference_reduce(result.data(), &by, session_.inputs().host(type, n), n),
                       "clprim_reference_reduce");
        return result;
    });
    Result got{};
    output.read(got.data(), 0, operation.op == CLPRIM_ARGMAX ? got.size() : clprim_type_size(type));
    if (!operation.is_float_sum())
        return got == wanted ? "" : "wrong result: it differs from the reference's";
    const double value = type == CLPRIM_F32 ? as_double<float>(got) : as_double<double>(got);
    const double tolerance = bench::sum_tolerance(type, n, output.depth);
    if (std::fabs(value - as_double<double>(wanted)) <= tolerance)
        return "";
    return bench::wrong_sum(value, as_double<double>(wanted), tolerance);
}

bench::Work ReduceSuite::work(const Operation &operation, std::size_t n)
{
    return {operation.name,
            operation.type,
            n,
            static_cast<double>(n * clprim_type_size(operation.type)),
            sizeof(Result),
            [=, this](const bench::Output &output) { return check(operation, n, output); }};
}

bench::Suite::Bind ReduceSuite::bind(const Operation &operation, std::size_t n)
{
    return [=, this](cl_mem out, int variant) {
        return enqueue(
            clprim_reduce_operation, variant, clprim_reduce_desc{.type = operation.type, .op = operation.op},
            clprim_reduce_call{.in = {session_.inputs().device(operation.type, n)}, .count = n, .out = {out}});
    };
}

void ReduceSuite::add_peers(const bench::Work &work, clprim_op op)
{
    const clprim_type type = work.type;
    const std::size_t n = work.n;
    if constexpr (bench::HAVE_CUB)
        add_cub(work, [=](bool wide) { return peers::cub_reduce(type, op, n, wide); });
    if constexpr (bench::HAVE_BOOST_COMPUTE)
        if (op == CLPRIM_SUM)
            add_boost_compute(work,
                              [=](const auto &target) { return peers::boost_compute_reduce(target, type, op, n); });
    add_host<peers::HostReduce>(work,
                                {{"std_par", peers::std_par_reduce(type, op)},
                                 {"std", peers::std_reduce(type, op)},
                                 {"c", peers::c_reduce(type, op)}},
                                [=, this](peers::HostReduce reduce) {
                                    return [=, in = session_.inputs().host(type, n)](void *out) { reduce(out, in, n); };
                                });
}

void ReduceSuite::add(const Operation &operation)
{
    if (operation.type == CLPRIM_F64 && !session_.info().has_fp64)
        return;
    const std::size_t size = clprim_type_size(operation.type);
    const bool few = session_.quick() || operation.op != CLPRIM_SUM;
    for (const std::size_t n : session_.sizes(few ? bench::FEW_SIZES : bench::ALL_SIZES, size)) {
        add_auto(work(operation, n), bind(operation, n));
        add_peers(work(operation, n), operation.op);
    }
    if (operation.ladder)
        for (const std::size_t n : session_.sizes(session_.quick() ? bench::QUICK_LADDER : bench::FEW_SIZES, size))
            add_variants(work(operation, n), clprim_reduce_operation, bind(operation, n));
}

void ReduceSuite::add_expression(const Expression &expression, std::size_t n)
{
    const bool is_dot = expression.arrays == 2;
    const auto check = [=, this](const bench::Output &output) {
        const auto *x = static_cast<const float *>(session_.inputs().host(CLPRIM_F32, n * expression.arrays));
        const Result &wanted = expected_.get(std::string(expression.name) + std::to_string(n), [&] {
            double sum = 0;
            for (std::size_t i = 0; i < n; i++)
                sum += is_dot ? static_cast<double>(x[i]) * x[n + i] : x[i] > LIMIT ? x[i] : 0;
            Result result{};
            std::memcpy(result.data(), &sum, sizeof sum);
            return result;
        });
        float got = 0;
        output.read(&got, 0, sizeof got);
        const double exact = as_double<double>(wanted);
        const double tolerance = bench::sum_tolerance(CLPRIM_F32, n, output.depth) + 1e-5 * std::fabs(exact);
        return std::fabs(got - exact) <= tolerance ? "" : bench::wrong_sum(got, exact, tolerance);
    };
    const auto bind = [=, this](cl_mem out, int variant) {
        const cl_mem values = session_.inputs().device(CLPRIM_F32, n * expression.arrays);
        clprim_reduce_call call{.count = n, .out = {out}};
        call.arguments[0] = {values};
        call.arguments[1].host = const_cast<float *>(&LIMIT);
        if (is_dot)
            call.arguments[1] = {values, n, nullptr, 0};
        return enqueue(
            clprim_reduce_operation, variant,
            clprim_reduce_desc{
                .type = CLPRIM_F32,
                .input = expression.input,
                .text = {.parameters = {{.name = "x", .type = CLPRIM_F32, .is_array = true},
                                        {.name = is_dot ? "y" : "limit", .type = CLPRIM_F32, .is_array = is_dot}}}},
            call);
    };
    bench::Work work{expression.name, CLPRIM_F32, n, static_cast<double>(n * expression.arrays * sizeof(float)),
                     sizeof(float),   check};
    work.words = expression.arrays;
    add_auto(work, bind);
    if constexpr (bench::HAVE_CUB)
        add_cub(work, [=](bool wide) {
            return is_dot ? peers::cub_reduce_dot(n, wide) : peers::cub_reduce_masked(n, wide, LIMIT);
        });
}

void ReduceSuite::add_expressions()
{
    for (const Expression &expression : EXPRESSIONS)
        for (const std::size_t n : session_.sizes(bench::FEW_SIZES, sizeof(float), expression.arrays * sizeof(float)))
            add_expression(expression, n);
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run(argc, argv, "reduce", OPERATIONS, &ReduceSuite::add_expressions);
}

// bench_reduce.cpp: reductions by clPRIM, every variant of them, and by others.
#include "peers/reduce_peers.hpp"
#include "suite.hpp"

#include <clprim/reduce.h>
#include <clprim/reference.h>

#include <array>
#include <cmath>
#include <cstring>
#include <tuple>

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

  private:
    void add_variant(const Operation &operation, const bench::Work &work, const std::string &name,
                     clprim_reduce_variant variant);
    bench::Work work(const Operation &operation, std::size_t n);
    const Result &expected(const Operation &operation, std::size_t n);
    std::string check(const Operation &operation, std::size_t n, const bench::Output &output);

    std::map<std::tuple<clprim_type, clprim_op, std::size_t>, Result> expected_;
    bench::Plans<clprim_plan> plans_{clprim_plan_destroy};
};

// By the reference. Float sums in double, of which the serial sum's own error is part of the tolerance.
const Result &ReduceSuite::expected(const Operation &operation, std::size_t n)
{
    const auto key = std::make_tuple(operation.type, operation.op, n);
    const auto known = expected_.find(key);
    if (known != expected_.end())
        return known->second;
    Result result{};
    const clprim_type accumulator = operation.is_float_sum() ? CLPRIM_F64 : CLPRIM_TYPE_DEFAULT;
    const clprim_reference_operator by{.type = operation.type, .op = operation.op, .accumulator_type = accumulator};
    bench::require(clprim_reference_reduce(result.data(), &by, session_.inputs().host(operation.type, n), n),
                   "clprim_reference_reduce");
    return expected_.emplace(key, result).first->second;
}

// "" or what is wrong. Everything but a float sum must be the reference's bits.
std::string ReduceSuite::check(const Operation &operation, std::size_t n, const bench::Output &output)
{
    const Result &wanted = expected(operation, n);
    Result got{};
    output.read(got.data(), 0, operation.op == CLPRIM_ARGMAX ? got.size() : clprim_type_size(operation.type));
    if (!operation.is_float_sum())
        return got == wanted ? "" : "wrong result: it differs from the reference's";
    const double value = operation.type == CLPRIM_F32 ? as_double<float>(got) : as_double<double>(got);
    const double tolerance = bench::sum_tolerance(operation.type, n, output.depth);
    if (std::fabs(value - as_double<double>(wanted)) <= tolerance)
        return "";
    return bench::wrong_sum(value, as_double<double>(wanted), tolerance);
}

bench::Work ReduceSuite::work(const Operation &operation, std::size_t n)
{
    return {operation.name, operation.type, n, static_cast<double>(n * clprim_type_size(operation.type)),
            [this, operation, n](const bench::Output &output) { return check(operation, n, output); }};
}

void ReduceSuite::add_variant(const Operation &operation, const bench::Work &work, const std::string &name,
                              clprim_reduce_variant variant)
{
    const std::size_t n = work.n;
    add_clprim(work, name, sizeof(Result), [this, operation, variant, n](cl_mem out) {
        clprim_reduce_desc desc{};
        desc.type = operation.type;
        desc.op = operation.op;
        desc.variant = variant;
        const std::string key = std::string(operation.name) + clprim_type_name(desc.type) + std::to_string(variant);
        clprim_plan *const reduce =
            plans_.get(key, [&](clprim_plan **made) { return clprim_reduce_create(made, session_.runtime(), &desc); });
        const cl_mem in = session_.inputs().device(operation.type, n);
        const cl_command_queue queue = session_.queue();
        const clprim_reduce_call call{.in = {in}, .count = n, .out = {out}};
        return [=] {
            bench::require(clprim_reduce_enqueue(reduce, queue, &call, 0, nullptr, nullptr), "clprim_reduce_enqueue");
        };
    });
}

void ReduceSuite::add(const Operation &operation)
{
    if (operation.type == CLPRIM_F64 && !session_.info().has_fp64)
        return;
    const std::size_t size = clprim_type_size(operation.type);
    const bool few = session_.quick() || operation.op != CLPRIM_SUM;
    for (const std::size_t n : session_.sizes(few ? bench::FEW_SIZES : bench::ALL_SIZES, size)) {
        const bench::Work at = work(operation, n);
        add_variant(operation, at, "", CLPRIM_REDUCE_AUTO);
#if CLPRIM_BENCH_HAVE_CUB
        add_cub(at, [=](bool wide) { return peers::cub_reduce(operation.type, operation.op, n, wide); });
#endif
#if CLPRIM_BENCH_HAVE_BOOST_COMPUTE
        if (operation.op == CLPRIM_SUM)
            add_boost_compute(at, [=](const peers::BoostTarget &target) {
                return peers::boost_compute_reduce(target, operation.type, operation.op, n);
            });
#endif
        const std::pair<const char *, peers::HostReduce> on_host[] = {
            {"std_par", peers::std_par_reduce(operation.type, operation.op)},
            {"std", peers::std_reduce(operation.type, operation.op)},
            {"c", peers::c_reduce(operation.type, operation.op)}};
        for (const auto &[name, function] : on_host)
            if (function != nullptr)
                add_host(at, name, sizeof(Result), [this, operation, n, function = function]() -> HostCall {
                    const void *const in = session_.inputs().host(operation.type, n);
                    return [=](void *out) {
                        function(out, in, n);
                        return std::size_t{1};
                    };
                });
    }
    if (!operation.ladder)
        return;
    std::size_t count = 0;
    const clprim_variant_info *variants = clprim_reduce_operation.variants(&count);
    for (const std::size_t n : session_.sizes(session_.quick() ? bench::QUICK_LADDER : bench::FEW_SIZES, size))
        for (std::size_t i = 0; i < count; i++)
            add_variant(operation, work(operation, n), variants[i].name,
                        static_cast<clprim_reduce_variant>(variants[i].id));
}

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "reduce");
    ReduceSuite suite(session);
    for (const Operation &operation : OPERATIONS)
        suite.add(operation);
    return session.run();
}

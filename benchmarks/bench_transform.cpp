// SPDX-License-Identifier: MIT
// bench_transform.cpp: an array times a number of the call's, and a scatter, by clPRIM, every variant, and by others.
#include "suite.hpp"

#include <clprim/transform.h>

#include <algorithm>
#include <deque>

namespace peers {

// cub::DeviceTransform::Transform: cub_transform.cu.
std::unique_ptr<Device> cub_transform(clprim_type type, std::size_t n, bool wide);
// thrust::scatter of u32 to (i * step) % n; n is a power of two. In the same file.
std::unique_ptr<Device> thrust_scatter(std::size_t n, std::uint64_t step);

} // namespace peers

namespace {

constexpr int FACTOR = 3;
constexpr cl_ulong STEP = 0x9e3779b1; // odd: each place of 2^k gets one element

using Loop = void (*)(void *out, const void *in, std::size_t n);

template <class T> void by_std(void *out, const void *in, std::size_t n)
{
    const T *x = static_cast<const T *>(in);
    std::transform(x, x + n, static_cast<T *>(out), [](T value) { return static_cast<T>(FACTOR * value); });
}

struct Kind {
    clprim_type type;
    Loop std;
    cl_ulong factor; // its bits
};

const Kind KINDS[] = {
    {CLPRIM_F32, by_std<float>, 0x40400000},
    {CLPRIM_U64, by_std<cl_ulong>, FACTOR},
    {CLPRIM_U8, by_std<cl_uchar>, FACTOR},
};

class TransformSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Kind &kind);
    void add_scatter();

  private:
    std::deque<cl_ulong> lengths_; // of calls, which point to them
};

void TransformSuite::add(const Kind &kind)
{
    const std::size_t size = clprim_type_size(kind.type);
    for (const std::size_t n : session_.sizes(bench::FEW_SIZES, size, 2 * size)) {
        const auto check = [=, this](const bench::Output &output) {
            std::vector<unsigned char> wanted(n * size);
            kind.std(wanted.data(), session_.inputs().host(kind.type, n), n);
            return bench::check_bits(output, n, size, {{wanted.data()}});
        };
        const auto bind = [=, this, &kind](cl_mem out, int variant) {
            clprim_transform_call call{};
            call.arguments[0] = {session_.inputs().device(kind.type, n), 0, nullptr, 0};
            call.arguments[1].host = const_cast<cl_ulong *>(&kind.factor);
            call.count = n;
            call.out[0].buffer = out;
            return enqueue(
                clprim_transform_operation, variant,
                clprim_transform_desc{.expressions = {"a * x[i]"},
                                      .types = {kind.type},
                                      .text = {.parameters = {{.name = "x", .type = kind.type, .is_array = true},
                                                              {.name = "a", .type = kind.type}}}},
                call);
        };
        const bench::Work work{"transform", kind.type, n, static_cast<double>(2 * n * size), n * size, check};
        add_auto(work, bind);
        if constexpr (bench::HAVE_CUB)
            add_cub(work, [=](bool wide) { return peers::cub_transform(kind.type, n, wide); });
        add_host<Loop>(work, {{"std", kind.std}}, [=, this](Loop loop) {
            return [=, in = session_.inputs().host(kind.type, n)](void *out) { loop(out, in, n); };
        });
        if (kind.type == CLPRIM_F32)
            add_variants(work, clprim_transform_operation, bind);
    }
}

void scatter_by_loop(void *out, const void *in, std::size_t n)
{
    for (std::size_t i = 0; i < n; i++)
        static_cast<cl_uint *>(out)[i * STEP & (n - 1)] = static_cast<const cl_uint *>(in)[i];
}

void TransformSuite::add_scatter()
{
    constexpr std::size_t SIZE = sizeof(cl_uint);
    for (const std::size_t n : session_.sizes(bench::FEW_SIZES, SIZE, 2 * SIZE)) {
        const auto check = [=, this](const bench::Output &output) {
            std::vector<unsigned char> wanted(n * SIZE);
            scatter_by_loop(wanted.data(), session_.inputs().host(CLPRIM_U32, n), n);
            return bench::check_bits(output, n, SIZE, {{wanted.data()}});
        };
        const auto bind = [=, this](cl_mem out, int variant) {
            clprim_transform_call call{};
            call.arguments[0] = {session_.inputs().device(CLPRIM_U32, n), 0, nullptr, 0};
            call.arguments[1].host = const_cast<cl_ulong *>(&STEP);
            call.arguments[2].host = &lengths_.emplace_back(n);
            call.count = n;
            call.out[0].buffer = out;
            return enqueue(
                clprim_transform_operation, variant,
                clprim_transform_desc{.expressions = {"x[i]"},
                                      .types = {CLPRIM_U32},
                                      .out_index = "i * step & (n - 1)",
                                      .text = {.parameters = {{.name = "x", .type = CLPRIM_U32, .is_array = true},
                                                              {.name = "step", .type = CLPRIM_U64},
                                                              {.name = "n", .type = CLPRIM_U64}}}},
                call);
        };
        const bench::Work work{"scatter", CLPRIM_U32, n, static_cast<double>(2 * n * SIZE), n * SIZE, check};
        add_auto(work, bind);
        if constexpr (bench::HAVE_CUB)
            add_cub(
                work, [=](bool wide) { return wide ? peers::thrust_scatter(n, STEP) : nullptr; },
                bench::Content::values, "thrust");
        add_host<Loop>(work, {{"std", scatter_by_loop}}, [=, this](Loop loop) {
            return [=, in = session_.inputs().host(CLPRIM_U32, n)](void *out) { loop(out, in, n); };
        });
        add_variants(work, clprim_transform_operation, bind);
    }
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run(argc, argv, "transform", KINDS, &TransformSuite::add_scatter);
}

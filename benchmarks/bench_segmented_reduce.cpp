// bench_transform.cpp: an array times a number of the call's by clPRIM, every variant, and by others.
#include "suite.hpp"

#include <clprim/transform.h>

#include <algorithm>

namespace peers {

// cub::DeviceTransform::Transform: cub_transform.cu.
std::unique_ptr<Device> cub_transform(clprim_type type, std::size_t n, bool wide);

} // namespace peers

namespace {

constexpr int FACTOR = 3;

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

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "transform");
    TransformSuite suite(session);
    for (const Kind &kind : KINDS)
        suite.add(kind);
    return session.run();
}

// SPDX-License-Identifier: MIT
// bench_adjacent_difference.cpp: differences of neighbours by clPRIM, every variant, and by others.
#include "suite.hpp"

#include <clprim/adjacent_difference.h>

#include <numeric>

namespace peers {

// cub::DeviceAdjacentDifference::SubtractLeftCopy: cub_adjacent_difference.cu.
std::unique_ptr<Device> cub_adjacent_difference(clprim_type type, std::size_t n, bool wide);

} // namespace peers

namespace {

// On the host: a plain loop, and the C++ standard library's.
using Loop = void (*)(void *out, const void *in, std::size_t n);

template <class T, class R> void by_loop(void *out, const void *in, std::size_t n)
{
    const T *x = static_cast<const T *>(in);
    R *y = static_cast<R *>(out);
    y[0] = x[0];
    for (std::size_t i = 1; i < n; i++)
        y[i] = static_cast<R>(static_cast<R>(x[i]) - static_cast<R>(x[i - 1]));
}

template <class T, class R> void by_std(void *out, const void *in, std::size_t n)
{
    const T *x = static_cast<const T *>(in);
    std::adjacent_difference(x, x + n, static_cast<R *>(out), std::minus<R>());
}

struct Kind {
    clprim_type type, out_type;
    const char *name;
    Loop c, std;
};

const Kind KINDS[] = {
    {CLPRIM_U32, CLPRIM_U32, "", by_loop<cl_uint, cl_uint>, by_std<cl_uint, cl_uint>},
    {CLPRIM_U64, CLPRIM_U64, "", by_loop<cl_ulong, cl_ulong>, by_std<cl_ulong, cl_ulong>},
    {CLPRIM_U8, CLPRIM_I16, "u8_i16", by_loop<cl_uchar, cl_short>, by_std<cl_uchar, cl_short>},
};

class DifferenceSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Kind &kind);
};

void DifferenceSuite::add(const Kind &kind)
{
    const std::size_t in_size = clprim_type_size(kind.type);
    const std::size_t size = clprim_type_size(kind.out_type);
    for (const std::size_t n : session_.sizes(bench::FEW_SIZES, size, 2 * size)) {
        const auto check = [=, this](const bench::Output &output) {
            std::vector<unsigned char> wanted(n * size);
            kind.c(wanted.data(), session_.inputs().host(kind.type, n), n);
            return bench::check_bits(output, n, size, {{wanted.data()}});
        };
        const auto bind = [=, this](cl_mem out, int variant) {
            return enqueue(clprim_adjacent_difference_operation, variant,
                           clprim_adjacent_difference_desc{.type = kind.type, .out_type = kind.out_type},
                           clprim_adjacent_difference_call{
                               .in = {session_.inputs().device(kind.type, n)}, .count = n, .out = {out}});
        };
        const bench::Work work{.op = "adjacent_difference",
                               .type = kind.type,
                               .n = n,
                               .bytes = static_cast<double>(n * (in_size + size)),
                               .out_bytes = n * size,
                               .check = check,
                               .type_name = kind.name};
        add_auto(work, bind);
        if constexpr (bench::HAVE_CUB)
            add_cub(work, [=](bool wide) { return peers::cub_adjacent_difference(kind.type, n, wide); });
        add_host<Loop>(work, {{"std", kind.std}, {"c", kind.c}}, [=, this](Loop loop) {
            return [=, in = session_.inputs().host(kind.type, n)](void *out) { loop(out, in, n); };
        });
        if (kind.type == CLPRIM_U32)
            add_variants(work, clprim_adjacent_difference_operation, bind);
    }
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run<DifferenceSuite>(argc, argv, "adjacent_difference", KINDS);
}

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
    std::adjacent_difference(x, x + n, static_cast<R *>(out), [](R a, R b) { return static_cast<R>(a - b); });
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

  private:
    bench::Work work(const Kind &kind, std::size_t n);
    void add_variant(const Kind &kind, std::size_t n, const std::string &name, int variant);

    std::vector<unsigned char> expected_; // of the row that ran last
    std::string expected_of_;
    bench::Plans<clprim_plan> plans_{clprim_plan_destroy};
};

bench::Work DifferenceSuite::work(const Kind &kind, std::size_t n)
{
    const std::size_t size = clprim_type_size(kind.out_type);
    const auto check = [=, this](const bench::Output &output) {
        const std::string of = std::to_string(kind.type) + "/" + std::to_string(n);
        if (expected_of_ != of) {
            expected_.resize(n * size);
            kind.c(expected_.data(), session_.inputs().host(kind.type, n), n);
            expected_of_ = of;
        }
        return bench::check_pieces(output, n, size, [&](std::size_t begin, std::size_t count, const auto *got) {
            return bench::check_bits(expected_.data(), got, begin, count, size);
        });
    };
    bench::Work made{"adjacent_difference", kind.type, n, static_cast<double>(n * (clprim_type_size(kind.type) + size)),
                     check};
    made.type_name = kind.name;
    return made;
}

void DifferenceSuite::add_variant(const Kind &kind, std::size_t n, const std::string &name, int variant)
{
    add_clprim(work(kind, n), name, n * clprim_type_size(kind.out_type),
               [=, this](cl_mem out) -> std::function<void()> {
                   clprim_adjacent_difference_desc desc{};
                   desc.type = kind.type;
                   desc.out_type = kind.out_type;
                   desc.variant = static_cast<clprim_adjacent_difference_variant>(variant);
                   const std::string key = std::to_string(kind.type) + "/" + std::to_string(variant);
                   clprim_plan *const plan = plans_.get(key, [&](clprim_plan **made) {
                       return clprim_adjacent_difference_create(made, session_.runtime(), &desc);
                   });
                   const cl_mem in = session_.inputs().device(kind.type, n);
                   const cl_command_queue queue = session_.queue();
                   const clprim_adjacent_difference_call call{.in = {in}, .count = n, .out = {out}};
                   return [=] {
                       bench::require(clprim_adjacent_difference_enqueue(plan, queue, &call, 0, nullptr, nullptr),
                                      "clprim_adjacent_difference_enqueue");
                   };
               });
}

void DifferenceSuite::add(const Kind &kind)
{
    std::size_t count = 0;
    const clprim_variant_info *variants = clprim_adjacent_difference_operation.variants(&count);
    const std::size_t size = clprim_type_size(kind.out_type);
    for (const std::size_t n : session_.sizes(bench::FEW_SIZES, size, 2 * size)) {
        add_variant(kind, n, "", CLPRIM_ADJACENT_DIFFERENCE_AUTO);
#if CLPRIM_BENCH_HAVE_CUB
        add_cub(work(kind, n), [=](bool wide) { return peers::cub_adjacent_difference(kind.type, n, wide); });
#endif
        for (const auto &[name, loop] : {std::pair{"std", kind.std}, std::pair{"c", kind.c}})
            add_host(work(kind, n), name, n * size, [=, this, loop = loop]() -> HostCall {
                const void *const in = session_.inputs().host(kind.type, n);
                return [=](void *out) {
                    loop(out, in, n);
                    return n;
                };
            });
        for (std::size_t i = 0; kind.type == CLPRIM_U32 && i < count; i++)
            add_variant(kind, n, variants[i].name, variants[i].id);
    }
}

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "adjacent_difference");
    DifferenceSuite suite(session);
    for (const Kind &kind : KINDS)
        suite.add(kind);
    return session.run();
}

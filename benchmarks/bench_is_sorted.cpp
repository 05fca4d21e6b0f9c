// bench_is_sorted.cpp: tests of order by clPRIM, every variant of them, and by others: of elements that are in order,
// all of which must be looked at.
#include "peers/is_sorted_peers.hpp"
#include "suite.hpp"

#include <clprim/is_sorted.h>
#include <clprim/reference.h>

#include <cstdint>
#include <cstring>

namespace {

const std::vector<int> SIZES = {16, 20, 24, 26, 28};
constexpr std::size_t MAX_ON_HOST = std::size_t{1} << 26;

// Elements in order.
struct Case {
    clprim_type type = CLPRIM_TYPE_DEFAULT;
    std::size_t n = 0;
    std::vector<unsigned char> in;
    bench::Buffer device;
};

class IsSortedSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(clprim_type type);

  private:
    bench::Work work(clprim_type type, std::size_t n);
    void add_variant(clprim_type type, std::size_t n, const std::string &name, clprim_is_sorted_variant variant);
    void add_peers(clprim_type type, std::size_t n);
    const Case &case_of(clprim_type type, std::size_t n);

    Case case_; // the last one
    bench::Plans<clprim_plan> plans_{clprim_plan_destroy};
};

const Case &IsSortedSuite::case_of(clprim_type type, std::size_t n)
{
    if (case_.type == type && case_.n == n)
        return case_;
    const std::size_t size = clprim_type_size(type);
    const auto *all = static_cast<const unsigned char *>(session_.inputs().host(type, n));
    clprim_reference_sort_how how{};
    Case made;
    how.key_type = type;
    made.in.assign(all, all + n * size);
    bench::require(clprim_reference_sort(made.in.data(), nullptr, &how, n), "clprim_reference_sort");
    made.device = session_.new_buffer(n * size);
    bench::require_cl(clEnqueueWriteBuffer(session_.queue(), made.device.get(), CL_TRUE, 0, n * size, made.in.data(), 0,
                                           nullptr, nullptr),
                      "clEnqueueWriteBuffer");
    made.type = type;
    made.n = n;
    case_ = std::move(made);
    return case_;
}

bench::Work IsSortedSuite::work(clprim_type type, std::size_t n)
{
    const std::size_t size = clprim_type_size(type);
    return {"is_sorted", type, n, static_cast<double>(n * size), [=](const bench::Output &output) -> std::string {
                std::uint32_t until = 0;
                output.read(&until, 0, sizeof until);
                return until == n ? "" : "wrong result: in order up to " + std::to_string(until);
            }};
}

void IsSortedSuite::add_variant(clprim_type type, std::size_t n, const std::string &name,
                                clprim_is_sorted_variant variant)
{
    add_clprim(work(type, n), name, sizeof(std::uint32_t), [=](cl_mem out) -> std::function<void()> {
        clprim_is_sorted_desc desc{};
        desc.type = type;
        desc.variant = variant;
        clprim_plan *const plan =
            plans_.get(std::string(clprim_type_name(type)) + "/" + std::to_string(variant),
                       [&](clprim_plan **made) { return clprim_is_sorted_create(made, session_.runtime(), &desc); });
        const cl_mem in = case_of(type, n).device.get();
        const cl_command_queue queue = session_.queue();
        const clprim_is_sorted_call call{.in = {in}, .count = n, .out = {out}};
        return [=] {
            bench::require(clprim_is_sorted_enqueue(plan, queue, &call, 0, nullptr, nullptr),
                           "clprim_is_sorted_enqueue");
        };
    });
}

void IsSortedSuite::add_peers(clprim_type type, std::size_t n)
{
    const bench::Work at = work(type, n);
#if CLPRIM_BENCH_HAVE_CUB
    add_cub(at, [=](bool wide) -> std::unique_ptr<peers::Device> { // there is one form
        return wide ? nullptr : peers::cub_is_sorted(type, case_of(type, n).in.data(), n);
    });
#endif
#if CLPRIM_BENCH_HAVE_BOOST_COMPUTE
    add_boost_compute(at, [=](const peers::BoostTarget &target) {
        const peers::BoostTarget own{target.context, target.device, case_of(type, n).device.get()};
        return peers::boost_compute_is_sorted(own, type, n);
    });
#endif
    const auto add_test = [&](const char *name, peers::HostIsSorted test) {
        if (test != nullptr && n <= MAX_ON_HOST)
            add_host(at, name, sizeof(std::uint32_t), [=]() -> HostCall {
                const Case *const wanted = &case_of(type, n);
                return [=](void *out) {
                    const auto until = static_cast<std::uint32_t>(test(wanted->in.data(), n));
                    std::memcpy(out, &until, sizeof until);
                    return n;
                };
            });
    };
    add_test("std_par", peers::std_is_sorted_par(type));
    add_test("std", peers::std_is_sorted(type));
}

void IsSortedSuite::add(clprim_type type)
{
    std::size_t count = 0;
    const clprim_variant_info *variants = clprim_is_sorted_operation.variants(&count);
    const std::size_t size = clprim_type_size(type);
    for (const std::size_t n : session_.sizes(session_.quick() ? bench::FEW_SIZES : SIZES, size, size)) {
        add_variant(type, n, "", CLPRIM_IS_SORTED_AUTO);
        add_peers(type, n);
        for (std::size_t i = 0; type == CLPRIM_U32 && i < count; i++)
            add_variant(type, n, variants[i].name, static_cast<clprim_is_sorted_variant>(variants[i].id));
    }
}

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "is_sorted");
    IsSortedSuite suite(session);
    suite.add(CLPRIM_U32);
    suite.add(CLPRIM_U64);
    return session.run();
}

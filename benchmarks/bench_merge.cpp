// bench_merge.cpp: merges by clPRIM, every variant of them, and by others: of two halves of n elements, each in order.
#include "peers/merge_peers.hpp"
#include "suite.hpp"

#include <clprim/merge.h>
#include <clprim/reference.h>

namespace {

const std::vector<int> SIZES = {16, 20, 24, 26, 28};
constexpr std::size_t MAX_ON_HOST = std::size_t{1} << 26;

// Both ranges, one behind the other, and what becomes of them.
struct Case {
    clprim_type type = CLPRIM_TYPE_DEFAULT;
    std::size_t n = 0;
    std::vector<unsigned char> in, expected;
    bench::Buffer device;
};

class MergeSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(clprim_type type);

  private:
    bench::Work work(clprim_type type, std::size_t n);
    void add_variant(clprim_type type, std::size_t n, const std::string &name, clprim_merge_variant variant);
    void add_peers(clprim_type type, std::size_t n);
    const Case &case_of(clprim_type type, std::size_t n);

    Case case_; // the last one
    bench::Plans<clprim_plan> plans_{clprim_plan_destroy};
};

const Case &MergeSuite::case_of(clprim_type type, std::size_t n)
{
    if (case_.type == type && case_.n == n)
        return case_;
    const std::size_t size = clprim_type_size(type);
    const auto *all = static_cast<const unsigned char *>(session_.inputs().host(type, n));
    clprim_reference_sort_how how{};
    clprim_reference_order order{};
    Case made;
    how.key_type = order.type = type;
    made.in.assign(all, all + n * size);
    made.expected.resize(n * size);
    for (const std::size_t begin : {std::size_t{0}, n / 2})
        bench::require(clprim_reference_sort(made.in.data() + begin * size, nullptr, &how, n / 2),
                       "clprim_reference_sort");
    bench::require(clprim_reference_merge(made.expected.data(), nullptr, &order, 0, made.in.data(), nullptr, n / 2,
                                          made.in.data() + n / 2 * size, nullptr, n / 2),
                   "clprim_reference_merge");
    made.device = session_.new_buffer(n * size);
    bench::require_cl(clEnqueueWriteBuffer(session_.queue(), made.device.get(), CL_TRUE, 0, n * size, made.in.data(), 0,
                                           nullptr, nullptr),
                      "clEnqueueWriteBuffer");
    made.type = type;
    made.n = n;
    case_ = std::move(made);
    return case_;
}

bench::Work MergeSuite::work(clprim_type type, std::size_t n)
{
    const std::size_t size = clprim_type_size(type);
    return {"merge", type, n, static_cast<double>(2 * n * size), [=](const bench::Output &output) {
                const Case &wanted = case_of(type, n);
                return bench::check_pieces(
                    output, n, size, [&](std::size_t begin, std::size_t count, const unsigned char *got) {
                        return bench::check_bits(wanted.expected.data(), got, begin, count, size);
                    });
            }};
}

void MergeSuite::add_variant(clprim_type type, std::size_t n, const std::string &name, clprim_merge_variant variant)
{
    add_clprim(work(type, n), name, n * clprim_type_size(type), [=](cl_mem out) -> std::function<void()> {
        clprim_merge_desc desc{};
        desc.key_type = type;
        desc.variant = variant;
        clprim_plan *const plan =
            plans_.get(std::string(clprim_type_name(type)) + "/" + std::to_string(variant),
                       [&](clprim_plan **made) { return clprim_merge_create(made, session_.runtime(), &desc); });
        const cl_mem in = case_of(type, n).device.get();
        const cl_command_queue queue = session_.queue();
        const clprim_merge_call call{
            .a_keys = {in}, .b_keys = {in, n / 2}, .a_count = n / 2, .b_count = n / 2, .keys_out = {out}};
        return [=] {
            bench::require(clprim_merge_enqueue(plan, queue, &call, 0, nullptr, nullptr), "clprim_merge_enqueue");
        };
    });
}

void MergeSuite::add_peers(clprim_type type, std::size_t n)
{
    const bench::Work at = work(type, n);
#if CLPRIM_BENCH_HAVE_CUB
    add_cub(at, [=](bool wide) -> std::unique_ptr<peers::Device> { // there is one form
        return wide ? nullptr : peers::cub_merge(type, case_of(type, n).in.data(), n / 2, n / 2);
    });
#endif
#if CLPRIM_BENCH_HAVE_BOOST_COMPUTE
    add_boost_compute(at, [=](const peers::BoostTarget &target) {
        const peers::BoostTarget own{target.context, target.device, case_of(type, n).device.get()};
        return peers::boost_compute_merge(own, type, n / 2, n / 2);
    });
#endif
    const auto add_merge = [&](const char *name, peers::HostMerge merge) {
        if (merge != nullptr && n <= MAX_ON_HOST)
            add_host(at, name, n * clprim_type_size(type), [=]() -> HostCall {
                const Case *const wanted = &case_of(type, n);
                return [=](void *out) {
                    merge(out, wanted->in.data(), n / 2, n / 2);
                    return n;
                };
            });
    };
    add_merge("std_par", peers::std_merge_par(type));
    add_merge("std", peers::std_merge(type));
}

void MergeSuite::add(clprim_type type)
{
    std::size_t count = 0;
    const clprim_variant_info *variants = clprim_merge_operation.variants(&count);
    const std::size_t size = clprim_type_size(type);
    for (const std::size_t n : session_.sizes(session_.quick() ? bench::FEW_SIZES : SIZES, size, 3 * size)) {
        add_variant(type, n, "", CLPRIM_MERGE_AUTO);
        add_peers(type, n);
        for (std::size_t i = 0; type == CLPRIM_U32 && i < count; i++)
            add_variant(type, n, variants[i].name, static_cast<clprim_merge_variant>(variants[i].id));
    }
}

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "merge");
    MergeSuite suite(session);
    suite.add(CLPRIM_U32);
    suite.add(CLPRIM_U64);
    return session.run();
}

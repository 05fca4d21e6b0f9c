// SPDX-License-Identifier: MIT
// bench_merge.cpp: merges by clPRIM, every variant of them, and by others: of two halves of n elements, each in order.
#include "peers/merge_peers.hpp"
#include "suite.hpp"

#include <clprim/merge.h>
#include <clprim/reference.h>

#include <array>

namespace {

const std::vector<int> SIZES = {16, 20, 24, 26, 28};
constexpr std::size_t MAX_ON_HOST = std::size_t{1} << 26;

// Both ranges, one behind the other, and what becomes of them.
struct Case {
    std::vector<unsigned char> in, expected;
    bench::Buffer device;
};

class MergeSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(clprim_type type);

  private:
    void add_peers(const bench::Work &work);
    const Case &case_of(clprim_type type, std::size_t n);

    bench::Last<Case> case_;
};

const Case &MergeSuite::case_of(clprim_type type, std::size_t n)
{
    return case_.get(std::to_string(type) + "/" + std::to_string(n), [&] {
        const auto *all = static_cast<const unsigned char *>(session_.inputs().host(type, n));
        const std::size_t half = n / 2 * clprim_type_size(type); // bytes
        const clprim_reference_sort_how how{.key_type = type};
        const clprim_reference_order order{.type = type};
        Case made;
        made.in.assign(all, all + 2 * half);
        made.expected.resize(2 * half);
        unsigned char *const in = made.in.data();
        for (unsigned char *const range : {in, in + half})
            bench::require(clprim_reference_sort(range, nullptr, &how, n / 2), "clprim_reference_sort");
        bench::require(clprim_reference_merge(made.expected.data(), nullptr, &order, 0, in, nullptr, n / 2, in + half,
                                              nullptr, n / 2),
                       "clprim_reference_merge");
        made.device = session_.new_buffer(2 * half, in);
        return made;
    });
}

void MergeSuite::add_peers(const bench::Work &work)
{
    const clprim_type type = work.type;
    const std::size_t n = work.n;
    if constexpr (bench::HAVE_CUB)
        add_cub_once(work, [=, this] { return peers::cub_merge(type, case_of(type, n).in.data(), n / 2, n / 2); });
    if constexpr (bench::HAVE_BOOST_COMPUTE)
        add_boost_compute(work, [=, this](const peers::BoostTarget &target) {
            return peers::boost_compute_merge({target.context, target.device, case_of(type, n).device.get()}, type,
                                              n / 2, n / 2);
        });
    if (n <= MAX_ON_HOST)
        add_host<peers::HostMerge>(work, {{"std_par", peers::std_merge_par(type)}, {"std", peers::std_merge(type)}},
                                   [=, this](peers::HostMerge merge) {
                                       return [=, in = case_of(type, n).in.data()](void *out) {
                                           merge(out, in, n / 2, n / 2);
                                       };
                                   });
}

void MergeSuite::add(clprim_type type)
{
    const std::size_t size = clprim_type_size(type);
    for (const std::size_t n : session_.sizes(session_.quick() ? bench::FEW_SIZES : SIZES, size, 3 * size)) {
        const auto check = [=, this](const bench::Output &output) {
            return bench::check_bits(output, n, size, {{case_of(type, n).expected.data()}});
        };
        const auto bind = [=, this](cl_mem out, int variant) {
            const cl_mem in = case_of(type, n).device.get();
            return enqueue(
                clprim_merge_operation, variant, clprim_merge_desc{.key_type = type},
                clprim_merge_call{
                    .a_keys = {in}, .b_keys = {in, n / 2}, .a_count = n / 2, .b_count = n / 2, .keys_out = {out}});
        };
        const bench::Work work{"merge", type, n, static_cast<double>(2 * n * size), n * size, check};
        add_auto(work, bind);
        add_peers(work);
        if (type == CLPRIM_U32)
            add_variants(work, clprim_merge_operation, bind);
    }
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run<MergeSuite>(argc, argv, "merge", std::array{CLPRIM_U32, CLPRIM_U64});
}

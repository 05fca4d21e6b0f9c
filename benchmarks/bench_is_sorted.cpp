// SPDX-License-Identifier: MIT
// bench_is_sorted.cpp: tests of order by clPRIM, every variant of them, and by others: of elements that are in order,
// all of which must be looked at.
#include "peers/is_sorted_peers.hpp"
#include "suite.hpp"

#include <clprim/is_sorted.h>
#include <clprim/reference.h>

#include <array>

namespace {

const std::vector<int> SIZES = {16, 20, 24, 26, 28};
constexpr std::size_t MAX_ON_HOST = std::size_t{1} << 26;

// Elements in order.
struct Case {
    std::vector<unsigned char> in;
    bench::Buffer device;
};

class IsSortedSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(clprim_type type);

  private:
    void add_peers(const bench::Work &work);
    const Case &case_of(clprim_type type, std::size_t n);

    bench::Last<Case> case_;
};

const Case &IsSortedSuite::case_of(clprim_type type, std::size_t n)
{
    return case_.get(std::to_string(type) + "/" + std::to_string(n), [&] {
        const auto *all = static_cast<const unsigned char *>(session_.inputs().host(type, n));
        const clprim_reference_sort_how how{.key_type = type};
        Case made;
        made.in.assign(all, all + n * clprim_type_size(type));
        bench::require(clprim_reference_sort(made.in.data(), nullptr, &how, n), "clprim_reference_sort");
        made.device = session_.new_buffer(made.in.size(), made.in.data());
        return made;
    });
}

void IsSortedSuite::add_peers(const bench::Work &work)
{
    const clprim_type type = work.type;
    const std::size_t n = work.n;
    if constexpr (bench::HAVE_CUB)
        add_cub_once(work, [=, this] { return peers::cub_is_sorted(type, case_of(type, n).in.data(), n); });
    if constexpr (bench::HAVE_BOOST_COMPUTE)
        add_boost_compute(work, [=, this](const peers::BoostTarget &target) {
            return peers::boost_compute_is_sorted({target.context, target.device, case_of(type, n).device.get()}, type,
                                                  n);
        });
    if (n <= MAX_ON_HOST)
        add_host<peers::HostIsSorted>(
            work, {{"std_par", peers::std_is_sorted_par(type)}, {"std", peers::std_is_sorted(type)}},
            [=, this](peers::HostIsSorted test) {
                return [=, in = case_of(type, n).in.data()](void *out) {
                    *static_cast<cl_uint *>(out) = static_cast<cl_uint>(test(in, n));
                };
            });
}

void IsSortedSuite::add(clprim_type type)
{
    const std::size_t size = clprim_type_size(type);
    for (const std::size_t n : session_.sizes(session_.quick() ? bench::FEW_SIZES : SIZES, size, size)) {
        const auto check = [n](const bench::Output &output) -> std::string {
            cl_uint until = 0;
            output.read(&until, 0, sizeof until);
            return until == n ? "" : "wrong result: in order up to " + std::to_string(until);
        };
        const auto bind = [=, this](cl_mem out, int variant) {
            return enqueue(clprim_is_sorted_operation, variant, clprim_is_sorted_desc{.type = type},
                           clprim_is_sorted_call{.in = {case_of(type, n).device.get()}, .count = n, .out = {out}});
        };
        const bench::Work work{"is_sorted", type, n, static_cast<double>(n * size), sizeof(cl_uint), check};
        add_auto(work, bind);
        add_peers(work);
        if (type == CLPRIM_U32)
            add_variants(work, clprim_is_sorted_operation, bind);
    }
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run<IsSortedSuite>(argc, argv, "is_sorted", std::array{CLPRIM_U32, CLPRIM_U64});
}

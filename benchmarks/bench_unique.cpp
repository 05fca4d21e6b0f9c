// SPDX-License-Identifier: MIT
// bench_unique.cpp: the first elements of runs of equal ones, alone and with values, by clPRIM, every variant, and by
// others.
#include "peers/unique_peers.hpp"
#include "runs_suite.hpp"

#include <clprim/reference.h>
#include <clprim/unique.h>

namespace {

class UniqueSuite final : public bench::RunsSuite {
  public:
    explicit UniqueSuite(bench::Session &session) : RunsSuite(session, clprim_unique_operation, 1, 1)
    {
    }

  private:
    std::size_t reference(cl_uint *out, const void *in, std::size_t n) override
    {
        std::size_t runs = 0;
        bench::require(clprim_reference_unique(out, &runs, sizeof *out, nullptr, in, n), "clprim_reference_unique");
        return runs;
    }

    std::function<void()> call(cl_mem in, std::size_t n, cl_mem out, int variant) override
    {
        return enqueue(clprim_unique_operation, variant, clprim_unique_desc{.type = TYPE, .index_type = CLPRIM_U64},
                       clprim_unique_call{.in = {in}, .count = n, .out = {out}, .out_count = {selected()}});
    }

    void add_peers(const bench::Work &work) override
    {
        const std::size_t n = work.n;
        if constexpr (bench::HAVE_CUB)
            add_cub(work, [=](bool wide) { return peers::cub_unique(n, wide); });
        if constexpr (bench::HAVE_BOOST_COMPUTE)
            add_boost_compute(work, [=](const auto &target) { return peers::boost_compute_unique(target, n); });
        add_host<peers::HostUnique>(
            work, {{"std_par", peers::std_par_unique()}, {"std", peers::std_unique()}, {"c", peers::c_unique()}},
            [=, this](peers::HostUnique unique) {
                return [=, in = host(work)](void *out) { return unique(out, in, n); };
            });
    }
};

// Keys and values are of U32, the values 0, 1, 2, ...
class UniqueByKeySuite final : public bench::RunsSuite {
  public:
    explicit UniqueByKeySuite(bench::Session &session)
        : RunsSuite(session, clprim_unique_operation, 2, 2, ", of the values", "unique_by_key")
    {
    }

  private:
    bench::Inputs &values()
    {
        return session_.inputs(bench::Content::indices);
    }

    std::size_t reference(cl_uint *out, const void *in, std::size_t n) override
    {
        std::size_t runs = 0;
        bench::require(clprim_reference_unique_by_key(out, out + n, &runs, sizeof *out, sizeof *out, nullptr, in,
                                                      values().host(TYPE, n), n),
                       "clprim_reference_unique_by_key");
        return runs;
    }

    std::function<void()> call(cl_mem in, std::size_t n, cl_mem out, int variant) override
    {
        return enqueue(clprim_unique_operation, variant,
                       clprim_unique_desc{.type = TYPE, .value_size = sizeof(cl_uint), .index_type = CLPRIM_U64},
                       clprim_unique_call{.in = {in},
                                          .values_in = {values().device(TYPE, n)},
                                          .count = n,
                                          .out = {out},
                                          .values_out = {out, n},
                                          .out_count = {selected()}});
    }

    void add_peers(const bench::Work &work) override
    {
        const std::size_t n = work.n;
        if constexpr (bench::HAVE_CUB)
            add_cub(
                work, [=](bool wide) { return peers::cub_unique_by_key(n, wide); }, bench::Content::indices);
        add_host<decltype(&peers::c_unique_by_key)>(work, {{"c", peers::c_unique_by_key}}, [=, this](auto unique) {
            return [=, in = host(work), of = values().host(TYPE, n)](void *out) { return unique(out, in, of, n); };
        });
    }
};

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "unique");
    UniqueSuite suite(session);
    UniqueByKeySuite by_key(session);
    suite.add_all();
    by_key.add_all();
    return session.run();
}

// SPDX-License-Identifier: MIT
// bench_reduce_by_key.cpp: sums of runs of equal keys by clPRIM, every variant that can, and by others. Keys and values
// are of U32, the values 0, 1, 2, ...
#include "peers/reduce_by_key_peers.hpp"
#include "runs_suite.hpp"

#include <clprim/reduce_by_key.h>
#include <clprim/reference.h>

namespace {

class ReduceByKeySuite final : public bench::RunsSuite {
  public:
    explicit ReduceByKeySuite(bench::Session &session)
        : RunsSuite(session, clprim_reduce_by_key_operation, 2, 2, ", of the folds")
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
        const clprim_reference_operator sum{.type = TYPE};
        bench::require(
            clprim_reference_reduce_by_key(out, out + n, &runs, sizeof *out, &sum, in, values().host(TYPE, n), n),
            "clprim_reference_reduce_by_key");
        return runs;
    }

    std::function<void()> call(cl_mem in, std::size_t n, cl_mem out, int variant) override
    {
        return enqueue(clprim_reduce_by_key_operation, variant,
                       clprim_reduce_by_key_desc{.key_type = TYPE, .type = TYPE, .op = CLPRIM_SUM},
                       clprim_reduce_by_key_call{.keys_in = {in},
                                                 .values_in = {values().device(TYPE, n)},
                                                 .count = n,
                                                 .keys_out = {out},
                                                 .values_out = {out, n},
                                                 .out_count = {selected()}});
    }

    void add_peers(const bench::Work &work) override
    {
        const std::size_t n = work.n;
        if constexpr (bench::HAVE_CUB)
            add_cub(
                work, [=](bool wide) { return peers::cub_reduce_by_key(n, wide); }, bench::Content::indices);
        if constexpr (bench::HAVE_BOOST_COMPUTE)
            add_boost_compute(work, [=, this](const auto &target) {
                return peers::boost_compute_reduce_by_key(target, values().device(TYPE, n), n);
            });
        add_host<decltype(&peers::c_reduce_by_key)>(work, {{"c", peers::c_reduce_by_key}}, [=, this](auto reduce) {
            return [=, in = host(work), of = values().host(TYPE, n)](void *out) { return reduce(out, in, of, n); };
        });
    }
};

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "reduce_by_key");
    ReduceByKeySuite suite(session);
    suite.add_all();
    return session.run();
}

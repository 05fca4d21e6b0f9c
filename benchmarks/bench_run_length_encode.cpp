// SPDX-License-Identifier: MIT
// bench_run_length_encode.cpp: runs of equal elements and their lengths, and non-trivial runs with their offsets, by
// clPRIM, every variant that can, and by others.
#include "peers/run_length_encode_peers.hpp"
#include "runs_suite.hpp"

#include <clprim/reference.h>
#include <clprim/run_length_encode.h>

#include <algorithm>
#include <cstdint>

namespace {

class RunLengthEncodeSuite final : public bench::RunsSuite {
  public:
    explicit RunLengthEncodeSuite(bench::Session &session)
        : RunsSuite(session, clprim_run_length_encode_operation, 1, 2, ", of the lengths")
    {
    }

  private:
    std::size_t reference(cl_uint *out, const void *in, std::size_t n) override
    {
        std::size_t runs = 0;
        std::vector<std::uint64_t> lengths(n);
        bench::require(clprim_reference_run_length_encode(out, lengths.data(), &runs, sizeof *out, in, n),
                       "clprim_reference_run_length_encode");
        std::transform(lengths.begin(), lengths.end(), out + n,
                       [](std::uint64_t length) { return static_cast<cl_uint>(length); });
        return runs;
    }

    std::function<void()> call(cl_mem in, std::size_t n, cl_mem out, int variant) override
    {
        return enqueue(clprim_run_length_encode_operation, variant, clprim_run_length_encode_desc{.type = TYPE},
                       clprim_run_length_encode_call{
                           .in = {in}, .count = n, .out = {out}, .lengths_out = {out, n}, .out_count = {selected()}});
    }

    void add_peers(const bench::Work &work) override
    {
        const std::size_t n = work.n;
        if constexpr (bench::HAVE_CUB)
            add_cub(work, [=](bool wide) { return peers::cub_run_length_encode(n, wide); });
        add_host<decltype(&peers::c_run_length_encode)>(
            work, {{"c", peers::c_run_length_encode}},
            [=, this](auto encode) { return [=, in = host(work)](void *out) { return encode(out, in, n); }; });
    }
};

// Runs of 2 and more elements: offsets, lengths, and elements, which the peers do not write.
class NonTrivialSuite final : public bench::RunsSuite {
  public:
    explicit NonTrivialSuite(bench::Session &session)
        : RunsSuite(session, clprim_run_length_encode_operation, 1, 3, ", of the lengths", "non_trivial_runs",
                    ", of the offsets")
    {
    }

  private:
    std::size_t reference(cl_uint *out, const void *in, std::size_t n) override
    {
        std::size_t runs = 0;
        std::vector<std::uint64_t> lengths(n);
        std::vector<std::uint64_t> offsets(n);
        const clprim_reference_runs_how how{.min_length = 2, .offsets = offsets.data(), .equal = nullptr};
        bench::require(clprim_reference_runs(out + 2 * n, lengths.data(), &runs, sizeof *out, &how, in, n),
                       "clprim_reference_runs");
        for (std::size_t i = 0; i < runs; i++) {
            out[i] = static_cast<cl_uint>(offsets[i]);
            out[n + i] = static_cast<cl_uint>(lengths[i]);
        }
        return runs;
    }

    std::function<void()> call(cl_mem in, std::size_t n, cl_mem out, int variant) override
    {
        return enqueue(clprim_run_length_encode_operation, variant,
                       clprim_run_length_encode_desc{.type = TYPE, .min_length = 2, .offsets = true},
                       clprim_run_length_encode_call{.in = {in},
                                                     .count = n,
                                                     .out = {out, 2 * n},
                                                     .lengths_out = {out, n},
                                                     .offsets_out = {out},
                                                     .out_count = {selected()}});
    }

    void add_peers(const bench::Work &work) override
    {
        const std::size_t n = work.n;
        if constexpr (bench::HAVE_CUB)
            add_cub(work, [=](bool wide) { return peers::cub_non_trivial_runs(n, wide); });
        add_host<decltype(&peers::c_non_trivial_runs)>(work, {{"c", peers::c_non_trivial_runs}}, [=, this](auto find) {
            return [=, in = host(work)](void *out) { return find(out, in, n); };
        });
    }

    double written(double length) override
    {
        return length > 1 ? 1 / length : 0;
    }
};

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "run_length_encode");
    RunLengthEncodeSuite suite(session);
    NonTrivialSuite non_trivial(session);
    suite.add_all();
    non_trivial.add_all();
    return session.run();
}

// bench_run_length_encode.cpp: runs of equal elements and their lengths by clPRIM, every variant that can, and by
// others.
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

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "run_length_encode");
    RunLengthEncodeSuite suite(session);
    suite.add_all();
    return session.run();
}

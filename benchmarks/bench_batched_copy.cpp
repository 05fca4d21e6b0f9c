// SPDX-License-Identifier: MIT
// bench_batched_copy.cpp: segments in another order, by clPRIM, every variant, and by others.
#include "peers/batched_copy_peers.hpp"
#include "segments.hpp"
#include "suite.hpp"

#include <clprim/batched_copy.h>
#include <clprim/reference.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace {

struct Operation {
    const char *distribution;
    clprim_type type;
    std::size_t mean; // of the lengths, which are uniform, up to twice that
};

// By type, since Inputs holds one at a time.
const Operation OPERATIONS[] = {
    {"mean10", CLPRIM_U32, 10},          {"mean1000", CLPRIM_U32, 1000}, {"mean1000000", CLPRIM_U32, 1000000},
    {"mean10", CLPRIM_U8, 10},           {"mean100", CLPRIM_U8, 100},    {"mean1000", CLPRIM_U8, 1000},
    {"mean1000000", CLPRIM_U8, 1000000},
};

const std::vector<int> SIZES = {16, 20, 24, 28};
const std::vector<int> QUICK_SIZES = {16, 24};

struct Case {
    std::vector<std::uint32_t> offsets, begins;
    bench::Buffer device_offsets, device_begins;

    peers::Batch batch() const
    {
        return {offsets.data(), begins.data(), begins.size()};
    }
};

// Segments that cover n elements, in a random order.
void make_segments(Case &made, std::size_t mean, std::size_t n)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> segments; // begin, length
    bench::Random random;
    for (std::size_t at = 0; at < n;) {
        const std::size_t length = std::min<std::size_t>(random() % (2 * mean + 1), n - at);
        segments.emplace_back(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(length));
        at += length;
    }
    for (std::size_t i = segments.size(); i > 1; i--)
        std::swap(segments[i - 1], segments[random() % i]);
    made.offsets = {0};
    for (const auto &[begin, length] : segments) {
        made.begins.push_back(begin);
        made.offsets.push_back(made.offsets.back() + length);
    }
}

// On the host: std::memcpy, segment after segment.
void copy_serially(void *out, const void *in, std::size_t size, const peers::Batch &batch)
{
    for (std::size_t s = 0; s < batch.count; s++)
        std::memcpy(static_cast<char *>(out) + batch.offsets[s] * size,
                    static_cast<const char *>(in) + batch.begins[s] * size,
                    (batch.offsets[s + 1] - batch.offsets[s]) * size);
}

class BatchedSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Operation &operation);

  private:
    bench::Work work(const Operation &operation, std::size_t n);
    Bind bind(const Operation &operation, std::size_t n);
    const Case &case_of(const Operation &operation, std::size_t n);

    bench::Last<Case> case_;
};

const Case &BatchedSuite::case_of(const Operation &operation, std::size_t n)
{
    return case_.get(std::string(operation.distribution) + "/" + std::to_string(n), [&] {
        Case made;
        make_segments(made, operation.mean, n);
        made.device_offsets = session_.new_buffer(made.offsets.size() * sizeof(std::uint32_t), made.offsets.data());
        made.device_begins = session_.new_buffer(made.begins.size() * sizeof(std::uint32_t), made.begins.data());
        return made;
    });
}

bench::Work BatchedSuite::work(const Operation &operation, std::size_t n)
{
    const std::size_t size = clprim_type_size(operation.type);
    const std::size_t count = n / operation.mean; // about as many
    bench::Work work{
        "batched_copy",
        operation.type,
        n,
        static_cast<double>(n * 2 * size + count * 2 * sizeof(std::uint32_t)),
        n * size,
        [=, this](const bench::Output &output) {
            std::vector<unsigned char> wanted(n * size);
            const peers::Batch batch = case_of(operation, n).batch();
            bench::require(clprim_reference_batched_copy(wanted.data(), session_.inputs().host(operation.type, n), size,
                                                         CLPRIM_U32, batch.begins, batch.offsets, nullptr, batch.count),
                           "clprim_reference_batched_copy");
            return bench::check_bits(output, n, size, {{wanted.data()}});
        }};
    work.distribution = operation.distribution;
    return work;
}

bench::Suite::Bind BatchedSuite::bind(const Operation &operation, std::size_t n)
{
    return [=, this](cl_mem out, int variant) {
        const Case &at = case_of(operation, n);
        return enqueue(clprim_batched_copy_operation, variant,
                       clprim_batched_copy_desc{.element_size = clprim_type_size(operation.type)},
                       clprim_batched_copy_call{.in = {session_.inputs().device(operation.type, n)},
                                                .in_begins = {at.device_begins.get()},
                                                .offsets = {at.device_offsets.get()},
                                                .in_count = n,
                                                .out_count = n,
                                                .segment_count = at.begins.size(),
                                                .out = {out}});
    };
}

void BatchedSuite::add(const Operation &operation)
{
    using Function = void (*)(void *, const void *, std::size_t, const peers::Batch &);
    const std::size_t size = clprim_type_size(operation.type);
    for (const std::size_t n : session_.sizes(session_.quick() ? QUICK_SIZES : SIZES, size, 2 * size)) {
        const bench::Work at = work(operation, n);
        add_auto(at, bind(operation, n));
        add_variants(at, clprim_batched_copy_operation, bind(operation, n));
        if constexpr (bench::HAVE_CUB)
            add_cub_once(
                at, [=, this] { return peers::cub_batched_copy(operation.type, n, case_of(operation, n).batch()); });
        add_host<Function>(at, {{"c", copy_serially}}, [=, this](Function copy) {
            return [=, in = session_.inputs().host(operation.type, n), wanted = &case_of(operation, n)](void *out) {
                copy(out, in, size, wanted->batch());
            };
        });
    }
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run<BatchedSuite>(argc, argv, "batched_copy", OPERATIONS);
}

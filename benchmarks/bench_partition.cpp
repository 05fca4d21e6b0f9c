// SPDX-License-Identifier: MIT
// bench_partition.cpp: partitions by clPRIM, every variant of them, and by others.
#include "peers/partition_peers.hpp"
#include "suite.hpp"

#include <clprim/partition.h>
#include <clprim/reference.h>

#include <algorithm>
#include <array>

namespace {

using peers::Partition;
using peers::PartitionLimits;

constexpr std::size_t SIZE = sizeof(cl_int); // of an element
constexpr std::int32_t THIRD = 715827882;    // a third of all elements is below -THIRD, and two thirds are below THIRD

struct Operation {
    const char *name;
    Partition partition;
    PartitionLimits limits;
    const char *predicate, *second_predicate; // the same for clPRIM
    bool ladder;                              // every variant, not AUTO alone

    bool by_flags() const
    {
        return partition == Partition::flagged;
    }
    bool is_reversed() const
    {
        return partition == Partition::reversed || partition == Partition::flagged;
    }
    std::size_t arrays() const
    {
        return partition == Partition::three ? 3 : partition == Partition::separate ? 2 : 1;
    }
};

const Operation OPERATIONS[] = {
    {"partition", Partition::reversed, {0, 0}, "x < 0", nullptr, true},
    {"partition_flagged", Partition::flagged, {0, 0}, nullptr, nullptr, false},
    {"partition_stable", Partition::stable, {0, 0}, "x < 0", nullptr, false},
    {"partition_separate", Partition::separate, {0, 0}, "x < 0", nullptr, false},
    {"partition_three", Partition::three, {-THIRD, THIRD}, "x < -715827882", "x < 715827882", true},
};

// The reference's parts, one behind the other.
struct Expected {
    std::array<std::size_t, 3> counts{};
    std::vector<unsigned char> elements;
};

class PartitionSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Operation &operation);

  private:
    bench::Work work(const Operation &operation, std::size_t n);
    Bind bind(const Operation &operation, std::size_t n);
    void add_peers(const bench::Work &work, const Operation &operation);
    const Expected &expected(const Operation &operation, std::size_t n);
    std::string check(const Operation &operation, std::size_t n, const bench::Output &output);
    cl_mem other_counts();

    bench::Last<Expected> expected_;
    bench::Buffer other_counts_;
};

const Expected &PartitionSuite::expected(const Operation &operation, std::size_t n)
{
    return expected_.get(std::string(operation.name) + "/" + std::to_string(n), [&] {
        const auto *in = static_cast<const std::int32_t *>(session_.inputs().host(CLPRIM_I32, n));
        const std::uint8_t *flags = operation.by_flags() ? host_flags(n) : nullptr;
        std::vector<std::uint8_t> part(n);
        for (std::size_t i = 0; i < n; i++)
            part[i] = (flags != nullptr ? flags[i] != 0 : in[i] < operation.limits.first)        ? 0
                      : operation.second_predicate != nullptr && in[i] < operation.limits.second ? 1
                                                                                                 : 2;
        Expected made{{}, std::vector<unsigned char>(n * SIZE)};
        bench::require(
            clprim_reference_partition(made.elements.data(), made.counts.data(), 3, SIZE, part.data(), in, n),
            "clprim_reference_partition");
        return made;
    });
}

// "" or what is wrong: how many are in the first part, then the elements of each part, bit for bit. The rest may be
// reversed, at the end of the output.
std::string PartitionSuite::check(const Operation &operation, std::size_t n, const bench::Output &output)
{
    static const char *const names[] = {"", ", of the second part", ", of the rest"};
    const auto &[counts, elements] = expected(operation, n);
    std::string wrong = bench::check_selected(output, counts[0], "elements in the first part");
    std::size_t before = 0;
    std::size_t array = 0;
    for (std::size_t p = 0; p < counts.size() && wrong.empty(); p++) {
        const std::size_t begin = (operation.arrays() > 1 ? array * n : before) * SIZE;
        bench::Output part;
        part.read = [&, p](void *to, std::size_t offset, std::size_t bytes) {
            if (p < 2 || !operation.is_reversed())
                return output.read(to, begin + offset, bytes);
            std::vector<unsigned char> reversed(bytes);
            output.read(reversed.data(), n * SIZE - offset - bytes, bytes);
            for (std::size_t i = 0; i < bytes; i += SIZE)
                std::copy_n(reversed.data() + (bytes - SIZE - i), SIZE, static_cast<unsigned char *>(to) + i);
        };
        wrong = bench::check_bits(part, counts[p], SIZE, {{elements.data() + before * SIZE, 0, names[p]}});
        before += counts[p];
        array += p != 1 || operation.second_predicate != nullptr;
    }
    return wrong;
}

bench::Work PartitionSuite::work(const Operation &operation, std::size_t n)
{
    return {.op = operation.name,
            .type = CLPRIM_I32,
            .n = n,
            .bytes = static_cast<double>(n) * (2 * SIZE + operation.by_flags()),
            .out_bytes = operation.arrays() * n * SIZE,
            .check = [=, this](const bench::Output &output) { return check(operation, n, output); }};
}

// Where clPRIM's calls write the other parts' numbers of elements.
cl_mem PartitionSuite::other_counts()
{
    const cl_ulong none[2] = {0, 0};
    if (other_counts_ == nullptr)
        other_counts_ = session_.new_buffer(sizeof none, none);
    return other_counts_.get();
}

bench::Suite::Bind PartitionSuite::bind(const Operation &operation, std::size_t n)
{
    return [=, this](cl_mem out, int variant) {
        const clprim_partition_desc desc{.type = CLPRIM_I32,
                                         .predicate = operation.predicate,
                                         .second_predicate = operation.second_predicate,
                                         .reversed_rest = operation.is_reversed(),
                                         .separate = operation.arrays() > 1,
                                         .index_type = CLPRIM_U64};
        clprim_partition_call call{
            .in = {session_.inputs().device(CLPRIM_I32, n)}, .count = n, .out = {out}, .out_count = {selected()}};
        if (operation.by_flags())
            call.flags = {session_.inputs(bench::Content::flags).device(CLPRIM_U8, n)};
        if (operation.second_predicate != nullptr) {
            call.second_out = {out, n};
            call.second_count = {other_counts()};
        }
        if (desc.separate) {
            call.rest_out = {out, (operation.arrays() - 1) * n};
            call.rest_count = {other_counts(), 1};
        }
        return enqueue(clprim_partition_operation, variant, desc, call);
    };
}

void PartitionSuite::add_peers(const bench::Work &work, const Operation &operation)
{
    const Partition partition = operation.partition;
    const PartitionLimits limits = operation.limits;
    const std::size_t n = work.n;
    if constexpr (bench::HAVE_CUB)
        add_cub(
            work, [=](bool wide) { return peers::cub_partition(partition, n, limits, wide); },
            operation.by_flags() ? bench::Content::flags : bench::Content::values);
    add_host<peers::HostPartition>(work,
                                   {{"std_par", peers::std_par_partition(partition)},
                                    {"std", peers::std_partition(partition)},
                                    {"c", peers::c_partition(partition)}},
                                   [=, this](peers::HostPartition function) {
                                       const void *const in = session_.inputs().host(CLPRIM_I32, n);
                                       const std::uint8_t *const flags = operation.by_flags() ? host_flags(n) : nullptr;
                                       return [=](void *out) { return function(out, in, flags, n, limits); };
                                   });
}

void PartitionSuite::add(const Operation &operation)
{
    const auto sizes = [&](const std::vector<int> &logs) {
        return session_.sizes(logs, operation.arrays() * SIZE, (1 + operation.arrays()) * SIZE + operation.by_flags());
    };
    for (const std::size_t n : sizes(session_.quick() || !operation.ladder ? bench::FEW_SIZES : bench::ALL_SIZES)) {
        add_auto(work(operation, n), bind(operation, n));
        add_peers(work(operation, n), operation);
    }
    if (operation.ladder)
        for (const std::size_t n : sizes(session_.quick() ? bench::QUICK_LADDER : bench::FEW_SIZES))
            add_variants(work(operation, n), clprim_partition_operation, bind(operation, n));
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run<PartitionSuite>(argc, argv, "partition", OPERATIONS);
}

// SPDX-License-Identifier: MIT
// bench_scan.cpp: scans by clPRIM, every variant of them, and by others.
#include "peers/scan_peers.hpp"
#include "segments.hpp"
#include "suite.hpp"

#include <clprim/reference.h>
#include <clprim/scan.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

using peers::Scan;

struct Operation {
    const char *name;
    Scan scan;
    clprim_type type;
    bool ladder; // every variant, not AUTO alone
    bool reproducible = false;
    const char *distribution = "uniform";
    std::size_t mean = 0; // by offsets: of the segments' lengths; those of uniform lengths up to twice that

    bool by_offsets() const
    {
        return scan == Scan::sum_by_offsets;
    }
    bool is_float_sum() const
    {
        return scan != Scan::inclusive_max && (type == CLPRIM_F32 || type == CLPRIM_F64);
    }
    bool by_key() const
    {
        return scan == Scan::sum_by_key;
    }
    clprim_op op() const
    {
        return scan == Scan::inclusive_max ? CLPRIM_MAX : CLPRIM_SUM;
    }
    clprim_type out_type() const
    {
        return type == CLPRIM_U8 ? CLPRIM_U32 : type;
    }
    std::size_t out_size() const
    {
        return clprim_type_size(out_type());
    }
    std::size_t bytes_per_element() const // the fewest that are moved
    {
        return clprim_type_size(type) + out_size() + (by_key() ? sizeof(std::int32_t) : 0);
    }
};

// By type, since Inputs holds one type at a time.
const Operation OPERATIONS[] = {
    {"scan", Scan::exclusive_sum, CLPRIM_I32, true},
    {"scan_inclusive", Scan::inclusive_sum, CLPRIM_I32, false},
    {"segmented_scan", Scan::sum_by_key, CLPRIM_I32, false},
    {"scan_by_offsets", Scan::sum_by_offsets, CLPRIM_I32, false, false, "mean10", 10},
    {"scan_by_offsets", Scan::sum_by_offsets, CLPRIM_I32, false, false, "mean1000", 1000},
    {"scan_by_offsets", Scan::sum_by_offsets, CLPRIM_I32, false, false, "mean1000000", 1000000},
    {"scan", Scan::exclusive_sum, CLPRIM_F32, false},
    {"scan_reproducible", Scan::exclusive_sum, CLPRIM_F32, false, true},
    {"scan_max", Scan::inclusive_max, CLPRIM_F32, false},
    {"scan", Scan::exclusive_sum, CLPRIM_I64, false},
    {"scan", Scan::exclusive_sum, CLPRIM_F64, false},
    {"scan", Scan::exclusive_sum, CLPRIM_U8, false},
};

const std::vector<int> SEGMENTED_SIZES = {20, 24, 28};
constexpr std::size_t MAX_OF_SLOW = std::size_t{1} << 24;

// Steps of the ladder that move the array many times over: seconds a call beyond 2^24.
bool is_slow(int variant)
{
    return variant == CLPRIM_SCAN_NAIVE || variant == CLPRIM_SCAN_WORK_EFFICIENT || variant == CLPRIM_SCAN_BIT_REVERSED;
}

// The segments, which cover n elements.
std::vector<std::uint32_t> make_offsets(std::size_t mean, std::size_t n)
{
    return bench::make_offsets(n, [mean](bench::Random &random, std::size_t) { return random() % (2 * mean + 1); });
}

template <class T>
std::string check_sums(const Operation &operation, const double *wanted, const unsigned char *got, std::size_t begin,
                       std::size_t count, bench::Depth depth)
{
    constexpr std::size_t block = 1024; // elements with one tolerance, that of the shortest sum
    double tolerance = 0;
    for (std::size_t i = 0; i < count; i++) {
        T value;
        std::memcpy(&value, got + i * sizeof value, sizeof value);
        if (i % block == 0 || begin + i < block)
            tolerance = bench::sum_tolerance(operation.type, begin + i + 1, depth);
        const double error = std::fabs(static_cast<double>(value) - wanted[begin + i]);
        if (!(error <= tolerance))
            return "element " + std::to_string(begin + i) + ": " +
                   bench::wrong_sum(static_cast<double>(value), wanted[begin + i], tolerance);
    }
    return "";
}

class ScanSuite : bench::Suite {
  public:
    using Suite::Suite;
    void add(const Operation &operation);

  private:
    bench::Work work(const Operation &operation, std::size_t n);
    Bind bind(const Operation &operation, std::size_t n);
    void add_peers(const bench::Work &work, const Operation &operation);
    void add_peers_by_offsets(const bench::Work &work, const Operation &operation);
    const std::int32_t *host_keys(const Operation &operation, std::size_t n);
    const bench::Offsets &case_of(const Operation &operation, std::size_t n);
    std::vector<unsigned char> expected(const Operation &operation, std::size_t n);
    std::string check(const Operation &operation, std::size_t n, const bench::Output &output);

    bench::Last<std::vector<unsigned char>> expected_;
    bench::Last<bench::Offsets> case_;
};

const bench::Offsets &ScanSuite::case_of(const Operation &operation, std::size_t n)
{
    return case_.get(std::string(operation.distribution) + "/" + std::to_string(n), [&] {
        bench::Offsets made;
        made.offsets = make_offsets(operation.mean, n);
        made.upload(session_);
        return made;
    });
}

// Null where there are none.
const std::int32_t *ScanSuite::host_keys(const Operation &operation, std::size_t n)
{
    if (!operation.by_key())
        return nullptr;
    return static_cast<const std::int32_t *>(session_.inputs(bench::Content::keys).host(CLPRIM_I32, n));
}

// The reference's output. Float sums are computed, and of F32 kept, in double.
std::vector<unsigned char> ScanSuite::expected(const Operation &operation, std::size_t n)
{
    const clprim_type accumulator = operation.is_float_sum() ? CLPRIM_F64 : operation.out_type();
    std::vector<unsigned char> made(n * clprim_type_size(accumulator));
    std::vector<std::uint8_t> begins;
    if (const std::int32_t *keys = host_keys(operation, n)) {
        begins.resize(n);
        for (std::size_t i = 1; i < n; i++)
            begins[i] = keys[i] != keys[i - 1];
    }
    if (operation.by_offsets()) {
        begins.resize(n + 1);
        for (const std::uint32_t offset : case_of(operation, n).offsets)
            begins[offset] = 1;
    }
    clprim_reference_scan_how how{};
    how.exclusive = operation.scan == Scan::exclusive_sum;
    how.begins = begins.empty() ? nullptr : begins.data();
    const clprim_reference_operator by{.type = operation.type, .op = operation.op(), .accumulator_type = accumulator};
    bench::require(clprim_reference_scan(made.data(), &by, &how, session_.inputs().host(operation.type, n), n),
                   "clprim_reference_scan");
    return made;
}

// "" or what is wrong. Everything but a float sum must be the reference's bits.
std::string ScanSuite::check(const Operation &operation, std::size_t n, const bench::Output &output)
{
    const std::string key = std::string(operation.name) + "/" + operation.distribution + "/" +
                            clprim_type_name(operation.type) + "/" + std::to_string(n);
    const unsigned char *const wanted = expected_.get(key, [&] { return expected(operation, n); }).data();
    if (!operation.is_float_sum())
        return bench::check_bits(output, n, operation.out_size(), {{wanted}});
    // On CPUs clPRIM, too, adds up long chains: a thread's share of the array.
    const bool serial = !output.by_peer && session_.info().kind == CLPRIM_DEVICE_CPU;
    const bench::Depth depth = serial ? bench::Depth::serial : output.depth;
    const auto *const sums = reinterpret_cast<const double *>(wanted);
    const auto compare = operation.type == CLPRIM_F32 ? check_sums<float> : check_sums<double>;
    return bench::check_pieces(output, n, operation.out_size(),
                               [&](std::size_t begin, std::size_t count, const unsigned char *got) {
                                   return compare(operation, sums, got, begin, count, depth);
                               });
}

bench::Work ScanSuite::work(const Operation &operation, std::size_t n)
{
    const std::size_t offsets = operation.by_offsets() ? make_offsets(operation.mean, n).size() : 0;
    bench::Work work{operation.name,
                     operation.type,
                     n,
                     static_cast<double>(n * operation.bytes_per_element() + offsets * sizeof(std::uint32_t)),
                     n * operation.out_size(),
                     [=, this](const bench::Output &output) { return check(operation, n, output); }};
    work.distribution = operation.distribution;
    return work;
}

bench::Suite::Bind ScanSuite::bind(const Operation &operation, std::size_t n)
{
    const clprim_type type = operation.type;
    const clprim_type out_type = operation.out_type();
    const clprim_scan_desc desc{.type = type,
                                .op = operation.op(),
                                .accumulator_type = out_type == type ? CLPRIM_TYPE_DEFAULT : out_type,
                                .exclusive = operation.scan == Scan::exclusive_sum,
                                .segments = operation.by_key()       ? CLPRIM_SEGMENTS_BY_KEY
                                            : operation.by_offsets() ? CLPRIM_SEGMENTS_BY_OFFSETS
                                                                     : CLPRIM_SEGMENTS_NONE,
                                .reproducible = operation.reproducible};
    return [=, this](cl_mem out, int variant) {
        clprim_scan_call call{.in = {session_.inputs().device(desc.type, n)}, .count = n, .out = {out}};
        if (desc.segments == CLPRIM_SEGMENTS_BY_KEY)
            call.heads = {session_.inputs(bench::Content::keys).device(CLPRIM_I32, n)};
        if (desc.segments == CLPRIM_SEGMENTS_BY_OFFSETS) {
            const bench::Offsets &at = case_of(operation, n);
            call.offsets = {at.device.get()};
            call.segment_count = at.segments().count;
        }
        return enqueue(clprim_scan_operation, variant, desc, call);
    };
}

void ScanSuite::add_peers_by_offsets(const bench::Work &work, const Operation &operation)
{
    using Function = void (*)(void *, const void *, const peers::Segments &);
    const std::size_t n = work.n;
    if constexpr (bench::HAVE_CUB)
        add_cub_once(work, [=, this] { return peers::cub_scan_by_offsets(n, case_of(operation, n).segments()); });
    add_host<Function>(work, {{"c", peers::c_scan_by_offsets}}, [=, this](Function function) {
        return [=, in = session_.inputs().host(operation.type, n), wanted = &case_of(operation, n)](void *out) {
            function(out, in, wanted->segments());
        };
    });
}

void ScanSuite::add_peers(const bench::Work &work, const Operation &operation)
{
    const Scan scan = operation.scan;
    const clprim_type type = operation.type;
    const std::size_t n = work.n;
    if (operation.by_offsets())
        return add_peers_by_offsets(work, operation);
    if constexpr (bench::HAVE_CUB)
        add_cub(
            work, [=](bool wide) { return peers::cub_scan(scan, type, n, wide); },
            operation.by_key() ? bench::Content::keys : bench::Content::values);
    if constexpr (bench::HAVE_BOOST_COMPUTE)
        if (!operation.by_key() && type != CLPRIM_U8)
            add_boost_compute(work,
                              [=](const auto &target) { return peers::boost_compute_scan(target, scan, type, n); });
    add_host<peers::HostScan>(work,
                              {{"std_par", peers::std_par_scan(scan, type)},
                               {"std", peers::std_scan(scan, type)},
                               {"c", peers::c_scan(scan, type)}},
                              [=, this](peers::HostScan function) {
                                  const void *const in = session_.inputs().host(type, n);
                                  const std::int32_t *const keys = host_keys(operation, n);
                                  return [=](void *out) { function(out, in, keys, n); };
                              });
}

void ScanSuite::add(const Operation &operation)
{
    if (operation.type == CLPRIM_F64 && !session_.info().has_fp64)
        return;
    const auto sizes = [&](const std::vector<int> &logs) {
        return session_.sizes(logs, std::max(clprim_type_size(operation.type), operation.out_size()),
                              operation.bytes_per_element());
    };
    const bool few = session_.quick() || operation.scan != Scan::exclusive_sum || operation.reproducible;
    for (const std::size_t n : sizes(operation.by_key() || operation.by_offsets() ? SEGMENTED_SIZES
                                     : few                                        ? bench::FEW_SIZES
                                                                                  : bench::ALL_SIZES)) {
        add_auto(work(operation, n), bind(operation, n));
        add_peers(work(operation, n), operation);
    }
    if (operation.ladder)
        for (const std::size_t n : sizes(session_.quick() ? bench::QUICK_LADDER : bench::FEW_SIZES))
            add_variants(work(operation, n), clprim_scan_operation, bind(operation, n),
                         [=](const auto &variant) { return n <= MAX_OF_SLOW || !is_slow(variant.id); });
}

} // namespace

int main(int argc, char **argv)
{
    return bench::run<ScanSuite>(argc, argv, "scan", OPERATIONS);
}

// harness.cpp: the device, the inputs, the clock and the reports of every bench_<stem>.
#include "harness.hpp"
#include "report.hpp"

#include <benchmark/benchmark.h>
#include <clprim/version.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double BATCH_SECONDS = 0.008; // a batch of back-to-back calls takes at least so long
constexpr std::size_t MAX_BATCH = 2000; // ... or is so many calls
constexpr int NOTHING_MATCHED = 3;      // what run() returns then: ./dev bench asks every program for rows of one name
constexpr double LATENCY_SECONDS = 0.004;
constexpr int CPU_MAX_LOG2 = 24; // by default
constexpr int GPU_MAX_LOG2 = 28;

volatile std::sig_atomic_t interrupted = 0;

double seconds_since(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// The clock stands while the input is put back.
double in_place_seconds(const Call &call, std::size_t calls)
{
    double seconds = 0;
    for (std::size_t i = 0; i < calls; i++) {
        call.restore();
        const auto start = Clock::now();
        call.start();
        if (call.finish)
            call.finish();
        seconds += seconds_since(start);
    }
    return seconds;
}

double batch_seconds(const Call &call, std::size_t calls)
{
    if (call.restore)
        return in_place_seconds(call, calls);
    const auto start = Clock::now();
    for (std::size_t i = 0; i < calls; i++)
        call.start();
    if (call.finish)
        call.finish();
    return seconds_since(start);
}

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// A batch's number of calls, found by trying; *per_call is what one took in the last try.
std::size_t batch_size(const Call &call, double *per_call)
{
    for (std::size_t calls = 1;;) {
        const double seconds = batch_seconds(call, calls);
        *per_call = seconds / static_cast<double>(calls);
        if (seconds >= BATCH_SECONDS || calls == MAX_BATCH)
            return calls;
        const double enough = 1.25 * BATCH_SECONDS / std::max(*per_call, 1e-9);
        calls = std::min({MAX_BATCH, 10 * calls, std::max(calls + 1, static_cast<std::size_t>(enough))});
    }
}

double repetition_seconds(const Call &call, Timing timing, std::size_t calls, double per_call)
{
    if (timing == Timing::throughput)
        return batch_seconds(call, calls) / static_cast<double>(calls);
    const double wanted = LATENCY_SECONDS / std::max(per_call, 1e-9);
    const auto samples = static_cast<std::size_t>(std::min(51.0, std::max(3.0, wanted)));
    std::vector<double> seconds;
    for (std::size_t i = 0; i < samples; i++)
        seconds.push_back(timing == Timing::event ? call.event() : batch_seconds(call, 1));
    return median(seconds);
}

const char *timing_name(Timing timing)
{
    return timing == Timing::throughput ? "throughput" : timing == Timing::latency ? "latency" : "event";
}

} // namespace

void require(clprim_status status, const char *what)
{
    if (status == CLPRIM_UNSUPPORTED)
        throw Unsupported(clprim_last_error());
    if (status != CLPRIM_SUCCESS)
        throw std::runtime_error(std::string(what) + ": " + clprim_status_string(status) + ": " + clprim_last_error());
}

void require_cl(cl_int code, const char *what)
{
    if (code != CL_SUCCESS)
        throw std::runtime_error(std::string(what) + ": " + clprim_status_string(static_cast<clprim_status>(code)));
}

struct Prepared {
    const Row *row;
    std::vector<Call> calls;
    std::size_t fastest;
    std::size_t batch;
    double per_call;
};

std::string Row::name() const
{
    return op + "/" + implementation + "/" + type + "/" + std::to_string(n) + "/" + distribution + "/" +
           timing_name(timing);
}

Session::Session(int argc, char **argv, const char *suite) : failures_(std::make_unique<Failures>())
{
#ifndef NDEBUG
    std::fprintf(stderr, "bench_%s was built without NDEBUG: build it for Release, or its times mean nothing\n", suite);
    std::exit(2);
#endif
    static std::string repetitions = "--benchmark_repetitions=5"; // the command line's own comes later and counts
    std::vector<char *> kept = {argv[0], repetitions.data()};
    for (int i = 1; i < argc; i++) {
        const std::string argument = argv[i];
        if (argument == "--quick")
            quick_ = true;
        else if (argument.rfind("--min-log2=", 0) == 0)
            min_log2_ = std::atoi(argument.c_str() + 11);
        else if (argument.rfind("--max-log2=", 0) == 0)
            max_log2_ = std::atoi(argument.c_str() + 11);
        else
            kept.push_back(argv[i]);
        writes_file_ = writes_file_ || argument.rfind("--benchmark_out=", 0) == 0;
    }
    if (quick_)
        repetitions.back() = '3';
    int count = static_cast<int>(kept.size());
    kept.push_back(nullptr);
    benchmark::Initialize(&count, kept.data());
    if (benchmark::ReportUnrecognizedArguments(count, kept.data())) {
        std::fprintf(stderr, "also understood: --quick --min-log2=K --max-log2=K\n");
        std::exit(2);
    }
    try {
        open_device();
        describe(suite);
        measure_roof();
        add_copy_rows();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "bench_%s: %s\n", suite, error.what());
        std::exit(2);
    }
}

Session::~Session()
{
    prepared_.reset();
    inputs_.clear();
    clprim_runtime_destroy(runtime_);
}

void Session::open_device()
{
    require(clprim_runtime_create(&runtime_, nullptr), "clprim_runtime_create");
    for (std::size_t i = 0; i < PLACES; i++)
        inputs_.emplace_back(runtime_);
    if (max_log2_ == 0)
        max_log2_ = info().kind == CLPRIM_DEVICE_CPU ? CPU_MAX_LOG2 : GPU_MAX_LOG2;
}

void Session::describe(const char *suite)
{
#ifdef CLPRIM_COMMIT
    const char *commit = CLPRIM_COMMIT;
#else
    const char *commit = std::getenv("CLPRIM_COMMIT");
#endif
    context("suite", suite);
    context("device", info().name);
    context("driver", info().driver_version);
    context("platform", std::string(info().platform_name) + ", " + info().platform_version);
    context("clprim_version", std::to_string(CLPRIM_VERSION_MAJOR) + "." + std::to_string(CLPRIM_VERSION_MINOR) + "." +
                                  std::to_string(CLPRIM_VERSION_PATCH));
    context("git_commit", commit != nullptr && commit[0] != '\0' ? commit : "unknown");
    context("compiler", __VERSION__);
    if (const char *without = std::getenv("CLPRIM_WITHOUT"))
        context("without", without);
    std::printf("%s, driver %s\n", info().name, info().driver_version);
}

void Session::context(const std::string &key, const std::string &value)
{
    benchmark::AddCustomContext(key, value);
}

std::vector<std::size_t> Session::sizes(const std::vector<int> &logs, std::size_t element_size,
                                        std::size_t bytes_in_all) const
{
    const std::size_t most = std::min(info().max_allocation_size, info().global_memory_size / 3);
    std::vector<std::size_t> wanted;
    for (const int log : logs) {
        const std::size_t n = std::size_t{1} << log;
        if (log >= min_log2_ && log <= max_log2_ && n <= most / element_size &&
            n * bytes_in_all <= info().global_memory_size / 3 * 2)
            wanted.push_back(n);
    }
    return wanted;
}

Buffer Session::new_buffer(std::size_t bytes) const
{
    cl_int code = CL_SUCCESS;
    Buffer made(clCreateBuffer(clprim_runtime_context(runtime_), CL_MEM_READ_WRITE, bytes, nullptr, &code));
    require_cl(code, "clCreateBuffer");
    return made;
}

// The speed at which the device copies an array far larger than its caches, whatever sizes are asked for.
void Session::measure_roof()
{
    const bool is_cpu = info().kind == CLPRIM_DEVICE_CPU;
    const std::size_t most = std::min(info().max_allocation_size, info().global_memory_size / 3);
    const std::size_t n = std::min(std::size_t{1} << (is_cpu ? 26 : 28), most / 4) / 16 * 16;
    double best = 0;
    for (const Call &call : copy_calls(*this, n)) {
        double per_call = 0;
        (void)batch_seconds(call, 1);
        const std::size_t calls = batch_size(call, &per_call);
        std::vector<double> seconds;
        for (int i = 0; i < 5; i++)
            seconds.push_back(batch_seconds(call, calls) / static_cast<double>(calls));
        best = std::max(best, 8.0 * static_cast<double>(n) / median(seconds));
    }
    roof_ = best;
    char text[64];
    (void)std::snprintf(text, sizeof text, "%.1f", best * 1e-9);
    context("copy_roof_gb_per_s", text);
    std::printf("copy roof: %s GB/s, bytes read and bytes written\n", text);
}

void Session::add_copy_rows()
{
    for (const std::size_t n : sizes(quick_ ? std::vector<int>{24, 28} : std::vector<int>{16, 20, 24, 26, 28}, 4))
        add({"copy", "device", "u32", n, Timing::throughput, 8.0 * static_cast<double>(n),
             [this, n] { return copy_calls(*this, n); }});
}

void Session::add(Row row)
{
    const std::string name = row.name();
    const auto shared = std::make_shared<Row>(std::move(row));
    benchmark::RegisterBenchmark(name.c_str(), [this, shared](benchmark::State &state) { time_row(state, *shared); })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMicrosecond);
}

// Bind the row to its inputs, check each way to do it, and find the fastest.
void Session::prepare(const Row &row)
{
    prepared_.reset(); // the last row's memory first
    auto prepared = std::make_unique<Prepared>(Prepared{&row, row.prepare(), 0, 0, 0});
    for (std::size_t i = 0; i < prepared->calls.size(); i++) {
        const Call &call = prepared->calls[i];
        (void)batch_seconds(call, 1); // compiles, on some devices
        const std::string wrong = call.check();
        if (!wrong.empty())
            throw std::runtime_error(call.label + (call.label.empty() ? "" : ": ") + wrong);
        double per_call = 0;
        const std::size_t batch = batch_size(call, &per_call);
        if (i == 0 || per_call < prepared->per_call) {
            prepared->fastest = i;
            prepared->batch = batch;
            prepared->per_call = per_call;
        }
    }
    prepared_ = std::move(prepared);
}

void Session::time_row(benchmark::State &state, const Row &row)
{
    const auto fail = [&](Outcome outcome, const std::string &why) {
        (void)failures_->emplace(row.name(), Failure{outcome, why}); // the first reason stays
        state.SkipWithError(why.c_str());
    };
    const auto known = failures_->find(row.name());
    if (known != failures_->end())
        return state.SkipWithError(known->second.reason.c_str());
    if (interrupted != 0)
        return fail(Outcome::stopped, "interrupted");
    try {
        if (prepared_ == nullptr || prepared_->row != &row)
            prepare(row);
        const Call &call = prepared_->calls[prepared_->fastest];
        double seconds = 0;
        for (auto _ : state) {
            seconds = repetition_seconds(call, row.timing, prepared_->batch, prepared_->per_call);
            state.SetIterationTime(seconds);
        }
        state.SetItemsProcessed(static_cast<std::int64_t>(row.n));
        state.SetBytesProcessed(static_cast<std::int64_t>(row.bytes));
        state.counters["roof_share"] = row.bytes / seconds / roof_;
        state.counters["checked"] = 1;
        state.SetLabel(call.label);
    } catch (const Unsupported &reason) {
        fail(Outcome::unsupported, reason.what());
    } catch (const std::exception &error) {
        fail(row.is_peer ? Outcome::peer_failed : Outcome::failed, error.what());
    }
}

int Session::run()
{
    TableReporter table(*failures_);
    FileReporter file(*failures_);
    (void)std::signal(SIGINT, [](int) {
        interrupted = 1;
        (void)std::signal(SIGINT, SIG_DFL); // a second one ends the process
    });
    const std::size_t matched =
        writes_file_ ? benchmark::RunSpecifiedBenchmarks(&table, &file) : benchmark::RunSpecifiedBenchmarks(&table);
    if (matched == 0) {
        (void)std::fprintf(stderr, "no row matches the filter\n");
        return NOTHING_MATCHED;
    }
    bool all_right = true;
    for (const auto &[name, failure] : *failures_) {
        if (failure.outcome == Outcome::unsupported)
            std::printf("left out: %s: %s\n", name.c_str(), failure.reason.c_str());
        else if (failure.outcome != Outcome::peer_failed) // theirs to mend
            all_right = false;
    }
    if (!all_right)
        (void)std::fprintf(stderr, "%s\n",
                           interrupted != 0 ? "interrupted: the rows above are complete"
                                            : "some rows failed: see above");
    return all_right ? 0 : 1;
}

} // namespace bench

// SPDX-License-Identifier: MIT
// harness.cpp: the device, the inputs, the clock and the reports of every bench_<stem>.
#include "harness.hpp"
#include "clock.hpp"
#include "energy.hpp"
#include "progress.hpp"
#include "report.hpp"

#include <benchmark/benchmark.h>
#include <clprim/version.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>

namespace bench {
namespace {

constexpr int NOTHING_MATCHED = 3; // what run() returns then: ./dev bench asks every program for rows of one name
constexpr int CPU_MAX_LOG2 = 24;   // by default
constexpr int GPU_MAX_LOG2 = 28;
// --quick on CPU devices, where two cores do the rows of all programs within minutes, without the variants, whose
// kernels take a CPU's compiler longer than all the rest: of what is wanted of larger n alone, the rarer cases, the
// other.
constexpr int QUICK_CPU_MAX_LOG2 = 20;
constexpr int QUICK_CPU_RARE_LOG2 = 16;
constexpr int CPU_ROOF_LOG2 = 26; // elements of u32 that are copied
constexpr int QUICK_CPU_ROOF_LOG2 = 24;
constexpr int CPU_LADDER_LOG2 = 20; // the first steps take seconds a call beyond
constexpr int GPU_LADDER_LOG2 = 24;

volatile std::sig_atomic_t interrupted = 0;

const char *timing_name(Timing timing)
{
    switch (timing) {
    case Timing::throughput: return "throughput";
    case Timing::latency: return "latency";
    case Timing::event: return "event";
    case Timing::with_copy: return "with_copy";
    case Timing::with_transfer: return "with_transfer";
    }
    return "";
}

// Of --lacking: what many devices that run OpenCL lack.
const Lacking LACKING[] = {
    {"clprim_without_progress", "forward_progress"},
    {"clprim_without_sub_groups", "sub_groups"},
    {"clprim_without_anything", "forward_progress,sub_groups,int64_atomics,device_fence,group_order"},
};

// By default. --ladder: the size of all rows.
int max_log2(bool is_cpu, bool quick, bool ladder)
{
    if (ladder)
        return is_cpu ? CPU_LADDER_LOG2 : GPU_LADDER_LOG2;
    if (!is_cpu)
        return GPU_MAX_LOG2;
    return quick ? QUICK_CPU_MAX_LOG2 : CPU_MAX_LOG2;
}

// Whether two rows are timings of the same calls.
bool same_calls(const Row &a, const Row &b)
{
    const auto moves = [](const Row &row) {
        return row.timing == Timing::with_copy || row.timing == Timing::with_transfer;
    };
    const auto what = [](const Row &row) {
        const std::string name = row.name();
        return name.substr(0, name.rfind('/'));
    };
    return !moves(a) && !moves(b) && what(a) == what(b);
}

// The run ends after the row at hand. A second Ctrl-C ends the process.
void catch_signals()
{
    (void)std::signal(SIGINT, [](int) {
        interrupted = 1;
        (void)std::signal(SIGINT, SIG_DFL);
    });
    (void)std::signal(SIGTERM, [](int) { interrupted = 1; });
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

void write_buffer(cl_command_queue queue, cl_mem memory, const void *contents, std::size_t bytes)
{
    const Turn turn;
    for (std::size_t at = 0; at < bytes; at += MAX_TRANSFER)
        require_cl(clEnqueueWriteBuffer(queue, memory, CL_TRUE, at, std::min(bytes - at, MAX_TRANSFER),
                                        static_cast<const char *>(contents) + at, 0, nullptr, nullptr),
                   "clEnqueueWriteBuffer");
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
        else if (argument == "--ladder")
            ladder_ = true;
        else if (argument == "--lacking")
            lacking_.insert(lacking_.end(), std::begin(LACKING), std::end(LACKING));
        else if (argument == "--energy")
            with_energy_ = true;
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
        std::fprintf(stderr, "also understood: --quick --ladder --lacking --energy --min-log2=K --max-log2=K\n");
        std::exit(2);
    }
    catch_signals();
    try {
        open_device();
        describe(suite);
        if (with_energy_)
            open_energy();
        add_device_rows();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "bench_%s: %s\n", suite, error.what());
        std::exit(2);
    }
}

Session::~Session()
{
    prepared_.reset();
    inputs_.clear();
    for (clprim_runtime *runtime : runtimes_)
        clprim_runtime_destroy(runtime);
}

void Session::open_device()
{
    require(clprim_runtime_create(&runtime_, nullptr), "clprim_runtime_create");
    runtimes_ = {runtime_};
    clprim_runtime_desc same{};
    same.context = clprim_runtime_context(runtime_);
    same.device = info().device;
    same.queue = queue();
    const char *const given = std::getenv("CLPRIM_WITHOUT");
    const std::string before = given != nullptr ? given : "";
    for (std::size_t i = 1; i < lacking_.size(); i++) {
        (void)setenv("CLPRIM_WITHOUT", lacking_[i].features.c_str(), 1);
        runtimes_.push_back(nullptr);
        require(clprim_runtime_create(&runtimes_.back(), &same), "clprim_runtime_create");
        (void)(given != nullptr ? setenv("CLPRIM_WITHOUT", before.c_str(), 1) : unsetenv("CLPRIM_WITHOUT"));
    }
    for (std::size_t i = 0; i < PLACES; i++)
        inputs_.emplace_back(runtime_);
    if (max_log2_ == 0)
        max_log2_ = max_log2(info().kind == CLPRIM_DEVICE_CPU, quick_, ladder_);
}

std::vector<InputUse> Session::take_input_uses()
{
    std::vector<InputUse> uses;
    for (Inputs &inputs : inputs_) {
        const InputUse use = inputs.take_use();
        if (use.bytes > 0)
            uses.push_back(use);
    }
    return uses;
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
    cl_ulong cache = 0;
    require_cl(clGetDeviceInfo(info().device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof cache, &cache, nullptr),
               "clGetDeviceInfo");
    context("cache_bytes", std::to_string(cache));
    context("platform", std::string(info().platform_name) + ", " + info().platform_version);
    context("clprim_version", std::to_string(CLPRIM_VERSION_MAJOR) + "." + std::to_string(CLPRIM_VERSION_MINOR) + "." +
                                  std::to_string(CLPRIM_VERSION_PATCH));
    context("git_commit", commit != nullptr && commit[0] != '\0' ? commit : "unknown");
    context("compiler", __VERSION__);
    if (const char *without = std::getenv("CLPRIM_WITHOUT"))
        context("without", without);
    std::printf("%s, driver %s\n", info().name, info().driver_version);
}

void Session::open_energy()
{
    energy_ = std::make_unique<Energy>(info().device);
    char text[64];
    (void)std::snprintf(text, sizeof text, "%.0f", energy_->idle_watts());
    context("idle_watts", text);
}

void Session::context(const std::string &key, const std::string &value)
{
    benchmark::AddCustomContext(key, value);
}

std::vector<std::size_t> Session::sizes(const std::vector<int> &logs, std::size_t element_size,
                                        std::size_t bytes_in_all) const
{
    const std::size_t most = std::min(info().max_allocation_size, info().global_memory_size / 3);
    const bool all_larger = std::all_of(logs.begin(), logs.end(), [this](int log) { return log > max_log2_; });
    const bool quick_cpu = quick_ && info().kind == CLPRIM_DEVICE_CPU;
    std::vector<int> at = logs;
    if (ladder_)
        at = {max_log2_};
    else if (all_larger)
        at = {std::min(max_log2_, quick_cpu ? QUICK_CPU_RARE_LOG2 : max_log2_)};
    std::vector<std::size_t> wanted;
    for (const int log : at) {
        const std::size_t n = std::size_t{1} << log;
        if (log >= min_log2_ && log <= max_log2_ && n <= most / element_size &&
            n * bytes_in_all <= info().global_memory_size / 3 * 2)
            wanted.push_back(n);
    }
    return wanted;
}

Buffer Session::new_buffer(std::size_t bytes, const void *contents) const
{
    cl_int code = CL_SUCCESS;
    Buffer made(clCreateBuffer(clprim_runtime_context(runtime_), CL_MEM_READ_WRITE, bytes, nullptr, &code));
    require_cl(code, "clCreateBuffer");
    if (contents != nullptr)
        write_buffer(queue(), made.get(), contents, bytes);
    return made;
}

// The speed at which the device copies an array far larger than its caches, whatever sizes are asked for.
void Session::measure_roof()
{
    const bool is_cpu = info().kind == CLPRIM_DEVICE_CPU;
    const int log = !is_cpu ? GPU_MAX_LOG2 : quick_ ? QUICK_CPU_ROOF_LOG2 : CPU_ROOF_LOG2;
    const std::size_t most = std::min(info().max_allocation_size, info().global_memory_size / 3);
    const std::size_t n = std::min(std::size_t{1} << log, most / 4) / 16 * 16;
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

void Session::add_device_rows()
{
    if (info().kind != CLPRIM_DEVICE_CPU)
        add({"empty", "device", "u32", 1, Timing::throughput, 0, [this] { return launch_calls(*this, "empty"); }});
    for (const std::size_t n : sizes(quick_ ? std::vector<int>{24, 28} : std::vector<int>{16, 20, 24, 26, 28}, 4))
        add({"copy", "device", "u32", n, Timing::throughput, 8.0 * static_cast<double>(n),
             [this, n] { return copy_calls(*this, n); }});
}

void Session::add(Row row)
{
    rows_.push_back(std::make_unique<Row>(std::move(row)));
}

bool Session::has(const std::string &op) const
{
    return std::any_of(rows_.begin(), rows_.end(), [&](const auto &row) { return row->op == op; });
}

// Of what is timed with every variant all rows, but those of latency; nothing else.
void Session::keep_ladders()
{
    const auto work = [](const Row &row) { return row.op + "/" + row.type + "/" + row.distribution; };
    std::set<std::string> with_variants;
    for (const auto &row : rows_)
        if (row->implementation.rfind("clprim:", 0) == 0)
            (void)with_variants.insert(work(*row));
    const auto is_other = [&](const std::unique_ptr<Row> &row) {
        return with_variants.count(work(*row)) == 0 || row->timing == Timing::latency;
    };
    rows_.erase(std::remove_if(rows_.begin(), rows_.end(), is_other), rows_.end());
}

// AUTO's throughput, and the device's own rows.
void Session::keep_lacking()
{
    const auto is_other = [](const std::unique_ptr<Row> &row) {
        const bool is_auto = row->lacking > 0 || row->implementation == "clprim" || row->implementation == "device";
        return !is_auto || row->timing != Timing::throughput;
    };
    rows_.erase(std::remove_if(rows_.begin(), rows_.end(), is_other), rows_.end());
}

void Session::leave_out_variants()
{
    const auto is_variant = [](const std::unique_ptr<Row> &row) {
        return row->implementation.rfind("clprim:", 0) == 0;
    };
    rows_.erase(std::remove_if(rows_.begin(), rows_.end(), is_variant), rows_.end());
}

void Session::register_rows()
{
    std::vector<std::string> names;
    for (const auto &row : rows_) {
        names.push_back(row->name());
        (void)benchmark::RegisterBenchmark(names.back().c_str(),
                                           [this, row = row.get()](benchmark::State &state) { time_row(state, *row); })
            ->UseManualTime()
            ->Iterations(1)
            ->ComputeStatistics("min",
                                [](const std::vector<double> &v) { return *std::min_element(v.begin(), v.end()); })
            ->ComputeStatistics("max",
                                [](const std::vector<double> &v) { return *std::max_element(v.begin(), v.end()); })
            ->Unit(benchmark::kMicrosecond);
    }
    progress_ = std::make_unique<Progress>(names);
}

// Bind the row to its inputs, check each way to do it, and find the fastest.
void Session::prepare(const Row &row)
{
    if (prepared_ != nullptr && same_calls(*prepared_->row, row)) {
        prepared_->row = &row;
        return;
    }
    prepared_.reset(); // the last row's memory first
    runtime_ = runtimes_.at(row.lacking);
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
    progress_->show(row.name());
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
        if (energy_ && row.timing == Timing::throughput && !call.restore)
            state.counters["joules_per_gitem"] =
                energy_->joules(call, prepared_->batch) / static_cast<double>(row.n) * 1e9;
        state.SetLabel(call.label);
    } catch (const Unsupported &reason) {
        fail(Outcome::unsupported, reason.what());
    } catch (const std::exception &error) {
        fail(row.is_peer ? Outcome::peer_failed : Outcome::failed, error.what());
    }
}

int Session::run()
{
    if (ladder_)
        keep_ladders();
    else if (lacking_.size() > 1)
        keep_lacking();
    else if (quick_ && info().kind == CLPRIM_DEVICE_CPU)
        leave_out_variants();
    try {
        register_rows();
        if (progress_->rows() == 0) {
            (void)std::fprintf(stderr, "no row matches the filter\n");
            return NOTHING_MATCHED;
        }
        measure_roof();
    } catch (const std::exception &error) { // the filter is no regular expression, or nothing can be copied
        (void)std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
    TableReporter table(*failures_, *progress_);
    FileReporter file(*failures_);
    (void)(writes_file_ ? benchmark::RunSpecifiedBenchmarks(&table, &file) : benchmark::RunSpecifiedBenchmarks(&table));
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

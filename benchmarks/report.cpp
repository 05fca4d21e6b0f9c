// SPDX-License-Identifier: MIT
// report.cpp: which of Google Benchmark's runs are worth reporting, and how they look.
#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <ostream>
#include <sstream>

namespace bench {
namespace {

using Run = benchmark::BenchmarkReporter::Run;

bool has_failed(const Failure &failure)
{
    return failure.outcome == Outcome::failed || failure.outcome == Outcome::peer_failed;
}

// Medians with their variation, the least and the most of the repetitions, or the error.
std::vector<Run> worth_reporting(const std::vector<Run> &runs, const Failures &failures)
{
    std::vector<Run> kept;
    for (const Run &run : runs) {
        const std::string name = run.run_name.function_name;
        const auto failure = failures.find(name);
        bool keep = false;
        if (failure != failures.end())
            keep = has_failed(failure->second) && run.run_type == Run::RT_Iteration && run.repetition_index <= 0;
        else if (run.run_type == Run::RT_Aggregate)
            keep = run.aggregate_name == "median" || run.aggregate_name == "cv" || run.aggregate_name == "min" ||
                   run.aggregate_name == "max";
        else
            keep = run.repetitions <= 1;
        if (!keep)
            continue;
        kept.push_back(run);
        kept.back().run_name = benchmark::BenchmarkName(); // without "/iterations:1/manual_time"
        kept.back().run_name.function_name = name;
    }
    return kept;
}

double counter(const Run &run, const char *name)
{
    const auto found = run.counters.find(name);
    return found == run.counters.end() ? 0.0 : static_cast<double>(found->second.value);
}

std::string to_text(const char *format, double value)
{
    char text[32];
    (void)std::snprintf(text, sizeof text, format, value);
    return text;
}

// At least three significant digits, on the slowest devices, too.
std::string digits(double value)
{
    int decimals = 0;
    for (double at = value; at < 99.95 && at > 0 && decimals < 9; at *= 10)
        decimals++;
    char text[32];
    (void)std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

void print(const std::string &name, const Run &run)
{
    std::printf("%-64s %12.2f %9s %9s %7s%%  %s\n", name.c_str(), run.GetAdjustedRealTime(),
                digits(counter(run, "items_per_second") * 1e-9).c_str(),
                digits(counter(run, "bytes_per_second") * 1e-9).c_str(),
                digits(counter(run, "roof_share") * 100).c_str(), run.report_label.c_str());
}

// A row's name without the implementation and the timing, and these.
struct Name {
    std::string work;
    std::string implementation;
    std::string timing;
};

Name parts_of(const Run &run)
{
    const std::string &name = run.run_name.function_name;
    const std::size_t op = name.find('/');
    const std::size_t implementation = name.find('/', op + 1);
    const std::size_t timing = name.rfind('/');
    return {name.substr(0, op) + name.substr(implementation, timing - implementation),
            name.substr(op + 1, implementation - op - 1), name.substr(timing + 1)};
}

// By work and implementation: the better of wall clock and events, back to back; and clPRIM's latency.
struct Times {
    std::map<std::string, std::map<std::string, double>> back_to_back;
    std::map<std::string, double> latency;
    std::vector<std::string> peers; // in the order in which they appear
};

Times times_of(const std::vector<Run> &medians)
{
    Times times;
    for (const Run &run : medians) {
        const Name name = parts_of(run);
        const double time = run.GetAdjustedRealTime();
        const bool is_clprim = name.implementation == "clprim";
        if (name.timing == "latency" && is_clprim)
            times.latency[name.work] = time;
        if ((name.timing != "throughput" && name.timing != "event") || name.implementation.rfind("clprim:", 0) == 0 ||
            name.implementation == "device")
            continue;
        double &best = times.back_to_back[name.work].emplace(name.implementation, time).first->second;
        best = std::min(best, time);
        if (!is_clprim && std::find(times.peers.begin(), times.peers.end(), name.implementation) == times.peers.end())
            times.peers.push_back(name.implementation);
    }
    return times;
}

} // namespace

bool TableReporter::ReportContext(const Context &)
{
    std::printf("%-64s %12s %9s %9s %8s\n", "", "us per call", "Gitems/s", "GB/s", "of copy");
    return true;
}

void TableReporter::ReportRuns(const std::vector<Run> &runs)
{
    progress_.hide();
    for (const Run &run : worth_reporting(runs, failures_)) {
        const std::string &name = run.run_name.function_name;
        const auto failure = failures_.find(name);
        if (failure != failures_.end())
            std::printf("%-64s FAILED: %s\n", name.c_str(), failure->second.reason.c_str());
        else if (run.run_type != Run::RT_Aggregate || run.aggregate_name == "median") {
            print(name, run);
            medians_.push_back(run);
        }
    }
    (void)std::fflush(stdout);
}

void TableReporter::Finalize()
{
    progress_.hide();
    const Times times = times_of(medians_);
    if (times.peers.empty())
        return;
    std::printf("\n%-48s %12s %12s %9s %8s", "clPRIM, and how many times as fast as others", "us per call", "latency",
                "GB/s", "of copy");
    for (const std::string &peer : times.peers)
        std::printf(" %13s", peer.c_str());
    std::printf("\n");
    for (const Run &run : medians_) {
        const Name name = parts_of(run);
        if (name.implementation != "clprim" || name.timing != "throughput")
            continue;
        const double time = run.GetAdjustedRealTime();
        const auto latency = times.latency.find(name.work);
        std::printf("%-48s %12.2f %12s %9s %7s%%", name.work.c_str(), time,
                    latency == times.latency.end() ? "-" : to_text("%.2f", latency->second).c_str(),
                    digits(counter(run, "bytes_per_second") * 1e-9).c_str(),
                    digits(counter(run, "roof_share") * 100).c_str());
        const auto &others = times.back_to_back.at(name.work);
        for (const std::string &peer : times.peers) {
            const auto other = others.find(peer);
            std::printf(" %13s", other == others.end() ? "-" : to_text("x %.2f", other->second / time).c_str());
        }
        std::printf("\n");
    }
}

// What the base class writes.
std::string FileReporter::text_of(const std::function<void()> &report)
{
    std::ostream &file = GetOutputStream();
    std::ostringstream text;
    SetOutputStream(&text);
    report();
    SetOutputStream(&file);
    return text.str();
}

void FileReporter::append(const std::string &text)
{
    std::ostream &file = GetOutputStream();
    const std::string closed = text + (end_ < 0 ? "" : text_of([this] { JSONReporter::Finalize(); }));
    if (end_ >= 0) {
        (void)file.seekp(end_);
        end_ += static_cast<std::streamoff>(text.size());
    }
    (void)file.write(closed.data(), static_cast<std::streamsize>(closed.size())).flush(); // both at once
}

// Results are committed: without the machine's name and the program's path.
bool FileReporter::ReportContext(const Context &context)
{
    bool wanted = false;
    std::istringstream all(text_of([&] { wanted = JSONReporter::ReportContext(context); }));
    std::string kept;
    for (std::string line; std::getline(all, line);)
        if (line.find("\"host_name\"") == std::string::npos && line.find("\"executable\"") == std::string::npos)
            kept += line + '\n';
    end_ = static_cast<std::streamoff>(GetOutputStream().tellp());
    append(kept);
    return wanted;
}

void FileReporter::ReportRuns(const std::vector<Run> &runs)
{
    const std::vector<Run> kept = worth_reporting(runs, failures_);
    if (!kept.empty())
        append(text_of([&] { JSONReporter::ReportRuns(kept); }));
}

void FileReporter::Finalize()
{
    if (end_ < 0)
        JSONReporter::Finalize();
}

} // namespace bench

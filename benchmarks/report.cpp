// report.cpp: which of Google Benchmark's runs are worth reporting, and how they look.
#include "report.hpp"

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

// Medians and their variation, or the error.
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
            keep = run.aggregate_name == "median" || run.aggregate_name == "cv";
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

void print(const std::string &name, const Run &run)
{
    const auto value = [&run](const char *counter) {
        const auto found = run.counters.find(counter);
        return found == run.counters.end() ? 0.0 : static_cast<double>(found->second.value);
    };
    std::printf("%-64s %12.2f %9.3f %9.1f %7.1f%%  %s\n", name.c_str(), run.GetAdjustedRealTime(),
                value("items_per_second") * 1e-9, value("bytes_per_second") * 1e-9, value("roof_share") * 100,
                run.report_label.c_str());
}

} // namespace

bool TableReporter::ReportContext(const Context &)
{
    std::printf("%-64s %12s %9s %9s %8s\n", "", "us per call", "Gitems/s", "GB/s", "of copy");
    return true;
}

void TableReporter::ReportRuns(const std::vector<Run> &runs)
{
    for (const Run &run : worth_reporting(runs, failures_)) {
        const std::string &name = run.run_name.function_name;
        const auto failure = failures_.find(name);
        if (failure != failures_.end())
            std::printf("%-64s FAILED: %s\n", name.c_str(), failure->second.reason.c_str());
        else if (run.aggregate_name != "cv")
            print(name, run);
    }
    (void)std::fflush(stdout);
}

// Results are committed: without the machine's name and the program's path.
bool FileReporter::ReportContext(const Context &context)
{
    std::ostream &file = GetOutputStream();
    std::stringstream all;
    SetOutputStream(&all);
    const bool wanted = JSONReporter::ReportContext(context);
    SetOutputStream(&file);
    for (std::string line; std::getline(all, line);)
        if (line.find("\"host_name\"") == std::string::npos && line.find("\"executable\"") == std::string::npos)
            file << line << '\n';
    return wanted;
}

void FileReporter::ReportRuns(const std::vector<Run> &runs)
{
    const std::vector<Run> kept = worth_reporting(runs, failures_);
    if (!kept.empty())
        JSONReporter::ReportRuns(kept);
    GetOutputStream().flush();
}

} // namespace bench

// SPDX-License-Identifier: MIT
// report.hpp: the table on the screen and the JSON file, both under the rows' plain names.
#ifndef CLPRIM_BENCHMARKS_REPORT_HPP
#define CLPRIM_BENCHMARKS_REPORT_HPP

#include "progress.hpp"

#include <benchmark/benchmark.h>

#include <functional>
#include <ios>
#include <map>
#include <string>
#include <vector>

namespace bench {

// Why a row has no time: an error or a wrong result, of clPRIM or of a peer; not for this device; Ctrl-C.
enum class Outcome { failed, peer_failed, unsupported, stopped };
struct Failure {
    Outcome outcome;
    std::string reason;
};
// By row. Google Benchmark's own record of errors differs between its versions.
using Failures = std::map<std::string, Failure>;

// Each row as it comes, and in the end clPRIM's beside its peers'.
class TableReporter final : public benchmark::BenchmarkReporter {
  public:
    TableReporter(const Failures &failures, const Progress &progress) : failures_(failures), progress_(progress)
    {
    }
    bool ReportContext(const Context &context) override;
    void ReportRuns(const std::vector<Run> &runs) override;
    void Finalize() override;

  private:
    const Failures &failures_;
    const Progress &progress_;
    std::vector<Run> medians_;
};

// The file is whole after each row, however the program ends: what closes it is written with the row, and the next row
// goes over that. Where the file cannot be wound back, as a pipe, it is closed in the end.
class FileReporter final : public benchmark::JSONReporter {
  public:
    explicit FileReporter(const Failures &failures) : failures_(failures)
    {
    }
    bool ReportContext(const Context &context) override;
    void ReportRuns(const std::vector<Run> &runs) override;
    void Finalize() override;

  private:
    std::string text_of(const std::function<void()> &report);
    void append(const std::string &text);

    const Failures &failures_;
    std::streamoff end_ = 0; // where the next row goes; -1: where the file ends
};

} // namespace bench

#endif

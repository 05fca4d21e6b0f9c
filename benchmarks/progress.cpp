// SPDX-License-Identifier: MIT
// progress.cpp: see progress.hpp.
#include "progress.hpp"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <regex>
#include <unistd.h>

namespace bench {
namespace {

// As Google Benchmark reads its filter: "" and "all" take every row, a minus before it those that do not match.
std::size_t matching(const std::vector<std::string> &names, std::string filter)
{
    const bool negative = !filter.empty() && filter[0] == '-';
    if (negative)
        filter.erase(0, 1);
    if (filter.empty() || filter == "all")
        return names.size();
    std::size_t count = 0;
    const std::regex wanted(filter, std::regex_constants::extended);
    for (const std::string &name : names)
        count += std::regex_search(name, wanted) != negative;
    return count;
}

} // namespace

Progress::Progress(const std::vector<std::string> &names)
    : is_terminal_(isatty(STDERR_FILENO) != 0), start_(std::chrono::steady_clock::now()),
      rows_(matching(names, benchmark::GetBenchmarkFilter()))
{
}

void Progress::show(const std::string &name)
{
    if (!is_terminal_ || name == shown_)
        return;
    shown_ = name;
    begun_++;
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start_).count();
    (void)std::fprintf(stderr, "\r\033[K[%zu/%zu, %d:%02d] %s ", begun_, rows_, static_cast<int>(seconds / 60),
                       static_cast<int>(seconds % 60), name.c_str());
}

void Progress::hide() const
{
    if (is_terminal_)
        (void)std::fprintf(stderr, "\r\033[K");
}

} // namespace bench

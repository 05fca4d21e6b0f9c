// SPDX-License-Identifier: MIT
// progress.hpp: which row is being timed, of how many, on a line of the terminal that comes and goes.
#ifndef CLPRIM_BENCHMARKS_PROGRESS_HPP
#define CLPRIM_BENCHMARKS_PROGRESS_HPP

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace bench {

class Progress {
  public:
    // names: of all rows; those that --benchmark_filter leaves count.
    explicit Progress(const std::vector<std::string> &names);
    std::size_t rows() const // that the filter leaves
    {
        return rows_;
    }
    // The row's turn has come; nothing happens where its line is there already. Where the standard error is no terminal
    // nothing is shown at all.
    void show(const std::string &name);
    // Before other output.
    void hide() const;

  private:
    bool is_terminal_;
    std::chrono::steady_clock::time_point start_;
    std::size_t rows_ = 0;
    std::size_t begun_ = 0;
    std::string shown_;
};

} // namespace bench

#endif

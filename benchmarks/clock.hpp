// SPDX-License-Identifier: MIT
// clock.hpp: how long calls take.
#ifndef CLPRIM_BENCHMARKS_CLOCK_HPP
#define CLPRIM_BENCHMARKS_CLOCK_HPP

#include "harness.hpp"

namespace bench {

// Where CLPRIM_BENCH_TURNS names a file, several programs can run side by side: while one of them holds this, the others
// prepare and check their rows on the host, and wait before they use the device.
class Turn {
  public:
    Turn();
    ~Turn();
    Turn(const Turn &) = delete;
    Turn &operator=(const Turn &) = delete;
};

// So many calls back to back, and the wait for them.
double batch_seconds(const Call &call, std::size_t calls);

// A batch's number of calls, found by trying; *per_call is what one took in the last try.
std::size_t batch_size(const Call &call, double *per_call);

// What one call takes, in one repetition: of batches of so many where these are timed, else of a few single ones.
double repetition_seconds(const Call &call, Timing timing, std::size_t calls, double per_call);

double median(std::vector<double> values);

} // namespace bench

#endif

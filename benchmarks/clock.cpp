// SPDX-License-Identifier: MIT
// clock.cpp: see clock.hpp.
#include "clock.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>

namespace bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double BATCH_SECONDS = 0.008; // a batch of back-to-back calls takes at least so long
constexpr std::size_t MAX_BATCH = 2000; // ... or is so many calls
constexpr double LATENCY_SECONDS = 0.004;

int turns_held = 0; // by this process; each takes the lock of the file once

// The file that all programs lock; -1: this program is alone.
int open_turns()
{
    const char *const path = std::getenv("CLPRIM_BENCH_TURNS");
    if (path == nullptr)
        return -1;
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        throw std::runtime_error(std::string("CLPRIM_BENCH_TURNS=") + path + ": " + std::strerror(errno));
    return file;
}

int turns_file()
{
    static const int file = open_turns();
    return file;
}

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

} // namespace

Turn::Turn()
{
    if (turns_held++ == 0 && turns_file() >= 0)
        while (flock(turns_file(), LOCK_EX) != 0 && errno == EINTR) {
        }
}

Turn::~Turn()
{
    if (--turns_held == 0 && turns_file() >= 0)
        (void)flock(turns_file(), LOCK_UN);
}

double batch_seconds(const Call &call, std::size_t calls)
{
    const Turn turn;
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
    const Turn turn;
    if (timing != Timing::latency && timing != Timing::event)
        return batch_seconds(call, calls) / static_cast<double>(calls);
    const double wanted = LATENCY_SECONDS / std::max(per_call, 1e-9);
    const auto samples = static_cast<std::size_t>(std::min(51.0, std::max(3.0, wanted)));
    std::vector<double> seconds;
    for (std::size_t i = 0; i < samples; i++)
        seconds.push_back(timing == Timing::event ? call.event() : batch_seconds(call, 1));
    return median(seconds);
}

} // namespace bench

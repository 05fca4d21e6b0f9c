// SPDX-License-Identifier: MIT
// energy.hpp: how much energy calls take, by the counter of NVIDIA's GPUs.
#ifndef CLPRIM_BENCHMARKS_ENERGY_HPP
#define CLPRIM_BENCHMARKS_ENERGY_HPP

#include "harness.hpp"

#include <memory>
#include <string>

namespace bench {

// The GPU's total energy counter (NVML's). All of the board counts: what it draws when idle, too.
class Energy {
  public:
    // Throws std::runtime_error where the counter cannot be read.
    explicit Energy(cl_device_id device);
    ~Energy();
    Energy(const Energy &) = delete;
    Energy &operator=(const Energy &) = delete;

    // Joules per second while nothing runs.
    double idle_watts() const;
    // Joules of one call, over a few seconds of batches of `calls` calls.
    double joules(const Call &call, std::size_t calls) const;

  private:
    double now() const;
    struct Library;
    std::unique_ptr<Library> library_;
};

} // namespace bench

#endif

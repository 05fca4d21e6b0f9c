// SPDX-License-Identifier: MIT
// peer.hpp: what every peer on a device looks like, whatever it computes, and what the peers of one library share.
#ifndef CLPRIM_BENCHMARKS_PEER_HPP
#define CLPRIM_BENCHMARKS_PEER_HPP

#include <clprim/runtime.h>
#include <clprim/types.h>

#include <cstddef>
#include <memory>
#include <string>

namespace peers {

// One operation on a device, bound to its input and output. Failures throw std::runtime_error or what the peer's
// library throws.
class Device {
  public:
    Device() = default;
    virtual ~Device() = default;
    Device(const Device &) = delete;
    Device &operator=(const Device &) = delete;
    virtual void start() = 0;      // enqueues one call; may return before it is done
    virtual void finish() = 0;     // waits for all
    virtual double event_seconds() // one call by the device's clock
    {
        return 0;
    }
    virtual bool in_place() const // a call puts its output where its input was
    {
        return false;
    }
    virtual void restore() // then: puts the input back, and returns when it is there
    {
    }
    // Of the last call, which is finished: bytes of its output, and how many elements a selection kept.
    virtual void read(void *to, std::size_t offset, std::size_t bytes) = 0;
    virtual std::size_t selected()
    {
        return 0;
    }
};

// Boost.Compute on clPRIM's device, context and buffers, with a queue of its own.
struct BoostTarget {
    cl_context context;
    cl_device_id device;
    cl_mem in;
};
std::string boost_compute_version();

// CUB. Where no CUDA device answers, cub_available() is false.
bool cub_available();
std::string cub_version(); // and the device's name
// A launch of CUDA's, of the kernel of that name in launch.cpp. One of `empty_overlapped` and `busy_overlapped` begins before
// the one before it has ended, as those of cub::DeviceTransform do.
std::unique_ptr<Device> cub_launch(const std::string &name);
// Keep a copy of host memory on the CUDA device, in the place of the one before: elements, and what stands beside them.
// In the order of bench::place().
enum class CubInput { values, flags, keys, indices };
void cub_set_input(CubInput which, const void *host, std::size_t bytes);

} // namespace peers

#endif

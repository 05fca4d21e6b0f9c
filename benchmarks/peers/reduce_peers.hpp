// reduce_peers.hpp: reductions by others, to compare with. Each gives what clPRIM gives: one element, or for ARGMAX a
// clprim_indexed. A pair of type and operator that a peer is not timed with gives nullptr.
// Types: I32 I64 U8 F32 F64. Operators: SUM (integers wrap), and for F32 also MIN and ARGMAX.
#ifndef CLPRIM_BENCHMARKS_REDUCE_PEERS_HPP
#define CLPRIM_BENCHMARKS_REDUCE_PEERS_HPP

#include <clprim/runtime.h>
#include <clprim/types.h>

#include <cstddef>
#include <memory>
#include <string>

namespace peers {

// On the host; returns when the result is in *out.
using HostReduce = void (*)(void *out, const void *in, std::size_t n);

HostReduce c_reduce(clprim_type type, clprim_op op);       // a plain loop
HostReduce std_reduce(clprim_type type, clprim_op op);     // std::reduce, std::min_element, std::max_element
HostReduce std_par_reduce(clprim_type type, clprim_op op); // the same with std::execution::par_unseq; nullptr w/o TBB

// On a device, bound to its input. Failures throw std::runtime_error.
class DeviceReduce {
  public:
    virtual ~DeviceReduce() = default;
    virtual void start() = 0;           // enqueues one call; may return before it is done
    virtual void finish() = 0;          // waits for all
    virtual double event_seconds() = 0; // one call by the device's clock
    virtual void result(void *out) = 0; // of the last call, which is finished
};

// boost::compute::reduce on clPRIM's device and buffer, with a queue of its own. It hands the result to the host, so
// start() blocks.
std::unique_ptr<DeviceReduce> boost_compute_reduce(cl_context context, cl_device_id device, cl_mem in, clprim_type type,
                                                   clprim_op op, std::size_t n);
std::string boost_compute_version();

// cub::DeviceReduce. Where no CUDA device answers, cub_available() is false.
bool cub_available();
std::string cub_version(); // and the device's name
// Keep a copy of host memory on the CUDA device, in the place of the one before.
void cub_set_input(const void *host, std::size_t bytes);
// Over the first n elements of that input; wide: the count is handed over as a size_t, else as an int.
std::unique_ptr<DeviceReduce> cub_reduce(clprim_type type, clprim_op op, std::size_t n, bool wide);

} // namespace peers

#endif

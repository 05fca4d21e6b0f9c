// SPDX-License-Identifier: MIT
// inside.hpp: what a timing can have inside besides the kernels: copies within the device, transfers from and to the
// host.
#ifndef CLPRIM_BENCHMARKS_INSIDE_HPP
#define CLPRIM_BENCHMARKS_INSIDE_HPP

#include "harness.hpp"

namespace bench {

// Where a call on the device leaves its results, to be taken to the host.
struct Results {
    cl_mem out;
    std::size_t bytes;        // of all arrays in `out`, one behind the other
    std::size_t element_size; // where the call says how many elements there are: of one, of any array; else 0
    std::size_t capacity;     // then: elements from the beginning of one array to that of the next
    cl_mem count;             // then: how many there are, a cl_ulong or its low half
};

// What was taken.
struct Taken {
    std::vector<unsigned char> bytes; // as they lay in Results::out
    cl_ulong count = 0;
};

// As `start`, on the session's queue, but each input is copied to its place from another array on the device first: as
// one must where a call overwrites its input. Until the first call what lies in these places is no input.
std::function<void()> with_copy(Session &session, const std::vector<InputUse> &inputs, std::function<void()> start);

// As `start`, but each input comes from the host's memory first (memory as programs have it, not pinned), and the
// results go there in the end; returns when they are there. Until the first call what lies in the inputs' places is no
// input.
std::function<void()> with_transfer(Session &session, const std::vector<InputUse> &inputs, const Results &results,
                                    const std::shared_ptr<Taken> &taken, std::function<void()> start);

// Fill the first bytes of `memory` with one that is no result.
constexpr unsigned char NO_RESULT = 0xa5;
void fill_no_result(cl_command_queue queue, cl_mem memory, std::size_t bytes);

} // namespace bench

#endif

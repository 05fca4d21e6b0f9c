// SPDX-License-Identifier: MIT
// launch.cpp: launches of kernels that do no work: what there is to pay beside it.
#include "kernel.hpp"

#include <algorithm>

namespace bench {
namespace {

// As peers/cub_launch.cu has them. `busy` fills an H200 for 4 us, which is longer than what the host does for a launch.
const char KERNELS[] = R"(
__kernel void empty(__global const uint *in, __global uint *out)
{
}

__kernel void empty_numbers(__global const uint *in, ulong in_offset, ulong n, __global uint *out, ulong out_offset)
{
}

__kernel void empty_arguments(__global const uint *a, ulong a_offset, __global const uint *b, ulong b_offset,
                              __global uint *out, ulong out_offset, __global uint *state, uint epoch, ulong n,
                              ulong segments, uint initial, uint has_initial)
{
}

#ifdef __NV_CL_C_VERSION
__kernel void busy(__global const uint *in, __global uint *out)
{
    ulong begin;
    ulong now;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(begin));
    do
        asm volatile("mov.u64 %0, %%clock64;" : "=l"(now));
    while (now - begin < 8000);
}
#endif
)";

struct LaunchedKernel {
    LaunchedKernel(const Session &session, const std::string &name)
        : kernel(session, KERNELS, name.c_str()), buffer(session.new_buffer(sizeof(cl_uint))),
          group_size(std::min<std::size_t>(name == "busy" ? 256 : 32, session.info().max_work_group_size)),
          groups(name == "busy" ? 1024 : 1)
    {
        if (name == "empty_numbers") {
            buffers = {0, 3};
            for (const cl_uint number : {1, 2, 4})
                kernel.set(number, cl_ulong{0});
        } else if (name == "empty_arguments") {
            buffers = {0, 2, 4, 6};
            for (const cl_uint number : {1, 3, 5, 8, 9})
                kernel.set(number, cl_ulong{0});
            for (const cl_uint number : {7, 10, 11})
                kernel.set(number, cl_uint{0});
        }
    }
    Kernel kernel;
    Buffer buffer; // all of the kernel's
    std::vector<cl_uint> buffers = {0, 1};
    std::size_t group_size, groups;
};

} // namespace

std::vector<Call> launch_calls(Session &session, const std::string &name)
{
    const auto launched = std::make_shared<LaunchedKernel>(session, name);
    const cl_command_queue queue = session.queue();
    Call call;
    call.start = [=] {
        const cl_mem buffer = launched->buffer.get();
        for (const cl_uint parameter : launched->buffers)
            launched->kernel.set(parameter, buffer);
        launched->kernel.enqueue(queue, launched->groups, launched->group_size);
    };
    call.finish = [queue] { require_cl(clFinish(queue), "clFinish"); };
    call.check = [] { return ""; };
    return {call};
}

} // namespace bench

// launch.cpp: a launch of nothing: what there is to pay before any work is done.
#include "kernel.hpp"

#include <algorithm>

namespace bench {
namespace {

const char EMPTY_KERNEL[] = "__kernel void empty(__global const uint *in, __global uint *out) {}";

struct EmptyKernel {
    explicit EmptyKernel(const Session &session)
        : kernel(session, EMPTY_KERNEL, "empty"), buffer(session.new_buffer(sizeof(cl_uint))),
          group_size(std::min<std::size_t>(32, session.info().max_work_group_size))
    {
    }
    Kernel kernel;
    Buffer buffer; // both of the kernel's
    std::size_t group_size;
};

} // namespace

std::vector<Call> launch_calls(Session &session)
{
    const auto empty = std::make_shared<EmptyKernel>(session);
    const cl_command_queue queue = session.queue();
    Call call;
    call.start = [=] {
        const cl_mem buffer = empty->buffer.get();
        empty->kernel.set(0, buffer);
        empty->kernel.set(1, buffer);
        empty->kernel.enqueue(queue, 1, empty->group_size);
    };
    call.finish = [queue] { require_cl(clFinish(queue), "clFinish"); };
    call.check = [] { return ""; };
    return {call};
}

} // namespace bench

// SPDX-License-Identifier: MIT
// copy.cpp: the device's copy speed, the roof that other speeds are measured against.
#include "kernel.hpp"

#include <algorithm>
#include <cstring>

namespace bench {
namespace {

const char COPY_KERNEL[] = R"(
__kernel void copy_strided(__global const uint4 *in, __global uint4 *out, ulong n)
{
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = in[i];
}
__kernel void copy_chunk(__global const uint16 *in, __global uint16 *out, ulong n) // for CPUs
{
    const ulong share = (n / 4 + get_num_groups(0) - 1) / get_num_groups(0);
    const ulong begin = share * get_group_id(0);
    for (ulong i = begin; i < min(n / 4, begin + share); i++)
        out[i] = in[i];
}
)";

struct CopyKernel {
    CopyKernel(const Session &session, cl_mem in, cl_mem out, cl_ulong packets)
        : in_chunks(session.info().kind == CLPRIM_DEVICE_CPU),
          kernel(session, COPY_KERNEL, in_chunks ? "copy_chunk" : "copy_strided"),
          group_size(in_chunks ? 1 : std::min<std::size_t>(256, session.info().max_work_group_size))
    {
        kernel.set(0, in);
        kernel.set(1, out);
        kernel.set(2, packets);
        const std::size_t most = in_chunks ? 4 * session.info().compute_units : std::size_t{1} << 20;
        groups = std::max<std::size_t>(1, std::min<std::size_t>(most, packets / group_size));
    }
    bool in_chunks;
    Kernel kernel;
    std::size_t group_size;
    std::size_t groups = 1;
};

// What a wrong copy looks like: the last bytes differ, since they are written last.
std::string check_copy(cl_command_queue queue, cl_mem out, const void *expected, std::size_t bytes)
{
    const std::size_t part = std::min<std::size_t>(bytes, 4096);
    std::vector<unsigned char> last(part);
    require_cl(clEnqueueReadBuffer(queue, out, CL_TRUE, bytes - part, part, last.data(), 0, nullptr, nullptr),
               "clEnqueueReadBuffer");
    const auto *end = static_cast<const unsigned char *>(expected) + (bytes - part);
    return std::memcmp(last.data(), end, part) == 0 ? "" : "the copy differs from its source";
}

} // namespace

std::vector<Call> copy_calls(Session &session, std::size_t n)
{
    const std::size_t bytes = n * 4;
    const void *expected = session.inputs().host(CLPRIM_U32, n);
    const cl_mem in = session.inputs().device(CLPRIM_U32, n);
    const std::shared_ptr<Buffer> out = std::make_shared<Buffer>(session.new_buffer(bytes));
    const auto kernel = std::make_shared<CopyKernel>(session, in, out->get(), n / 4);
    const cl_command_queue on = session.queue();
    const auto finish = [on] { require_cl(clFinish(on), "clFinish"); };
    const auto check = [=] { return check_copy(on, out->get(), expected, bytes); };
    const auto by_driver = [=] {
        require_cl(clEnqueueCopyBuffer(on, in, out->get(), 0, 0, bytes, 0, nullptr, nullptr), "clEnqueueCopyBuffer");
    };
    const auto by_kernel = [=] { kernel->kernel.enqueue(on, kernel->groups, kernel->group_size); };
    return {{"clEnqueueCopyBuffer", by_driver, finish, {}, check}, {"kernel", by_kernel, finish, {}, check}};
}

} // namespace bench

// launch.cpp: a launch of nothing: what there is to pay before any work is done.
#include "harness.hpp"

namespace bench {
namespace {

const char EMPTY_KERNEL[] = "__kernel void empty(__global const uint *in, __global uint *out) {}";

class EmptyKernel {
  public:
    explicit EmptyKernel(const Session &session) : queue_(session.queue()), buffer_(session.new_buffer(sizeof(cl_uint)))
    {
        const char *text = EMPTY_KERNEL;
        cl_int code = CL_SUCCESS;
        program_ = clCreateProgramWithSource(clprim_runtime_context(session.runtime()), 1, &text, nullptr, &code);
        require_cl(code, "clCreateProgramWithSource");
        require_cl(clBuildProgram(program_, 0, nullptr, "", nullptr, nullptr), "clBuildProgram");
        kernel_ = clCreateKernel(program_, "empty", &code);
        require_cl(code, "clCreateKernel");
        group_size_ = std::min<std::size_t>(32, session.info().max_work_group_size);
    }
    ~EmptyKernel()
    {
        if (kernel_ != nullptr)
            (void)clReleaseKernel(kernel_);
        if (program_ != nullptr)
            (void)clReleaseProgram(program_);
    }
    EmptyKernel(const EmptyKernel &) = delete;
    EmptyKernel &operator=(const EmptyKernel &) = delete;
    void enqueue() const
    {
        const cl_mem buffer = buffer_.get();
        require_cl(clSetKernelArg(kernel_, 0, sizeof buffer, &buffer), "clSetKernelArg");
        require_cl(clSetKernelArg(kernel_, 1, sizeof buffer, &buffer), "clSetKernelArg");
        require_cl(clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &group_size_, &group_size_, 0, nullptr, nullptr),
                   "clEnqueueNDRangeKernel");
    }

  private:
    cl_command_queue queue_;
    Buffer buffer_;
    cl_program program_ = nullptr;
    cl_kernel kernel_ = nullptr;
    std::size_t group_size_ = 1;
};

} // namespace

std::vector<Call> launch_calls(Session &session)
{
    const auto kernel = std::make_shared<EmptyKernel>(session);
    const cl_command_queue queue = session.queue();
    Call call;
    call.start = [kernel] { kernel->enqueue(); };
    call.finish = [queue] { require_cl(clFinish(queue), "clFinish"); };
    call.check = [] { return ""; };
    return {call};
}

} // namespace bench

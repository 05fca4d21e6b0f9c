// SPDX-License-Identifier: MIT
// kernel.hpp: a kernel of the benchmarks' own, made from its source.
#ifndef CLPRIM_BENCHMARKS_KERNEL_HPP
#define CLPRIM_BENCHMARKS_KERNEL_HPP

#include "harness.hpp"

#include <string>

namespace bench {

class Kernel {
  public:
    Kernel(const Session &session, const char *source, const char *name, const std::string &options = "")
    {
        cl_int code = CL_SUCCESS;
        program_ = clCreateProgramWithSource(clprim_runtime_context(session.runtime()), 1, &source, nullptr, &code);
        require_cl(code, "clCreateProgramWithSource");
        code = clBuildProgram(program_, 0, nullptr, options.c_str(), nullptr, nullptr);
        if (code != CL_SUCCESS)
            throw std::runtime_error("clBuildProgram: " + log(session));
        kernel_ = clCreateKernel(program_, name, &code);
        require_cl(code, "clCreateKernel");
    }
    ~Kernel()
    {
        if (kernel_ != nullptr)
            (void)clReleaseKernel(kernel_);
        if (program_ != nullptr)
            (void)clReleaseProgram(program_);
    }
    Kernel(const Kernel &) = delete;
    Kernel &operator=(const Kernel &) = delete;
    template <class T> void set(cl_uint parameter, const T &value) const
    {
        require_cl(clSetKernelArg(kernel_, parameter, sizeof value, &value), "clSetKernelArg");
    }
    void enqueue(cl_command_queue queue, std::size_t groups, std::size_t group_size) const
    {
        const std::size_t global_size = groups * group_size;
        require_cl(clEnqueueNDRangeKernel(queue, kernel_, 1, nullptr, &global_size, &group_size, 0, nullptr, nullptr),
                   "clEnqueueNDRangeKernel");
    }

  private:
    std::string log(const Session &session) const
    {
        std::size_t size = 0;
        const cl_device_id device = session.info().device;
        require_cl(clGetProgramBuildInfo(program_, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size),
                   "clGetProgramBuildInfo");
        std::string text(size, '\0');
        require_cl(clGetProgramBuildInfo(program_, device, CL_PROGRAM_BUILD_LOG, size, text.data(), nullptr),
                   "clGetProgramBuildInfo");
        return text.c_str();
    }

    cl_program program_ = nullptr;
    cl_kernel kernel_ = nullptr;
};

} // namespace bench

#endif

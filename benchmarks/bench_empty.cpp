// bench_empty.cpp: what there is to pay before any work is done. Row `clprim`: a call of clPRIM on one element. Row `device`:
// an empty kernel without arguments, launched by OpenCL. Row `cub`: the same by CUDA.
#include "peers/empty_peers.hpp"
#include "suite.hpp"

#include <clprim/transform.h>

namespace {

// Enqueues an empty kernel of one work-group.
class EmptyKernel {
  public:
    explicit EmptyKernel(const bench::Session &session) : queue_(session.queue())
    {
        const char *text = "__kernel void empty(void) {}";
        cl_int code = CL_SUCCESS;
        program_ = clCreateProgramWithSource(clprim_runtime_context(session.runtime()), 1, &text, nullptr, &code);
        bench::require_cl(code, "clCreateProgramWithSource");
        bench::require_cl(clBuildProgram(program_, 0, nullptr, "", nullptr, nullptr), "clBuildProgram");
        kernel_ = clCreateKernel(program_, "empty", &code);
        bench::require_cl(code, "clCreateKernel");
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
        bench::require_cl(
            clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &group_size_, &group_size_, 0, nullptr, nullptr),
            "clEnqueueNDRangeKernel");
    }
    void finish() const
    {
        bench::require_cl(clFinish(queue_), "clFinish");
    }

  private:
    cl_command_queue queue_;
    cl_program program_ = nullptr;
    cl_kernel kernel_ = nullptr;
    std::size_t group_size_ = 1;
};

class EmptySuite : bench::Suite {
  public:
    using Suite::Suite;
    void add();
};

void EmptySuite::add()
{
    const bench::Work work{"empty", CLPRIM_U32, 1, 0, sizeof(cl_uint), [](const bench::Output &) { return ""; }};
    add_auto(work, [this](cl_mem out, int variant) {
        clprim_transform_call call{};
        call.count = 1;
        call.out[0].buffer = out;
        return enqueue(clprim_transform_operation, variant, clprim_transform_desc{.types = {CLPRIM_U32}}, call);
    });
    session_.add({work.op, "device", "u32", 1, bench::Timing::throughput, 0, [this] {
                      const auto kernel = std::make_shared<EmptyKernel>(session_);
                      bench::Call call;
                      call.start = [kernel] { kernel->enqueue(); };
                      call.finish = [kernel] { kernel->finish(); };
                      call.check = [] { return ""; };
                      return std::vector<bench::Call>{call};
                  }});
    if constexpr (bench::HAVE_CUB)
        add_cub(work, [](bool wide) { return wide ? peers::cub_empty() : nullptr; });
}

} // namespace

int main(int argc, char **argv)
{
    bench::Session session(argc, argv, "empty");
    EmptySuite suite(session);
    suite.add();
    return session.run();
}

// SPDX-License-Identifier: MIT
// cub_launch.cu: what a launch of CUDA's costs, alone and overlapped with the launch before it, of the kernels of launch.cpp.
#include "cub_common.cuh"

namespace peers {
namespace {

// What launch.cpp's kernels do, and take. Overlapped, a kernel begins before the launch before it has ended, and waits for
// that end only then (programmatic dependent launch).
__device__ void follow()
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

__device__ void wait()
{
    const long long begin = clock64();
    while (clock64() - begin < 8000)
        ;
}

__global__ void empty(const unsigned *, unsigned *)
{
}

__global__ void empty_overlapped(const unsigned *, unsigned *)
{
    follow();
}

__global__ void empty_numbers(const unsigned *, std::size_t, std::size_t, unsigned *, std::size_t)
{
}

__global__ void empty_arguments(const unsigned *, std::size_t, const unsigned *, std::size_t, unsigned *, std::size_t,
                                unsigned *, unsigned, std::size_t, std::size_t, unsigned, unsigned)
{
}

__global__ void busy(const unsigned *, unsigned *)
{
    wait();
}

__global__ void busy_overlapped(const unsigned *, unsigned *)
{
    follow();
    wait();
}

} // namespace

std::unique_ptr<Device> cub_launch(const std::string &name)
{
    return cub_call<unsigned>(1, [=](unsigned *memory) {
        const unsigned *const in = memory;
        const std::size_t none = 0;
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attribute.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t config{};
        const bool is_busy = name.find("busy") == 0;
        config.gridDim = is_busy ? 1024 : 1;
        config.blockDim = is_busy ? 256 : 32;
        config.stream = cub_stream();
        if (name.find("overlapped") != std::string::npos) {
            config.attrs = &attribute;
            config.numAttrs = 1;
        }
        if (name == "empty_numbers")
            return cudaLaunchKernelEx(&config, empty_numbers, in, none, none, memory, none);
        if (name == "empty_arguments")
            return cudaLaunchKernelEx(&config, empty_arguments, in, none, in, none, memory, none, memory, 0u, none,
                                      none, 0u, 0u);
        return cudaLaunchKernelEx(&config,
                                  name == "empty"              ? empty
                                  : name == "empty_overlapped" ? empty_overlapped
                                  : name == "busy"             ? busy
                                                               : busy_overlapped,
                                  in, memory);
    });
}

} // namespace peers

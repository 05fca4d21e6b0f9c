// cub_launch.cu: what a launch of CUDA's costs, alone and overlapped with the launch before it.
#include "cub_common.cuh"

namespace peers {
namespace {

__global__ void empty(const unsigned *, unsigned *)
{
}

// Begins before the launch before it has ended, and waits for that end only then (programmatic dependent launch).
__global__ void empty_overlapped(const unsigned *, unsigned *)
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

class LaunchCall final : public CubCall {
  public:
    explicit LaunchCall(bool overlapped) : CubCall(sizeof(unsigned)), overlapped_(overlapped)
    {
        prepare();
    }

  private:
    cudaError_t launch_overlapped(unsigned *memory)
    {
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attribute.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t config{};
        config.gridDim = 1;
        config.blockDim = 32;
        config.stream = cub_stream();
        config.attrs = &attribute;
        config.numAttrs = 1;
        return cudaLaunchKernelEx(&config, empty_overlapped, static_cast<const unsigned *>(memory), memory);
    }

    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        temporary_bytes = sizeof(unsigned);
        if (temporary == nullptr)
            return cudaSuccess;
        if (overlapped_)
            return launch_overlapped(out_.as<unsigned>());
        empty<<<1, 32, 0, cub_stream()>>>(out_.as<unsigned>(), out_.as<unsigned>());
        return cudaGetLastError();
    }

    bool overlapped_;
};

} // namespace

std::unique_ptr<Device> cub_launch(bool overlapped)
{
    return std::make_unique<LaunchCall>(overlapped);
}

} // namespace peers

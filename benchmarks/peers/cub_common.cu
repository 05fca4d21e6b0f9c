// SPDX-License-Identifier: MIT
// cub_common.cu: see cub_common.cuh.
#include "cub_common.cuh"

#include <cub/version.cuh>

#include <stdexcept>

namespace peers {
namespace {

constexpr int NO_RESULT = 0xa5; // a byte

std::unique_ptr<DeviceMemory> &input(CubInput which)
{
    static std::unique_ptr<DeviceMemory> kept[static_cast<int>(CubInput::indices) + 1];
    return kept[static_cast<int>(which)];
}

} // namespace

void require(cudaError_t code, const char *what)
{
    if (code != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(code));
}

DeviceMemory::DeviceMemory(std::size_t bytes)
{
    void *memory = nullptr;
    require(cudaMalloc(&memory, bytes == 0 ? 1 : bytes), "cudaMalloc");
    memory_.reset(memory);
}

DeviceMemory device_copy(const void *host, std::size_t bytes)
{
    DeviceMemory memory(bytes);
    require(cudaMemcpy(memory.as<void>(), host, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    require(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); // cub_stream() does not wait for the default stream
    return memory;
}

void DeviceMemory::fill(int byte, std::size_t bytes)
{
    require(cudaMemset(memory_.get(), byte, bytes), "cudaMemset");
    require(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); // cub_stream() does not wait for the default stream
}

cudaStream_t cub_stream()
{
    static const cudaStream_t created = [] {
        cudaStream_t made = nullptr;
        require(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), "cudaStreamCreate");
        return made;
    }();
    return created;
}

const void *cub_input(CubInput which)
{
    return input(which)->as<void>();
}

void cub_set_input(CubInput which, const void *host, std::size_t bytes)
{
    input(which).reset();
    input(which) = std::make_unique<DeviceMemory>(device_copy(host, bytes));
}

bool cub_available()
{
    int devices = 0;
    return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
}

std::string cub_version()
{
    cudaDeviceProp properties;
    require(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    return std::to_string(CUB_VERSION / 100000) + "." + std::to_string(CUB_VERSION / 100 % 1000) + "." +
           std::to_string(CUB_VERSION % 100) + ", CUDA " + std::to_string(CUDART_VERSION / 1000) + "." +
           std::to_string(CUDART_VERSION % 1000 / 10) + ", " + properties.name;
}

CubCall::CubCall(std::size_t out_bytes) : out_(out_bytes)
{
    out_.fill(NO_RESULT, out_bytes);
    require(cudaEventCreate(&before_), "cudaEventCreate");
    require(cudaEventCreate(&after_), "cudaEventCreate");
}

CubCall::~CubCall()
{
    (void)cudaEventDestroy(before_);
    (void)cudaEventDestroy(after_);
}

void CubCall::prepare()
{
    require(call(nullptr, temporary_bytes_), "asking CUB for its temporary storage");
    temporary_ = std::make_unique<DeviceMemory>(temporary_bytes_);
}

void CubCall::start()
{
    require(call(temporary_->as<void>(), temporary_bytes_), "CUB");
}

void CubCall::finish()
{
    require(cudaStreamSynchronize(cub_stream()), "cudaStreamSynchronize");
}

double CubCall::event_seconds()
{
    float milliseconds = 0;
    require(cudaEventRecord(before_, cub_stream()), "cudaEventRecord");
    start();
    require(cudaEventRecord(after_, cub_stream()), "cudaEventRecord");
    require(cudaEventSynchronize(after_), "cudaEventSynchronize");
    require(cudaEventElapsedTime(&milliseconds, before_, after_), "cudaEventElapsedTime");
    return milliseconds * 1e-3;
}

void CubCall::read(void *to, std::size_t offset, std::size_t bytes)
{
    require(cudaMemcpy(to, out_.as<unsigned char>() + offset, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
}

} // namespace peers

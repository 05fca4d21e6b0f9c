// cub_common.cuh: what the calls of CUB share: memory, the stream, temporary storage, the clock.
#ifndef CLPRIM_BENCHMARKS_CUB_COMMON_CUH
#define CLPRIM_BENCHMARKS_CUB_COMMON_CUH

#include "peer.hpp"

#include <cuda_runtime.h>

#include <climits>
#include <type_traits>

namespace peers {

// Throws std::runtime_error unless the call succeeded.
void require(cudaError_t code, const char *what);

class DeviceMemory {
  public:
    explicit DeviceMemory(std::size_t bytes);
    ~DeviceMemory();
    DeviceMemory(const DeviceMemory &) = delete;
    DeviceMemory &operator=(const DeviceMemory &) = delete;
    template <class T> T *as() const
    {
        return static_cast<T *>(memory_);
    }
    void fill(int byte, std::size_t bytes); // done when it returns

  private:
    void *memory_ = nullptr;
};

// One stream for all, which nothing else uses.
cudaStream_t cub_stream();
// What cub_set_input() put there.
const void *cub_input(CubInput which);

// One operation of CUB. A class for one calls prepare() at the end of its constructor.
class CubCall : public Device {
  public:
    ~CubCall() override;
    void start() override;
    void finish() override;
    double event_seconds() override;
    void read(void *to, std::size_t offset, std::size_t bytes) override;

  protected:
    explicit CubCall(std::size_t out_bytes);
    void prepare();
    // CUB's function: with temporary null, only says how much temporary storage it needs.
    virtual cudaError_t call(void *temporary, std::size_t &temporary_bytes) = 0;

    DeviceMemory out_; // filled with a byte that is no result

  private:
    std::size_t temporary_bytes_ = 0;
    std::unique_ptr<DeviceMemory> temporary_;
    cudaEvent_t before_ = nullptr;
    cudaEvent_t after_ = nullptr;
};

// make(n) with the count as size_t or as int: CUB picks its kernels' index type by it.
template <class Make> std::unique_ptr<Device> with_count(std::size_t n, bool wide, Make make)
{
    if (wide)
        return make(n);
    return make(static_cast<int>(n));
}

} // namespace peers

#endif

// SPDX-License-Identifier: MIT
// cub_common.cuh: what the calls of CUB share: memory, the stream, temporary storage, the clock.
#ifndef CLPRIM_BENCHMARKS_CUB_COMMON_CUH
#define CLPRIM_BENCHMARKS_CUB_COMMON_CUH

#include "peer.hpp"
#include "types.hpp"

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

namespace peers {

// Throws std::runtime_error unless the call succeeded.
void require(cudaError_t code, const char *what);

class DeviceMemory {
  public:
    explicit DeviceMemory(std::size_t bytes);
    template <class T> T *as() const
    {
        return static_cast<T *>(memory_.get());
    }
    void fill(int byte, std::size_t bytes); // done when it returns

  private:
    struct Free {
        void operator()(void *memory) const
        {
            (void)cudaFree(memory);
        }
    };
    std::unique_ptr<void, Free> memory_;
};

// A copy of host memory.
DeviceMemory device_copy(const void *host, std::size_t bytes);
// Of where segments begin, and where the last one ends.
template <class Segments> DeviceMemory offsets_of(const Segments &segments)
{
    return device_copy(segments.offsets, (segments.count + 1) * sizeof(std::uint32_t));
}

// One stream for all, which nothing else uses.
cudaStream_t cub_stream();
// What cub_set_input() put there.
const void *cub_input(CubInput which);
template <class T> const T *cub_input(CubInput which = CubInput::values)
{
    return static_cast<const T *>(cub_input(which));
}

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

template <class T, class Function> class CubFunction final : public CubCall {
  public:
    CubFunction(std::size_t size, Function function) : CubCall(size * sizeof(T)), function_(std::move(function))
    {
        prepare();
    }
    std::size_t selected() override
    {
        std::uint64_t count = 0;
        if constexpr (COUNTS)
            require(cudaMemcpy(&count, count_.as<void>(), sizeof count, cudaMemcpyDeviceToHost), "cudaMemcpy");
        return count;
    }

  private:
    static constexpr bool COUNTS = std::is_invocable_v<Function, void *, std::size_t &, T *, std::uint64_t *>;

    cudaError_t call(void *temporary, std::size_t &bytes) override
    {
        if constexpr (COUNTS) {
            return function_(temporary, bytes, out_.as<T>(), count_.as<std::uint64_t>());
        } else if constexpr (std::is_invocable_v<Function, T *>) {
            bytes = 1;
            return temporary == nullptr ? cudaSuccess : function_(out_.as<T>());
        } else {
            return function_(temporary, bytes, out_.as<T>());
        }
    }

    Function function_;
    DeviceMemory count_{2 * sizeof(std::uint64_t)};
};

// A call of a function that writes up to `size` elements of T:
// function(temporary, bytes, out), as CUB's are; with temporary null, it only says how much temporary storage it needs;
// function(temporary, bytes, out, count), which writes how many elements it selected, and another number behind;
// function(out), which needs no temporary storage, or gets its own.
template <class T, class Function> std::unique_ptr<Device> cub_call(std::size_t size, Function function)
{
    return std::make_unique<CubFunction<T, Function>>(size, std::move(function));
}

// The same with a count before the others, as size_t or as int: CUB picks its kernels' index type by it.
template <class T, class Function>
std::unique_ptr<Device> cub_call(std::size_t size, std::size_t n, bool wide, const Function &function)
{
    if (wide)
        return cub_call<T>(size, std::bind_front(function, n));
    return cub_call<T>(size, std::bind_front(function, static_cast<int>(n)));
}

struct Less {
    template <class T> __device__ bool operator()(const T &a, const T &b) const
    {
        return a < b;
    }
};

} // namespace peers

#endif

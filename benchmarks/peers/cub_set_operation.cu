// SPDX-License-Identifier: MIT
// cub_set_operation.cu: thrust::set_union and its like: CUB itself has no set operations. They wait for the number of
// elements. Their temporary memory is kept from one call to the next.
#include "cub_common.cuh"
#include "set_operation_peers.hpp"

#include <thrust/execution_policy.h>
#include <thrust/set_operations.h>

#include <cstdint>
#include <stdexcept>

namespace peers {
namespace {

// For thrust, which asks for one block a call.
class KeptMemory {
  public:
    using value_type = char;

    char *allocate(std::ptrdiff_t bytes)
    {
        const auto wanted = static_cast<std::size_t>(bytes);
        if (is_taken_)
            throw std::runtime_error("thrust asks for a second block of temporary memory");
        if (memory_ == nullptr || size_ < wanted) {
            memory_ = nullptr; // first: memory may not hold both
            memory_ = std::make_unique<DeviceMemory>(wanted);
            size_ = wanted;
        }
        is_taken_ = true;
        return memory_->as<char>();
    }
    void deallocate(char *, std::size_t)
    {
        is_taken_ = false;
    }

  private:
    std::unique_ptr<DeviceMemory> memory_;
    std::size_t size_ = 0;
    bool is_taken_ = false;
};

template <class T> class SetCall final : public CubCall {
  public:
    SetCall(clprim_set_op op, const void *in, std::size_t a_count, std::size_t b_count)
        : CubCall((a_count + b_count) * sizeof(T)), op_(op), a_count_(a_count), b_count_(b_count),
          in_(device_copy(in, (a_count + b_count) * sizeof(T)))
    {
        prepare();
    }
    std::size_t selected() override
    {
        return selected_;
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        if (temporary == nullptr) { // thrust takes care of its own
            temporary_bytes = 1;
            return cudaSuccess;
        }
        selected_ = static_cast<std::size_t>(end() - out_.as<T>());
        return cudaGetLastError();
    }
    T *end()
    {
        const auto policy = thrust::cuda::par_nosync(memory_).on(cub_stream());
        const T *a = in_.as<T>();
        const T *b = a + a_count_;
        T *out = out_.as<T>();
        switch (op_) {
        case CLPRIM_SET_UNION: return thrust::set_union(policy, a, b, b, b + b_count_, out);
        case CLPRIM_SET_INTERSECTION: return thrust::set_intersection(policy, a, b, b, b + b_count_, out);
        case CLPRIM_SET_DIFFERENCE: return thrust::set_difference(policy, a, b, b, b + b_count_, out);
        default: return thrust::set_symmetric_difference(policy, a, b, b, b + b_count_, out);
        }
    }

    clprim_set_op op_;
    std::size_t a_count_, b_count_, selected_ = 0;
    DeviceMemory in_;
    KeptMemory memory_;
};

} // namespace

std::unique_ptr<Device> cub_set_operation(clprim_set_op op, clprim_type type, const void *in, std::size_t a_count,
                                          std::size_t b_count)
{
    return for_type<std::uint32_t, std::uint64_t>(type, [=](auto zero) -> std::unique_ptr<Device> {
        return std::make_unique<SetCall<decltype(zero)>>(op, in, a_count, b_count);
    });
}

} // namespace peers

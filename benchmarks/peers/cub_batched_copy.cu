// cub_batched_copy.cu: cub::DeviceMemcpy::Batched.
#include "batched_copy_peers.hpp"
#include "cub_common.cuh"

#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace peers {
namespace {

// Where segment s begins in an array.
template <class T> struct BeginOf {
    T *array;
    const std::uint32_t *begins;
    __host__ __device__ T *operator()(std::uint32_t s) const
    {
        return array + begins[s];
    }
};

template <class T> struct BytesOf {
    const std::uint32_t *offsets;
    __host__ __device__ std::uint32_t operator()(std::uint32_t s) const
    {
        return (offsets[s + 1] - offsets[s]) * static_cast<std::uint32_t>(sizeof(T));
    }
};

template <class T> class BatchedCall final : public CubCall {
  public:
    BatchedCall(std::size_t n, const Batch &batch)
        : CubCall(n * sizeof(T)), count_(static_cast<std::int64_t>(batch.count)),
          offsets_((batch.count + 1) * sizeof(std::uint32_t)), begins_((batch.count + 1) * sizeof(std::uint32_t))
    {
        require(cudaMemcpy(offsets_.as<void>(), batch.offsets, (batch.count + 1) * sizeof(std::uint32_t),
                           cudaMemcpyHostToDevice),
                "cudaMemcpy");
        require(
            cudaMemcpy(begins_.as<void>(), batch.begins, batch.count * sizeof(std::uint32_t), cudaMemcpyHostToDevice),
            "cudaMemcpy");
        prepare();
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        const thrust::counting_iterator<std::uint32_t> segments(0);
        const auto *offsets = offsets_.as<const std::uint32_t>();
        const auto from = thrust::make_transform_iterator(
            segments,
            BeginOf<const T>{static_cast<const T *>(cub_input(CubInput::values)), begins_.as<const std::uint32_t>()});
        const auto to = thrust::make_transform_iterator(segments, BeginOf<T>{out_.as<T>(), offsets});
        const auto bytes = thrust::make_transform_iterator(segments, BytesOf<T>{offsets});
        return cub::DeviceMemcpy::Batched(temporary, temporary_bytes, from, to, bytes, count_, cub_stream());
    }

    std::int64_t count_;
    DeviceMemory offsets_, begins_;
};

} // namespace

std::unique_ptr<Device> cub_batched_copy(clprim_type type, std::size_t n, const Batch &batch)
{
    switch (type) {
    case CLPRIM_U8: return std::make_unique<BatchedCall<std::uint8_t>>(n, batch);
    case CLPRIM_U32: return std::make_unique<BatchedCall<std::uint32_t>>(n, batch);
    default: return nullptr;
    }
}

} // namespace peers

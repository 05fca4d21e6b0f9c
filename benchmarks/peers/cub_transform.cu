// cub_transform.cu: cub::DeviceTransform::Transform; thrust::scatter, for which CUB has nothing.
#include "cub_common.cuh"

#include <cub/cub.cuh>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scatter.h>

#include <cstdint>

namespace peers {
namespace {

template <class T> struct Times {
    T factor;
    __host__ __device__ T operator()(T value) const
    {
        return static_cast<T>(factor * value);
    }
};

template <class T, class Count> class TransformCall final : public CubCall {
  public:
    explicit TransformCall(Count n) : CubCall(static_cast<std::size_t>(n) * sizeof(T)), n_(n)
    {
        prepare();
    }

  private:
    // It needs no temporary storage.
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        temporary_bytes = 1;
        if (temporary == nullptr)
            return cudaSuccess;
        return cub::DeviceTransform::Transform(static_cast<const T *>(cub_input(CubInput::values)), out_.as<T>(), n_,
                                               Times<T>{T(3)}, cub_stream());
    }

    Count n_;
};

struct Place {
    std::uint64_t step, mask;
    __host__ __device__ std::uint64_t operator()(std::uint64_t i) const
    {
        return i * step & mask;
    }
};

class ScatterCall final : public CubCall {
  public:
    ScatterCall(std::size_t n, std::uint64_t step) : CubCall(n * sizeof(std::uint32_t)), n_(n), place_{step, n - 1}
    {
        prepare();
    }

  private:
    // It needs no temporary storage.
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        temporary_bytes = 1;
        if (temporary == nullptr)
            return cudaSuccess;
        const auto *in = static_cast<const std::uint32_t *>(cub_input(CubInput::values));
        const auto map = thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0), place_);
        thrust::scatter(thrust::cuda::par_nosync.on(cub_stream()), in, in + n_, map, out_.as<std::uint32_t>());
        return cudaGetLastError();
    }

    std::size_t n_;
    Place place_;
};

} // namespace

std::unique_ptr<Device> thrust_scatter(std::size_t n, std::uint64_t step)
{
    return std::make_unique<ScatterCall>(n, step);
}

std::unique_ptr<Device> cub_transform(clprim_type type, std::size_t n, bool wide)
{
    return with_count(n, wide, [=](auto count) -> std::unique_ptr<Device> {
        using Count = decltype(count);
        switch (type) {
        case CLPRIM_F32: return std::make_unique<TransformCall<float, Count>>(count);
        case CLPRIM_U64: return std::make_unique<TransformCall<std::uint64_t, Count>>(count);
        case CLPRIM_U8: return std::make_unique<TransformCall<std::uint8_t, Count>>(count);
        default: return nullptr;
        }
    });
}

} // namespace peers

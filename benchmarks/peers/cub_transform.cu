// cub_transform.cu: cub::DeviceTransform::Transform.
#include "cub_common.cuh"

#include <cub/cub.cuh>

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

} // namespace

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

// cub_reduce.cu: cub::DeviceReduce, the fastest reductions known on NVIDIA hardware.
#include "cub_common.cuh"
#include "reduce_peers.hpp"

#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>

namespace peers {
namespace {

// Where a reduction writes: the layout of clprim_indexed for ARGMAX, else an element at the start.
struct Output {
    std::int64_t index;
    float value;
    std::uint32_t unused;
};
static_assert(sizeof(Output) == sizeof(clprim_indexed), "ARGMAX is read back as a clprim_indexed");

template <class T, clprim_op op, class Count> class Reduce final : public CubCall {
  public:
    explicit Reduce(Count n) : CubCall(sizeof(Output)), n_(n)
    {
        out_.fill(0, sizeof(Output)); // of clprim_indexed, what is unused is 0
        prepare();
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        const T *in = static_cast<const T *>(cub_input(CubInput::values));
        T *element = out_.as<T>();
        if constexpr (op == CLPRIM_SUM) {
            return cub::DeviceReduce::Sum(temporary, temporary_bytes, in, element, n_, cub_stream());
        } else if constexpr (op == CLPRIM_MIN) {
            return cub::DeviceReduce::Min(temporary, temporary_bytes, in, element, n_, cub_stream());
        } else {
            Output *indexed = out_.as<Output>();
            return cub::DeviceReduce::ArgMax(temporary, temporary_bytes, in, &indexed->value, &indexed->index,
                                             static_cast<std::int64_t>(n_), cub_stream());
        }
    }

    Count n_;
};

struct Product {
    const float *x, *y;
    template <class Index> __host__ __device__ float operator()(Index i) const
    {
        return x[i] * y[i];
    }
};

template <class Count> class Dot final : public CubCall {
  public:
    explicit Dot(Count n) : CubCall(sizeof(float)), n_(n)
    {
        prepare();
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        const float *x = static_cast<const float *>(cub_input(CubInput::values));
        const auto products =
            thrust::make_transform_iterator(thrust::make_counting_iterator(Count(0)), Product{x, x + n_});
        return cub::DeviceReduce::Sum(temporary, temporary_bytes, products, out_.as<float>(), n_, cub_stream());
    }

    Count n_;
};

struct Above {
    float limit;
    __host__ __device__ float operator()(float x) const
    {
        return x > limit ? x : 0.0F;
    }
};

struct Plus {
    __host__ __device__ float operator()(float a, float b) const
    {
        return a + b;
    }
};

template <class Count> class Masked final : public CubCall {
  public:
    Masked(Count n, float limit) : CubCall(sizeof(float)), n_(n), limit_(limit)
    {
        prepare();
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        return cub::DeviceReduce::TransformReduce(temporary, temporary_bytes,
                                                  static_cast<const float *>(cub_input(CubInput::values)),
                                                  out_.as<float>(), n_, Plus{}, Above{limit_}, 0.0F, cub_stream());
    }

    Count n_;
    float limit_;
};

template <class T, clprim_op op> std::unique_ptr<Device> make(std::size_t n, bool wide)
{
    return with_count(n, wide, [](auto count) -> std::unique_ptr<Device> {
        return std::make_unique<Reduce<T, op, decltype(count)>>(count);
    });
}

} // namespace

std::unique_ptr<Device> cub_reduce_dot(std::size_t n, bool wide)
{
    return with_count(
        n, wide, [](auto count) -> std::unique_ptr<Device> { return std::make_unique<Dot<decltype(count)>>(count); });
}

std::unique_ptr<Device> cub_reduce_masked(std::size_t n, bool wide, float limit)
{
    return with_count(n, wide, [=](auto count) -> std::unique_ptr<Device> {
        return std::make_unique<Masked<decltype(count)>>(count, limit);
    });
}

std::unique_ptr<Device> cub_reduce(clprim_type type, clprim_op op, std::size_t n, bool wide)
{
    if (op == CLPRIM_MIN)
        return type == CLPRIM_F32 ? make<float, CLPRIM_MIN>(n, wide) : nullptr;
    if (op == CLPRIM_ARGMAX) // takes its count as int64_t only
        return type == CLPRIM_F32 && wide ? make<float, CLPRIM_ARGMAX>(n, wide) : nullptr;
    if (op != CLPRIM_SUM)
        return nullptr;
    switch (type) {
    case CLPRIM_I32: return make<std::int32_t, CLPRIM_SUM>(n, wide);
    case CLPRIM_I64: return make<std::int64_t, CLPRIM_SUM>(n, wide);
    case CLPRIM_U8: return make<std::uint8_t, CLPRIM_SUM>(n, wide);
    case CLPRIM_F32: return make<float, CLPRIM_SUM>(n, wide);
    case CLPRIM_F64: return make<double, CLPRIM_SUM>(n, wide);
    default: return nullptr;
    }
}

} // namespace peers

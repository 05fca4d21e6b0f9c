// SPDX-License-Identifier: MIT
// cub_reduce.cu: cub::DeviceReduce, the fastest reductions known on NVIDIA hardware.
#include "cub_common.cuh"
#include "reduce_peers.hpp"

#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>

namespace peers {
namespace {

struct Product {
    const float *x, *y;
    template <class Index> __host__ __device__ float operator()(Index i) const
    {
        return x[i] * y[i];
    }
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

// ARGMAX's result; what is unused in it is 0.
struct Indexed {
    std::int64_t index;
    float value;
    std::uint32_t unused;
};
static_assert(sizeof(Indexed) == sizeof(clprim_indexed), "ARGMAX is read back as a clprim_indexed");

} // namespace

std::unique_ptr<Device> cub_reduce_dot(std::size_t n, bool wide)
{
    return cub_call<float>(1, n, wide, [](auto count, void *temporary, std::size_t &bytes, float *out) {
        const float *x = cub_input<float>();
        const auto products =
            thrust::make_transform_iterator(thrust::make_counting_iterator(decltype(count){0}), Product{x, x + count});
        return cub::DeviceReduce::Sum(temporary, bytes, products, out, count, cub_stream());
    });
}

std::unique_ptr<Device> cub_reduce_masked(std::size_t n, bool wide, float limit)
{
    return cub_call<float>(1, n, wide, [=](auto count, void *temporary, std::size_t &bytes, float *out) {
        return cub::DeviceReduce::TransformReduce(temporary, bytes, cub_input<float>(), out, count, Plus{},
                                                  Above{limit}, 0.0F, cub_stream());
    });
}

std::unique_ptr<Device> cub_reduce(clprim_type type, clprim_op op, std::size_t n, bool wide)
{
    if (op == CLPRIM_MIN && type == CLPRIM_F32)
        return cub_call<float>(1, n, wide, [](auto count, void *temporary, std::size_t &bytes, float *out) {
            return cub::DeviceReduce::Min(temporary, bytes, cub_input<float>(), out, count, cub_stream());
        });
    if (op == CLPRIM_ARGMAX && type == CLPRIM_F32 && wide) // takes its count as int64_t only
        return cub_call<Indexed>(1, [=](void *temporary, std::size_t &bytes, Indexed *out) {
            if (temporary == nullptr)
                require(cudaMemsetAsync(out, 0, sizeof *out, cub_stream()), "cudaMemsetAsync");
            return cub::DeviceReduce::ArgMax(temporary, bytes, cub_input<float>(), &out->value, &out->index,
                                             static_cast<std::int64_t>(n), cub_stream());
        });
    if (op != CLPRIM_SUM)
        return nullptr;
    return for_type<std::int32_t, std::int64_t, std::uint8_t, float, double>(type, [=](auto zero) {
        using T = decltype(zero);
        return cub_call<T>(1, n, wide, [](auto count, void *temporary, std::size_t &bytes, T *out) {
            return cub::DeviceReduce::Sum(temporary, bytes, cub_input<T>(), out, count, cub_stream());
        });
    });
}

} // namespace peers

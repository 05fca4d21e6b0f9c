// cub_reduce.cu: cub::DeviceReduce, the fastest reductions known on NVIDIA hardware.
#include "cub_common.cuh"
#include "reduce_peers.hpp"

#include <cub/cub.cuh>

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

template <class T, clprim_op op> std::unique_ptr<Device> make(std::size_t n, bool wide)
{
    return with_count(n, wide, [](auto count) -> std::unique_ptr<Device> {
        return std::make_unique<Reduce<T, op, decltype(count)>>(count);
    });
}

} // namespace

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

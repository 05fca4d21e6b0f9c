// cub_segmented_reduce.cu: cub::DeviceSegmentedReduce, which gives each segment a block.
#include "cub_common.cuh"
#include "segmented_reduce_peers.hpp"

#include <cub/cub.cuh>

namespace peers {
namespace {

template <class T, clprim_op OP> class SegmentedReduceCall final : public CubCall {
  public:
    explicit SegmentedReduceCall(const Segments &segments)
        : CubCall(segments.count * sizeof(T)), count_(static_cast<std::int64_t>(segments.count)),
          offsets_((segments.count + 1) * sizeof(std::uint32_t))
    {
        require(cudaMemcpy(offsets_.as<void>(), segments.offsets, (segments.count + 1) * sizeof(std::uint32_t),
                           cudaMemcpyHostToDevice),
                "cudaMemcpy");
        prepare();
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        const T *in = static_cast<const T *>(cub_input(CubInput::values));
        const std::uint32_t *begins = offsets_.as<const std::uint32_t>();
        if constexpr (OP == CLPRIM_MIN)
            return cub::DeviceSegmentedReduce::Min(temporary, temporary_bytes, in, out_.as<T>(), count_, begins,
                                                   begins + 1, cub_stream());
        else
            return cub::DeviceSegmentedReduce::Sum(temporary, temporary_bytes, in, out_.as<T>(), count_, begins,
                                                   begins + 1, cub_stream());
    }

    std::int64_t count_;
    DeviceMemory offsets_;
};

} // namespace

std::unique_ptr<Device> cub_segmented_reduce(clprim_type type, clprim_op op, const Segments &segments)
{
    switch (type) {
    case CLPRIM_I32: return std::make_unique<SegmentedReduceCall<std::int32_t, CLPRIM_SUM>>(segments);
    case CLPRIM_I64: return std::make_unique<SegmentedReduceCall<std::int64_t, CLPRIM_SUM>>(segments);
    case CLPRIM_F32:
        if (op == CLPRIM_MIN)
            return std::make_unique<SegmentedReduceCall<float, CLPRIM_MIN>>(segments);
        return std::make_unique<SegmentedReduceCall<float, CLPRIM_SUM>>(segments);
    default: return nullptr;
    }
}

} // namespace peers

// cub_adjacent_difference.cu: cub::DeviceAdjacentDifference::SubtractLeftCopy.
#include "cub_common.cuh"

#include <cub/cub.cuh>

#include <cstdint>

namespace peers {
namespace {

template <class T, class R, class Count> class DifferenceCall final : public CubCall {
  public:
    explicit DifferenceCall(Count n) : CubCall(static_cast<std::size_t>(n) * sizeof(R)), n_(n)
    {
        prepare();
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        const auto *in = static_cast<const T *>(cub_input(CubInput::values));
        return cub::DeviceAdjacentDifference::SubtractLeftCopy(temporary, temporary_bytes, in, out_.as<R>(), n_,
                                                               cuda::std::minus<R>(), cub_stream());
    }

    Count n_;
};

} // namespace

std::unique_ptr<Device> cub_adjacent_difference(clprim_type type, std::size_t n, bool wide)
{
    return with_count(n, wide, [=](auto count) -> std::unique_ptr<Device> {
        using Count = decltype(count);
        switch (type) {
        case CLPRIM_U32: return std::make_unique<DifferenceCall<std::uint32_t, std::uint32_t, Count>>(count);
        case CLPRIM_U64: return std::make_unique<DifferenceCall<std::uint64_t, std::uint64_t, Count>>(count);
        case CLPRIM_U8: return std::make_unique<DifferenceCall<std::uint8_t, std::int16_t, Count>>(count);
        default: return nullptr;
        }
    });
}

} // namespace peers

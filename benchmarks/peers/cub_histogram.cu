// cub_histogram.cu: cub::DeviceHistogram, NVIDIA's histograms.
#include "cub_common.cuh"
#include "histogram_peers.hpp"

#include <cub/cub.cuh>

#include <cstdint>

namespace peers {
namespace {

template <class T, class Count> class HistogramCall final : public CubCall {
  public:
    HistogramCall(Count n, std::size_t bins)
        : CubCall(bins * sizeof(std::uint32_t)), n_(n), levels_(static_cast<int>(bins) + 1)
    {
        prepare();
    }

  private:
    // The upper level is no value of an integer's own type.
    using Level = std::conditional_t<std::is_integral_v<T>, int, T>;

    static constexpr Level lower()
    {
        if constexpr (std::is_integral_v<T>)
            return 0;
        else
            return Level(-0.5);
    }
    static constexpr Level upper()
    {
        if constexpr (std::is_integral_v<T>)
            return 1 << (8 * sizeof(T));
        else
            return Level(0.5);
    }
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        const T *in = static_cast<const T *>(cub_input(CubInput::values));
        return cub::DeviceHistogram::HistogramEven(temporary, temporary_bytes, in, out_.as<std::uint32_t>(), levels_,
                                                   lower(), upper(), n_, cub_stream());
    }

    Count n_;
    int levels_;
};

template <class T> std::unique_ptr<Device> make(std::size_t bins, std::size_t n, bool wide)
{
    return with_count(n, wide, [bins](auto count) -> std::unique_ptr<Device> {
        // CUB wants a signed type, and itself goes over to int where the input is smaller than 2 GiB
        using Count = std::conditional_t<std::is_same_v<decltype(count), int>, int, std::int64_t>;
        return std::make_unique<HistogramCall<T, Count>>(static_cast<Count>(count), bins);
    });
}

} // namespace

std::unique_ptr<Device> cub_histogram(clprim_type type, std::size_t bins, std::size_t n, bool wide)
{
    switch (type) {
    case CLPRIM_U8: return make<std::uint8_t>(bins, n, wide);
    case CLPRIM_U16: return make<std::uint16_t>(bins, n, wide);
    case CLPRIM_F32: return make<float>(bins, n, wide);
    default: return nullptr;
    }
}

} // namespace peers

// cub_segmented_sort.cu: cub::DeviceSegmentedSort, which sorts short segments by merging within warps and long ones by
// digits, and cub::DeviceSegmentedRadixSort, which gives each segment a block.
#include "cub_common.cuh"
#include "segmented_sort_peers.hpp"

#include <cub/cub.cuh>

namespace peers {
namespace {

template <class T, bool pairs, bool radix> class SegmentedSortCall final : public CubCall {
  public:
    SegmentedSortCall(std::size_t n, const Segments &segments)
        : CubCall(n * sizeof(T) * (pairs ? 2 : 1)), n_(static_cast<int>(n)), count_(static_cast<int>(segments.count)),
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
        constexpr int bits = 8 * sizeof(T);
        const T *keys = static_cast<const T *>(cub_input(CubInput::values));
        const std::uint32_t *begins = offsets_.as<const std::uint32_t>();
        T *out = out_.as<T>();
        if constexpr (pairs) {
            const T *values = static_cast<const T *>(cub_input(CubInput::indices));
            if constexpr (radix)
                return cub::DeviceSegmentedRadixSort::SortPairs(temporary, temporary_bytes, keys, out, values, out + n_,
                                                                n_, count_, begins, begins + 1, 0, bits, cub_stream());
            else
                return cub::DeviceSegmentedSort::StableSortPairs(temporary, temporary_bytes, keys, out, values,
                                                                 out + n_, n_, count_, begins, begins + 1,
                                                                 cub_stream());
        } else if constexpr (radix) {
            return cub::DeviceSegmentedRadixSort::SortKeys(temporary, temporary_bytes, keys, out, n_, count_, begins,
                                                           begins + 1, 0, bits, cub_stream());
        } else {
            return cub::DeviceSegmentedSort::SortKeys(temporary, temporary_bytes, keys, out, n_, count_, begins,
                                                      begins + 1, cub_stream());
        }
    }

    int n_;
    int count_;
    DeviceMemory offsets_;
};

template <class T> std::unique_ptr<Device> make(bool pairs, bool radix, std::size_t n, const Segments &segments)
{
    if (pairs && radix)
        return std::make_unique<SegmentedSortCall<T, true, true>>(n, segments);
    if (pairs)
        return std::make_unique<SegmentedSortCall<T, true, false>>(n, segments);
    if (radix)
        return std::make_unique<SegmentedSortCall<T, false, true>>(n, segments);
    return std::make_unique<SegmentedSortCall<T, false, false>>(n, segments);
}

} // namespace

std::unique_ptr<Device> cub_segmented_sort(clprim_type type, bool pairs, bool radix, std::size_t n,
                                           const Segments &segments)
{
    switch (type) {
    case CLPRIM_U32: return make<std::uint32_t>(pairs, radix, n, segments);
    case CLPRIM_U64: return make<std::uint64_t>(pairs, radix, n, segments);
    default: return nullptr;
    }
}

} // namespace peers

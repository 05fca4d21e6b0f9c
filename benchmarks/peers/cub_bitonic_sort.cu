// cub_bitonic_sort.cu: cub::DeviceMergeSort, which sorts by comparisons as clPRIM's bitonic sort does.
//
// SortKeysCopy and StableSortKeysCopy are the same kernels: there is one row for both. Those that sort in place copy
// the elements into temporary storage, too.
#include "bitonic_sort_peers.hpp"
#include "cub_common.cuh"

#include <cub/cub.cuh>

#include <cstdint>

namespace peers {
namespace {

struct Less {
    template <class T> __device__ bool operator()(const T &a, const T &b) const
    {
        return a < b;
    }
};

template <class T, bool pairs, class Count> class SortCall final : public CubCall {
  public:
    explicit SortCall(Count n) : CubCall(static_cast<std::size_t>(n) * sizeof(T) * (pairs ? 2 : 1)), n_(n)
    {
        prepare();
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        const T *keys = static_cast<const T *>(cub_input(CubInput::values));
        T *out = out_.as<T>();
        if constexpr (pairs) {
            const T *values = static_cast<const T *>(cub_input(CubInput::indices));
            return cub::DeviceMergeSort::SortPairsCopy(temporary, temporary_bytes, keys, values, out, out + n_, n_,
                                                       Less(), cub_stream());
        } else {
            return cub::DeviceMergeSort::SortKeysCopy(temporary, temporary_bytes, keys, out, n_, Less(), cub_stream());
        }
    }

    Count n_;
};

template <class T, bool pairs> std::unique_ptr<Device> make(std::size_t n, bool wide)
{
    return with_count(n, wide, [](auto count) -> std::unique_ptr<Device> {
        return std::make_unique<SortCall<T, pairs, decltype(count)>>(count);
    });
}

} // namespace

std::unique_ptr<Device> cub_merge_sort(clprim_type type, bool pairs, std::size_t n, bool wide)
{
    if (pairs)
        return type == CLPRIM_U32 ? make<std::uint32_t, true>(n, wide) : nullptr;
    switch (type) {
    case CLPRIM_U32: return make<std::uint32_t, false>(n, wide);
    case CLPRIM_U64: return make<std::uint64_t, false>(n, wide);
    case CLPRIM_F32: return make<float, false>(n, wide);
    default: return nullptr;
    }
}

} // namespace peers

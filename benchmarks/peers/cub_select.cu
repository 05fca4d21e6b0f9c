// cub_select.cu: cub::DeviceSelect and cub::DevicePartition, the fastest selections known on NVIDIA hardware.
#include "cub_common.cuh"
#include "select_peers.hpp"

#include <cub/cub.cuh>

#include <algorithm>
#include <cstdint>

namespace peers {
namespace {

template <class T> struct Below {
    T limit;
    __host__ __device__ bool operator()(const T &value) const
    {
        return value < limit;
    }
};

// out[*begin .. n) from the last to the first, in place.
template <class T> __global__ void reverse(T *out, const std::uint64_t *begin, std::uint64_t n)
{
    T *const others = out + *begin;
    const std::uint64_t count = n - *begin;
    const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count / 2; i += stride) {
        const T moved = others[i];
        others[i] = others[count - 1 - i];
        others[count - 1 - i] = moved;
    }
}

template <Select select, class T, class Count> class SelectCall final : public CubCall {
  public:
    SelectCall(Count n, double limit)
        : CubCall(static_cast<std::size_t>(n) * sizeof(T)), n_(n), below_{static_cast<T>(limit)}
    {
        prepare();
    }
    std::size_t selected() override
    {
        std::uint64_t count = 0;
        require(cudaMemcpy(&count, count_.as<void>(), sizeof count, cudaMemcpyDeviceToHost), "cudaMemcpy");
        return count;
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        const T *in = static_cast<const T *>(cub_input(CubInput::values));
        T *out = out_.as<T>();
        std::uint64_t *count = count_.as<std::uint64_t>();
        if constexpr (select == Select::below) {
            return cub::DeviceSelect::If(temporary, temporary_bytes, in, out, count, n_, below_, cub_stream());
        } else if constexpr (select == Select::partition || select == Select::stable_partition) {
            const cudaError_t code =
                cub::DevicePartition::If(temporary, temporary_bytes, in, out, count, n_, below_, cub_stream());
            if (code != cudaSuccess || select == Select::partition || temporary == nullptr)
                return code;
            const std::uint64_t n = static_cast<std::uint64_t>(n_);
            const auto groups = static_cast<unsigned>(std::min<std::uint64_t>((n + 511) / 512, 132 * 8));
            reverse<<<groups, 256, 0, cub_stream()>>>(out, count, n);
            return cudaGetLastError();
        } else {
            const auto *flags = static_cast<const std::uint8_t *>(cub_input(CubInput::flags));
            return cub::DeviceSelect::Flagged(temporary, temporary_bytes, in, flags, out, count, n_, cub_stream());
        }
    }

    Count n_;
    Below<T> below_;
    DeviceMemory count_{sizeof(std::uint64_t)};
};

template <Select select, class T> std::unique_ptr<Device> make(std::size_t n, double limit)
{
    return std::make_unique<SelectCall<select, T, std::size_t>>(n, limit);
}

} // namespace

std::unique_ptr<Device> cub_select(Select select, clprim_type type, std::size_t n, double limit, bool wide)
{
    if (select == Select::partition && type == CLPRIM_I32)
        return with_count(n, wide, [limit](auto count) -> std::unique_ptr<Device> {
            return std::make_unique<SelectCall<Select::partition, std::int32_t, decltype(count)>>(count, limit);
        });
    if (select == Select::stable_partition && type == CLPRIM_I32)
        return with_count(n, wide, [limit](auto count) -> std::unique_ptr<Device> {
            return std::make_unique<SelectCall<Select::stable_partition, std::int32_t, decltype(count)>>(count, limit);
        });
    if (!wide) // DeviceSelect takes its count as int64_t only
        return nullptr;
    if (select == Select::below && type == CLPRIM_F32)
        return make<Select::below, float>(n, limit);
    if (select == Select::below && type == CLPRIM_I32)
        return make<Select::below, std::int32_t>(n, limit);
    return select == Select::flagged && type == CLPRIM_I32 ? make<Select::flagged, std::int32_t>(n, limit) : nullptr;
}

} // namespace peers

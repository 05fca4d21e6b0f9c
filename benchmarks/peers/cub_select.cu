// cub_select.cu: cub::DeviceSelect, the fastest selections known on NVIDIA hardware.
#include "cub_common.cuh"
#include "select_peers.hpp"

#include <cub/cub.cuh>

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

template <Select select, class T> class SelectCall final : public CubCall {
  public:
    SelectCall(std::size_t n, double limit) : CubCall(n * sizeof(T)), n_(n), below_{static_cast<T>(limit)}
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
        } else {
            const auto *flags = static_cast<const std::uint8_t *>(cub_input(CubInput::flags));
            return cub::DeviceSelect::Flagged(temporary, temporary_bytes, in, flags, out, count, n_, cub_stream());
        }
    }

    std::size_t n_;
    Below<T> below_;
    DeviceMemory count_{sizeof(std::uint64_t)};
};

template <Select select, class T> std::unique_ptr<Device> make(std::size_t n, double limit)
{
    return std::make_unique<SelectCall<select, T>>(n, limit);
}

} // namespace

std::unique_ptr<Device> cub_select(Select select, clprim_type type, std::size_t n, double limit, bool wide)
{
    if (!wide) // DeviceSelect takes its count as int64_t only
        return nullptr;
    if (select == Select::below && type == CLPRIM_F32)
        return make<Select::below, float>(n, limit);
    if (select == Select::below && type == CLPRIM_I32)
        return make<Select::below, std::int32_t>(n, limit);
    return select == Select::flagged && type == CLPRIM_I32 ? make<Select::flagged, std::int32_t>(n, limit) : nullptr;
}

} // namespace peers

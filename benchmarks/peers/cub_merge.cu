// cub_merge.cu: cub::DeviceMerge::MergeKeys.
#include "cub_common.cuh"
#include "merge_peers.hpp"

#include <cub/cub.cuh>
#include <cub/device/device_merge.cuh>

#include <cstdint>

namespace peers {
namespace {

struct Less {
    template <class T> __device__ bool operator()(const T &a, const T &b) const
    {
        return a < b;
    }
};

template <class T> class MergeCall final : public CubCall {
  public:
    MergeCall(const void *in, std::size_t a_count, std::size_t b_count)
        : CubCall((a_count + b_count) * sizeof(T)), a_count_(static_cast<int>(a_count)),
          b_count_(static_cast<int>(b_count)), in_((a_count + b_count) * sizeof(T))
    {
        require(cudaMemcpy(in_.as<void>(), in, (a_count + b_count) * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
        prepare();
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        const T *in = in_.as<T>();
        return cub::DeviceMerge::MergeKeys(temporary, temporary_bytes, in, a_count_, in + a_count_, b_count_,
                                           out_.as<T>(), Less(), cub_stream());
    }

    int a_count_, b_count_;
    DeviceMemory in_;
};

} // namespace

std::unique_ptr<Device> cub_merge(clprim_type type, const void *in, std::size_t a_count, std::size_t b_count)
{
    switch (type) {
    case CLPRIM_U32: return std::make_unique<MergeCall<std::uint32_t>>(in, a_count, b_count);
    case CLPRIM_U64: return std::make_unique<MergeCall<std::uint64_t>>(in, a_count, b_count);
    default: return nullptr;
    }
}

} // namespace peers

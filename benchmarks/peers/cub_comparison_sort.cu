// cub_comparison_sort.cu: cub::DeviceMergeSort of records. SortKeysCopy and StableSortKeysCopy are the same kernels:
// there is one row for both.
#include "comparison_sort_peers.hpp"
#include "cub_common.cuh"

#include <cub/cub.cuh>

namespace peers {
namespace {

struct KeyLess {
    __device__ bool operator()(const Record &a, const Record &b) const
    {
        return a.key < b.key;
    }
};

template <class Count> class RecordsCall final : public CubCall {
  public:
    explicit RecordsCall(Count n) : CubCall(static_cast<std::size_t>(n) * sizeof(Record)), n_(n)
    {
        prepare();
    }

  private:
    cudaError_t call(void *temporary, std::size_t &temporary_bytes) override
    {
        const Record *records = static_cast<const Record *>(cub_input(CubInput::values));
        return cub::DeviceMergeSort::SortKeysCopy(temporary, temporary_bytes, records, out_.as<Record>(), n_, KeyLess(),
                                                  cub_stream());
    }

    Count n_;
};

} // namespace

std::unique_ptr<Device> cub_merge_sort_records(std::size_t n, bool wide)
{
    return with_count(n, wide, [](auto count) -> std::unique_ptr<Device> {
        return std::make_unique<RecordsCall<decltype(count)>>(count);
    });
}

} // namespace peers

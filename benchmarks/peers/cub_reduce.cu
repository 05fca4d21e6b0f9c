// cub_reduce.cu: cub::DeviceReduce, the fastest reductions known on NVIDIA hardware.
#include "reduce_peers.hpp"

#include <cub/cub.cuh>

#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace peers {
namespace {

void require(cudaError_t code, const char *what)
{
    if (code != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(code));
}

class DeviceMemory {
  public:
    explicit DeviceMemory(std::size_t bytes)
    {
        require(cudaMalloc(&memory_, bytes == 0 ? 1 : bytes), "cudaMalloc");
    }
    ~DeviceMemory()
    {
        (void)cudaFree(memory_);
    }
    DeviceMemory(const DeviceMemory &) = delete;
    DeviceMemory &operator=(const DeviceMemory &) = delete;
    void *get() const
    {
        return memory_;
    }

  private:
    void *memory_ = nullptr;
};

// One stream for all, which nothing else uses.
cudaStream_t stream()
{
    static const cudaStream_t created = [] {
        cudaStream_t made = nullptr;
        require(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), "cudaStreamCreate");
        return made;
    }();
    return created;
}

std::unique_ptr<DeviceMemory> &input()
{
    static std::unique_ptr<DeviceMemory> kept;
    return kept;
}

// Where a reduction writes: the layout of clprim_indexed for ARGMAX, else an element at the start.
struct Output {
    std::int64_t index;
    float value;
    std::uint32_t unused;
};
static_assert(sizeof(Output) == sizeof(clprim_indexed), "ARGMAX is read back as a clprim_indexed");

// Count: the type by which the number of elements is handed to CUB, which picks its kernels' index type by it.
template <class T, clprim_op op, class Count> class Reduce final : public DeviceReduce {
  public:
    explicit Reduce(Count n) : n_(n)
    {
        require(cudaMemset(out_.get(), 0, sizeof(Output)), "cudaMemset");
        require(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); // stream() does not wait for the default stream
        require(run(nullptr), "asking CUB for its temporary storage");
        temporary_ = std::make_unique<DeviceMemory>(temporary_bytes_);
        require(cudaEventCreate(&before_), "cudaEventCreate");
        require(cudaEventCreate(&after_), "cudaEventCreate");
    }
    ~Reduce() override
    {
        (void)cudaEventDestroy(before_);
        (void)cudaEventDestroy(after_);
    }
    void start() override
    {
        require(run(temporary_->get()), "cub::DeviceReduce");
    }
    void finish() override
    {
        require(cudaStreamSynchronize(stream()), "cudaStreamSynchronize");
    }
    double event_seconds() override
    {
        float milliseconds = 0;
        require(cudaEventRecord(before_, stream()), "cudaEventRecord");
        start();
        require(cudaEventRecord(after_, stream()), "cudaEventRecord");
        require(cudaEventSynchronize(after_), "cudaEventSynchronize");
        require(cudaEventElapsedTime(&milliseconds, before_, after_), "cudaEventElapsedTime");
        return milliseconds * 1e-3;
    }
    void result(void *out) override
    {
        const std::size_t bytes = op == CLPRIM_ARGMAX ? sizeof(Output) : sizeof(T);
        require(cudaMemcpy(out, out_.get(), bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    }

  private:
    cudaError_t run(void *temporary)
    {
        const T *in = static_cast<const T *>(input()->get());
        T *element = static_cast<T *>(out_.get());
        if constexpr (op == CLPRIM_SUM) {
            return cub::DeviceReduce::Sum(temporary, temporary_bytes_, in, element, n_, stream());
        } else if constexpr (op == CLPRIM_MIN) {
            return cub::DeviceReduce::Min(temporary, temporary_bytes_, in, element, n_, stream());
        } else {
            Output *indexed = static_cast<Output *>(out_.get());
            return cub::DeviceReduce::ArgMax(temporary, temporary_bytes_, in, &indexed->value, &indexed->index,
                                             static_cast<std::int64_t>(n_), stream());
        }
    }

    Count n_;
    DeviceMemory out_{sizeof(Output)};
    std::size_t temporary_bytes_ = 0;
    std::unique_ptr<DeviceMemory> temporary_;
    cudaEvent_t before_ = nullptr;
    cudaEvent_t after_ = nullptr;
};

template <class T, clprim_op op> std::unique_ptr<DeviceReduce> make(std::size_t n, bool wide)
{
    if (wide)
        return std::make_unique<Reduce<T, op, std::size_t>>(n);
    return std::make_unique<Reduce<T, op, int>>(static_cast<int>(n));
}

} // namespace

bool cub_available()
{
    int devices = 0;
    return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
}

std::string cub_version()
{
    cudaDeviceProp properties;
    require(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    return std::to_string(CUB_VERSION / 100000) + "." + std::to_string(CUB_VERSION / 100 % 1000) + "." +
           std::to_string(CUB_VERSION % 100) + ", CUDA " + std::to_string(CUDART_VERSION / 1000) + "." +
           std::to_string(CUDART_VERSION % 1000 / 10) + ", " + properties.name;
}

void cub_set_input(const void *host, std::size_t bytes)
{
    input().reset();
    input() = std::make_unique<DeviceMemory>(bytes);
    require(cudaMemcpy(input()->get(), host, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

std::unique_ptr<DeviceReduce> cub_reduce(clprim_type type, clprim_op op, std::size_t n, bool wide)
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

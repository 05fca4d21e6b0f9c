// inputs.cpp: the data that every row works on.
#include "harness.hpp"

#include <algorithm>
#include <cstdint>
#include <thread>

namespace bench {
namespace {

// The i-th number of the SplitMix64 generator with seed 0.
std::uint64_t splitmix64(std::size_t i)
{
    std::uint64_t x = (static_cast<std::uint64_t>(i) + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

// value(0), value(1), ...; each thread fills a range of its own.
template <class T, class Value> void fill(unsigned char *memory, std::size_t count, Value value)
{
    T *out = reinterpret_cast<T *>(memory);
    const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t share = count / threads + 1;
    std::vector<std::thread> pool;
    for (std::size_t begin = 0; begin < count; begin += share)
        pool.emplace_back([=] {
            for (std::size_t i = begin; i < std::min(count, begin + share); i++)
                out[i] = value(i);
        });
    for (std::thread &thread : pool)
        thread.join();
}

void fill_random(unsigned char *memory, clprim_type type, std::size_t n)
{
    if (type == CLPRIM_F32)
        fill<float>(memory, n, [](std::size_t i) {
            return static_cast<float>(splitmix64(i) >> 40) * (1.0F / 16777216.0F) - 0.5F;
        });
    else if (type == CLPRIM_F64)
        fill<double>(memory, n, [](std::size_t i) {
            return static_cast<double>(splitmix64(i) >> 11) * (1.0 / 9007199254740992.0) - 0.5;
        });
    else
        fill<std::uint64_t>(memory, (n * clprim_type_size(type) + 7) / 8, splitmix64);
}

// Bytes that are independent of the values: of numbers further on in the generator.
void fill_flags(unsigned char *memory, std::size_t n)
{
    fill<std::uint64_t>(memory, (n + 7) / 8, [](std::size_t i) {
        return splitmix64(i + (std::size_t{1} << 40)) & UINT64_C(0x0101010101010101);
    });
}

void fill_keys(unsigned char *memory, std::size_t n)
{
    auto *out = reinterpret_cast<std::int32_t *>(memory);
    std::int32_t key = 0;
    for (std::size_t i = 0; i < n; i++) {
        if (splitmix64(i + (std::size_t{1} << 41)) < UINT64_MAX / 100)
            key++;
        out[i] = key;
    }
}

} // namespace

const void *Inputs::host(clprim_type type, std::size_t n)
{
    if (type != type_ || n > capacity_) {
        device_.reset();
        host_.reset();
        host_.reset(new unsigned char[(n * clprim_type_size(type) + 7) / 8 * 8]);
        if (content_ == Content::flags)
            fill_flags(host_.get(), n);
        else if (content_ == Content::keys)
            fill_keys(host_.get(), n);
        else
            fill_random(host_.get(), type, n);
        type_ = type;
        capacity_ = n;
        generation_++;
    }
    return host_.get();
}

cl_mem Inputs::device(clprim_type type, std::size_t n)
{
    const void *contents = host(type, n);
    if (device_ == nullptr) {
        cl_int code = CL_SUCCESS;
        const std::size_t bytes = capacity_ * clprim_type_size(type);
        device_.reset(clCreateBuffer(clprim_runtime_context(runtime_), CL_MEM_READ_ONLY, bytes, nullptr, &code));
        require_cl(code, "clCreateBuffer for the input");
        require_cl(clEnqueueWriteBuffer(clprim_runtime_queue(runtime_), device_.get(), CL_TRUE, 0, bytes, contents, 0,
                                        nullptr, nullptr),
                   "clEnqueueWriteBuffer");
    }
    return device_.get();
}

} // namespace bench

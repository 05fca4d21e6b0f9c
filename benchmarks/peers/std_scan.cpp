// std_scan.cpp: scans on the host: a plain loop, and the C++ standard library's, sequential and parallel.
#include "numbers.hpp"
#include "scan_peers.hpp"

#include <numeric>

#if CLPRIM_BENCH_HAVE_TBB
#include <execution>
#endif

namespace peers {
namespace {

// T: of the elements, A: of the sums.
template <class T, class A> void c_exclusive(void *out, const void *in, const std::int32_t *, std::size_t n)
{
    const T *x = static_cast<const T *>(in);
    A *y = static_cast<A *>(out);
    A sum = 0;
    for (std::size_t i = 0; i < n; i++) {
        y[i] = sum;
        sum = Plus<A>()(sum, x[i]);
    }
}

template <class T, class A> void c_inclusive(void *out, const void *in, const std::int32_t *, std::size_t n)
{
    const T *x = static_cast<const T *>(in);
    A *y = static_cast<A *>(out);
    A sum = 0;
    for (std::size_t i = 0; i < n; i++)
        y[i] = sum = Plus<A>()(sum, x[i]);
}

void c_max(void *out, const void *in, const std::int32_t *, std::size_t n)
{
    const float *x = static_cast<const float *>(in);
    float *y = static_cast<float *>(out);
    float most = x[0];
    for (std::size_t i = 0; i < n; i++)
        y[i] = most = Max<float>()(most, x[i]);
}

void c_sum_by_key(void *out, const void *in, const std::int32_t *keys, std::size_t n)
{
    const std::int32_t *x = static_cast<const std::int32_t *>(in);
    std::int32_t *y = static_cast<std::int32_t *>(out);
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < n; i++)
        y[i] = sum = i > 0 && keys[i] == keys[i - 1] ? Plus<std::int32_t>()(sum, x[i]) : x[i];
}

template <class T, class A> void std_exclusive(void *out, const void *in, const std::int32_t *, std::size_t n)
{
    const T *x = static_cast<const T *>(in);
    std::exclusive_scan(x, x + n, static_cast<A *>(out), A(0), Plus<A>());
}

template <class T, class A> void std_inclusive(void *out, const void *in, const std::int32_t *, std::size_t n)
{
    const T *x = static_cast<const T *>(in);
    std::inclusive_scan(x, x + n, static_cast<A *>(out), Plus<A>(), A(0));
}

void std_max(void *out, const void *in, const std::int32_t *, std::size_t n)
{
    const float *x = static_cast<const float *>(in);
    std::inclusive_scan(x, x + n, static_cast<float *>(out), Max<float>());
}

#if CLPRIM_BENCH_HAVE_TBB
template <class T, class A> void std_par_exclusive(void *out, const void *in, const std::int32_t *, std::size_t n)
{
    const T *x = static_cast<const T *>(in);
    std::exclusive_scan(std::execution::par_unseq, x, x + n, static_cast<A *>(out), A(0), Plus<A>());
}

template <class T, class A> void std_par_inclusive(void *out, const void *in, const std::int32_t *, std::size_t n)
{
    const T *x = static_cast<const T *>(in);
    std::inclusive_scan(std::execution::par_unseq, x, x + n, static_cast<A *>(out), Plus<A>(), A(0));
}

void std_par_max(void *out, const void *in, const std::int32_t *, std::size_t n)
{
    const float *x = static_cast<const float *>(in);
    std::inclusive_scan(std::execution::par_unseq, x, x + n, static_cast<float *>(out), Max<float>(), x[0]);
}
#endif

#define SUM_CASES(function)                                                                                            \
    switch (type) {                                                                                                    \
    case CLPRIM_I32: return function<std::int32_t, std::int32_t>;                                                      \
    case CLPRIM_I64: return function<std::int64_t, std::int64_t>;                                                      \
    case CLPRIM_U8: return function<std::uint8_t, std::uint32_t>;                                                      \
    case CLPRIM_F32: return function<float, float>;                                                                    \
    case CLPRIM_F64: return function<double, double>;                                                                  \
    default: return nullptr;                                                                                           \
    }

} // namespace

HostScan c_scan(Scan scan, clprim_type type)
{
    if (scan == Scan::inclusive_max)
        return type == CLPRIM_F32 ? c_max : nullptr;
    if (scan == Scan::sum_by_key)
        return type == CLPRIM_I32 ? c_sum_by_key : nullptr;
    if (scan == Scan::inclusive_sum)
        SUM_CASES(c_inclusive)
    SUM_CASES(c_exclusive)
}

HostScan std_scan(Scan scan, clprim_type type)
{
    if (scan == Scan::inclusive_max)
        return type == CLPRIM_F32 ? std_max : nullptr;
    if (scan == Scan::sum_by_key)
        return nullptr;
    if (scan == Scan::inclusive_sum)
        SUM_CASES(std_inclusive)
    SUM_CASES(std_exclusive)
}

HostScan std_par_scan(Scan scan, clprim_type type)
{
#if CLPRIM_BENCH_HAVE_TBB
    if (scan == Scan::inclusive_max)
        return type == CLPRIM_F32 ? std_par_max : nullptr;
    if (scan == Scan::sum_by_key)
        return nullptr;
    if (scan == Scan::inclusive_sum)
        SUM_CASES(std_par_inclusive)
    SUM_CASES(std_par_exclusive)
#else
    (void)scan;
    (void)type;
    return nullptr;
#endif
}

void c_scan_by_offsets(void *out, const void *in, const Segments &segments)
{
    const auto *const x = static_cast<const std::uint32_t *>(in); // which wraps
    auto *const sums = static_cast<std::uint32_t *>(out);
    for (std::size_t s = 0; s < segments.count; s++) {
        std::uint32_t sum = 0;
        for (std::size_t i = segments.offsets[s]; i < segments.offsets[s + 1]; i++)
            sums[i] = sum += x[i];
    }
}

} // namespace peers

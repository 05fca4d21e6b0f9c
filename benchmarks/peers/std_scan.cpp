// SPDX-License-Identifier: MIT
// std_scan.cpp: scans on the host: a plain loop, and the C++ standard library's, sequential and parallel.
#include "host.hpp"
#include "scan_peers.hpp"

#include <numeric>

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

template <class T, class A, class... Policy>
void std_exclusive(void *out, const void *in, const std::int32_t *, std::size_t n)
{
    const T *x = static_cast<const T *>(in);
    std::exclusive_scan(POLICY<Policy>..., x, x + n, static_cast<A *>(out), A(0), Plus<A>());
}

template <class T, class A, class... Policy>
void std_inclusive(void *out, const void *in, const std::int32_t *, std::size_t n)
{
    const T *x = static_cast<const T *>(in);
    std::inclusive_scan(POLICY<Policy>..., x, x + n, static_cast<A *>(out), Plus<A>(), A(0));
}

template <class... Policy> void std_max(void *out, const void *in, const std::int32_t *, std::size_t n)
{
    const float *x = static_cast<const float *>(in);
    float *y = static_cast<float *>(out);
    if constexpr (sizeof...(Policy) == 0)
        std::inclusive_scan(x, x + n, y, Max<float>());
    else
        std::inclusive_scan(POLICY<Policy>..., x, x + n, y, Max<float>(), x[0]);
}

// sum(T(), A()) is the scan of elements of T by sums of A.
template <class Sum> HostScan of_sums(clprim_type type, const Sum &sum)
{
    if (type == CLPRIM_U8)
        return sum(std::uint8_t(), std::uint32_t());
    return for_type<std::int32_t, std::int64_t, float, double>(type, [&](auto zero) { return sum(zero, zero); });
}

template <class... Policy> HostScan pick_std(Scan scan, clprim_type type, Policy...)
{
    if (scan == Scan::inclusive_max)
        return type == CLPRIM_F32 ? std_max<Policy...> : nullptr;
    if (scan == Scan::sum_by_key)
        return nullptr;
    return of_sums(type, [=](auto x, auto sum) -> HostScan {
        return scan == Scan::inclusive_sum ? std_inclusive<decltype(x), decltype(sum), Policy...>
                                           : std_exclusive<decltype(x), decltype(sum), Policy...>;
    });
}

} // namespace

HostScan c_scan(Scan scan, clprim_type type)
{
    if (scan == Scan::inclusive_max)
        return type == CLPRIM_F32 ? c_max : nullptr;
    if (scan == Scan::sum_by_key)
        return type == CLPRIM_I32 ? c_sum_by_key : nullptr;
    return of_sums(type, [=](auto x, auto sum) -> HostScan {
        return scan == Scan::inclusive_sum ? c_inclusive<decltype(x), decltype(sum)>
                                           : c_exclusive<decltype(x), decltype(sum)>;
    });
}

HostScan std_scan(Scan scan, clprim_type type)
{
    return pick_std(scan, type);
}

HostScan std_par_scan(Scan scan, clprim_type type)
{
    return in_parallel<HostScan>([=](auto policy) { return pick_std(scan, type, policy); });
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

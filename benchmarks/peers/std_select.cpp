// std_select.cpp: selections on the host: a plain loop, and the C++ standard library's, sequential and parallel.
#include "select_peers.hpp"

#include <algorithm>
#include <iterator>

#if CLPRIM_BENCH_HAVE_TBB
#include <execution>
#endif

namespace peers {
namespace {

template <class T> std::size_t c_below(void *out, const void *in, const std::uint8_t *, std::size_t n, double limit)
{
    const T *x = static_cast<const T *>(in);
    T *y = static_cast<T *>(out);
    const T bound = static_cast<T>(limit);
    std::size_t count = 0;
    for (std::size_t i = 0; i < n; i++)
        if (x[i] < bound)
            y[count++] = x[i];
    return count;
}

std::size_t c_flagged(void *out, const void *in, const std::uint8_t *flags, std::size_t n, double)
{
    const std::int32_t *x = static_cast<const std::int32_t *>(in);
    std::int32_t *y = static_cast<std::int32_t *>(out);
    std::size_t count = 0;
    for (std::size_t i = 0; i < n; i++)
        if (flags[i] != 0)
            y[count++] = x[i];
    return count;
}

std::size_t c_partition(void *out, const void *in, const std::uint8_t *, std::size_t n, double limit)
{
    const std::int32_t *x = static_cast<const std::int32_t *>(in);
    std::int32_t *y = static_cast<std::int32_t *>(out);
    const std::int32_t bound = static_cast<std::int32_t>(limit);
    std::size_t count = 0;
    std::size_t others = n;
    for (std::size_t i = 0; i < n; i++)
        if (x[i] < bound)
            y[count++] = x[i];
        else
            y[--others] = x[i];
    return count;
}

std::size_t c_stable_partition(void *out, const void *in, const std::uint8_t *flags, std::size_t n, double limit)
{
    const std::int32_t *x = static_cast<const std::int32_t *>(in);
    std::int32_t *y = static_cast<std::int32_t *>(out);
    const std::int32_t bound = static_cast<std::int32_t>(limit);
    const std::size_t count = c_below<std::int32_t>(out, in, flags, n, limit);
    std::size_t end = count;
    for (std::size_t i = 0; i < n; i++)
        if (!(x[i] < bound))
            y[end++] = x[i];
    return count;
}

// Policy: nothing, or an execution policy.
template <class T, class... Policy>
std::size_t copy_below(void *out, const void *in, std::size_t n, double limit, Policy &&...policy)
{
    const T *x = static_cast<const T *>(in);
    T *y = static_cast<T *>(out);
    const T bound = static_cast<T>(limit);
    const T *end = std::copy_if(policy..., x, x + n, y, [bound](T value) { return value < bound; });
    return static_cast<std::size_t>(end - y);
}

template <class... Policy>
std::size_t copy_both(void *out, const void *in, std::size_t n, double limit, Policy &&...policy)
{
    const std::int32_t *x = static_cast<const std::int32_t *>(in);
    std::int32_t *y = static_cast<std::int32_t *>(out);
    const std::int32_t bound = static_cast<std::int32_t>(limit);
    const auto ends = std::partition_copy(policy..., x, x + n, y, std::make_reverse_iterator(y + n),
                                          [bound](std::int32_t value) { return value < bound; });
    return static_cast<std::size_t>(ends.first - y);
}

template <class T> std::size_t std_below(void *out, const void *in, const std::uint8_t *, std::size_t n, double limit)
{
    return copy_below<T>(out, in, n, limit);
}

std::size_t std_partition(void *out, const void *in, const std::uint8_t *, std::size_t n, double limit)
{
    return copy_both(out, in, n, limit);
}

// std::stable_partition works in place, on a copy.
template <class... Policy>
std::size_t copy_and_partition(void *out, const void *in, std::size_t n, double limit, Policy &&...policy)
{
    std::int32_t *y = static_cast<std::int32_t *>(out);
    const std::int32_t bound = static_cast<std::int32_t>(limit);
    std::copy_n(policy..., static_cast<const std::int32_t *>(in), n, y);
    return static_cast<std::size_t>(
        std::stable_partition(policy..., y, y + n, [bound](std::int32_t value) { return value < bound; }) - y);
}

std::size_t std_stable_partition(void *out, const void *in, const std::uint8_t *, std::size_t n, double limit)
{
    return copy_and_partition(out, in, n, limit);
}

#if CLPRIM_BENCH_HAVE_TBB
template <class T>
std::size_t std_par_below(void *out, const void *in, const std::uint8_t *, std::size_t n, double limit)
{
    return copy_below<T>(out, in, n, limit, std::execution::par_unseq);
}

std::size_t std_par_partition(void *out, const void *in, const std::uint8_t *, std::size_t n, double limit)
{
    return copy_both(out, in, n, limit, std::execution::par_unseq);
}

std::size_t std_par_stable_partition(void *out, const void *in, const std::uint8_t *, std::size_t n, double limit)
{
    return copy_and_partition(out, in, n, limit, std::execution::par_unseq);
}
#endif

HostSelect pick(Select select, clprim_type type, HostSelect below_i32, HostSelect below_f32, HostSelect flagged,
                HostSelect partition, HostSelect stable_partition)
{
    if (select == Select::below && type == CLPRIM_F32)
        return below_f32;
    if (type != CLPRIM_I32)
        return nullptr;
    switch (select) {
    case Select::below: return below_i32;
    case Select::flagged: return flagged;
    case Select::partition: return partition;
    default: return stable_partition;
    }
}

} // namespace

HostSelect c_select(Select select, clprim_type type)
{
    return pick(select, type, c_below<std::int32_t>, c_below<float>, c_flagged, c_partition, c_stable_partition);
}

HostSelect std_select(Select select, clprim_type type)
{
    return pick(select, type, std_below<std::int32_t>, std_below<float>, nullptr, std_partition, std_stable_partition);
}

HostSelect std_par_select(Select select, clprim_type type)
{
#if CLPRIM_BENCH_HAVE_TBB
    return pick(select, type, std_par_below<std::int32_t>, std_par_below<float>, nullptr, std_par_partition,
                std_par_stable_partition);
#else
    return pick(select, type, nullptr, nullptr, nullptr, nullptr, nullptr);
#endif
}

} // namespace peers

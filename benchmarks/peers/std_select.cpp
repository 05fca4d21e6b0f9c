// std_select.cpp: selections on the host: a plain loop, and the C++ standard library's, sequential and parallel.
#include "select_peers.hpp"

#include <algorithm>

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

template <class T> std::size_t std_below(void *out, const void *in, const std::uint8_t *, std::size_t n, double limit)
{
    return copy_below<T>(out, in, n, limit);
}

#if CLPRIM_BENCH_HAVE_TBB
template <class T>
std::size_t std_par_below(void *out, const void *in, const std::uint8_t *, std::size_t n, double limit)
{
    return copy_below<T>(out, in, n, limit, std::execution::par_unseq);
}
#endif

HostSelect pick(Select select, clprim_type type, HostSelect below_i32, HostSelect below_f32, HostSelect flagged)
{
    if (select == Select::below && type == CLPRIM_F32)
        return below_f32;
    if (type != CLPRIM_I32)
        return nullptr;
    return select == Select::below ? below_i32 : flagged;
}

} // namespace

HostSelect c_select(Select select, clprim_type type)
{
    return pick(select, type, c_below<std::int32_t>, c_below<float>, c_flagged);
}

HostSelect std_select(Select select, clprim_type type)
{
    return pick(select, type, std_below<std::int32_t>, std_below<float>, nullptr);
}

HostSelect std_par_select(Select select, clprim_type type)
{
#if CLPRIM_BENCH_HAVE_TBB
    return pick(select, type, std_par_below<std::int32_t>, std_par_below<float>, nullptr);
#else
    return pick(select, type, nullptr, nullptr, nullptr);
#endif
}

} // namespace peers

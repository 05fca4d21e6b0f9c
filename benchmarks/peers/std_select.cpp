// SPDX-License-Identifier: MIT
// std_select.cpp: selections on the host: a plain loop, and the C++ standard library's, sequential and parallel.
#include "host.hpp"
#include "select_peers.hpp"

#include <algorithm>

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

template <class T, class... Policy>
std::size_t copy_below(void *out, const void *in, const std::uint8_t *, std::size_t n, double limit)
{
    const T *x = static_cast<const T *>(in);
    T *y = static_cast<T *>(out);
    const T bound = static_cast<T>(limit);
    const T *end = std::copy_if(POLICY<Policy>..., x, x + n, y, [bound](T value) { return value < bound; });
    return static_cast<std::size_t>(end - y);
}

template <class... Policy> HostSelect pick_std(Select select, clprim_type type, Policy...)
{
    if (select != Select::below)
        return nullptr;
    return for_type<std::int32_t, float>(type,
                                         [](auto zero) -> HostSelect { return copy_below<decltype(zero), Policy...>; });
}

} // namespace

HostSelect c_select(Select select, clprim_type type)
{
    if (select != Select::below)
        return type == CLPRIM_I32 ? c_flagged : nullptr;
    return for_type<std::int32_t, float>(type, [](auto zero) -> HostSelect { return c_below<decltype(zero)>; });
}

HostSelect std_select(Select select, clprim_type type)
{
    return pick_std(select, type);
}

HostSelect std_par_select(Select select, clprim_type type)
{
    return in_parallel<HostSelect>([=](auto policy) { return pick_std(select, type, policy); });
}

} // namespace peers

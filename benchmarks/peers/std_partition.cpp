// SPDX-License-Identifier: MIT
// std_partition.cpp: partitions on the host: a plain loop, and the C++ standard library's, sequential and parallel.
#include "host.hpp"
#include "partition_peers.hpp"

#include <algorithm>
#include <iterator>

namespace peers {
namespace {

using Element = std::int32_t;

// What `is_first` selects, to `y`; the others to `others`, in steps of `step`.
template <class IsFirst>
std::size_t divide(Element *y, Element *others, std::ptrdiff_t step, const Element *x, std::size_t n, IsFirst is_first)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < n; i++)
        if (is_first(i)) {
            y[count++] = x[i];
        } else {
            *others = x[i];
            others += step;
        }
    return count;
}

std::size_t c_reversed(void *out, const void *in, const std::uint8_t *, std::size_t n, PartitionLimits limits)
{
    const auto *x = static_cast<const Element *>(in);
    auto *y = static_cast<Element *>(out);
    return divide(y, y + n - 1, -1, x, n, [=](std::size_t i) { return x[i] < limits.first; });
}

std::size_t c_flagged(void *out, const void *in, const std::uint8_t *flags, std::size_t n, PartitionLimits)
{
    auto *y = static_cast<Element *>(out);
    return divide(y, y + n - 1, -1, static_cast<const Element *>(in), n, [=](std::size_t i) { return flags[i] != 0; });
}

std::size_t c_separate(void *out, const void *in, const std::uint8_t *, std::size_t n, PartitionLimits limits)
{
    const auto *x = static_cast<const Element *>(in);
    auto *y = static_cast<Element *>(out);
    return divide(y, y + n, 1, x, n, [=](std::size_t i) { return x[i] < limits.first; });
}

std::size_t c_stable(void *out, const void *in, const std::uint8_t *, std::size_t n, PartitionLimits limits)
{
    const auto *x = static_cast<const Element *>(in);
    auto *y = static_cast<Element *>(out);
    std::size_t count = 0;
    for (std::size_t i = 0; i < n; i++)
        count += x[i] < limits.first;
    return divide(y, y + count, 1, x, n, [=](std::size_t i) { return x[i] < limits.first; });
}

std::size_t c_three(void *out, const void *in, const std::uint8_t *, std::size_t n, PartitionLimits limits)
{
    const auto *x = static_cast<const Element *>(in);
    auto *first = static_cast<Element *>(out);
    auto *second = first + n;
    auto *rest = second + n;
    for (std::size_t i = 0; i < n; i++)
        *(x[i] < limits.first ? first : x[i] < limits.second ? second : rest)++ = x[i];
    return static_cast<std::size_t>(first - static_cast<Element *>(out));
}

template <class... Policy>
std::size_t copy_reversed(void *out, const void *in, const std::uint8_t *, std::size_t n, PartitionLimits limits)
{
    const auto *x = static_cast<const Element *>(in);
    auto *y = static_cast<Element *>(out);
    const auto ends = std::partition_copy(POLICY<Policy>..., x, x + n, y, std::make_reverse_iterator(y + n),
                                          [=](Element value) { return value < limits.first; });
    return static_cast<std::size_t>(ends.first - y);
}

template <class... Policy>
std::size_t copy_separate(void *out, const void *in, const std::uint8_t *, std::size_t n, PartitionLimits limits)
{
    const auto *x = static_cast<const Element *>(in);
    auto *y = static_cast<Element *>(out);
    const auto ends =
        std::partition_copy(POLICY<Policy>..., x, x + n, y, y + n, [=](Element value) { return value < limits.first; });
    return static_cast<std::size_t>(ends.first - y);
}

// std::stable_partition works in place, on a copy.
template <class... Policy>
std::size_t copy_stable(void *out, const void *in, const std::uint8_t *, std::size_t n, PartitionLimits limits)
{
    auto *y = static_cast<Element *>(out);
    std::copy_n(POLICY<Policy>..., static_cast<const Element *>(in), n, y);
    return static_cast<std::size_t>(
        std::stable_partition(POLICY<Policy>..., y, y + n, [=](Element value) { return value < limits.first; }) - y);
}

template <class... Policy> HostPartition pick_std(Partition partition, Policy...)
{
    switch (partition) {
    case Partition::reversed: return copy_reversed<Policy...>;
    case Partition::stable: return copy_stable<Policy...>;
    case Partition::separate: return copy_separate<Policy...>;
    default: return nullptr;
    }
}

} // namespace

HostPartition c_partition(Partition partition)
{
    switch (partition) {
    case Partition::reversed: return c_reversed;
    case Partition::flagged: return c_flagged;
    case Partition::stable: return c_stable;
    case Partition::separate: return c_separate;
    default: return c_three;
    }
}

HostPartition std_partition(Partition partition)
{
    return pick_std(partition);
}

HostPartition std_par_partition(Partition partition)
{
    return in_parallel<HostPartition>([=](auto policy) { return pick_std(partition, policy); });
}

} // namespace peers

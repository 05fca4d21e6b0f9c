// SPDX-License-Identifier: MIT
// vqsort.hpp: Highway's vectorised quicksort, on one core of the host.
#ifndef CLPRIM_BENCHMARKS_VQSORT_HPP
#define CLPRIM_BENCHMARKS_VQSORT_HPP

#include <clprim/types.h>

#include <cstddef>

namespace peers {

// Sorts keys upwards where they lie: numbers of 16 to 64 bits, floats without NaN. nullptr: not for this type, or there is
// no Highway.
using HostSort = void (*)(void *keys, std::size_t n);

HostSort vqsort(clprim_type type);

} // namespace peers

#endif

// SPDX-License-Identifier: MIT
/* kernel.h: what kernels and functions begin with.
 *
 *     __kernel GROUP_OF(GROUP_SIZE) void NAME(...)   for groups of that size, which the compiler then knows
 *     __kernel LIMITED_GROUP_OF(GROUP_SIZE) void NAME(...)
 *                                                    the same, unless the host limits the registers (MAX_REGISTERS):
 *                                                    the compiler obeys only one of the two
 *     ALWAYS_INLINE void NAME(...)                   for functions with barriers, which not all compilers allow in
 *                                                    functions that are not inlined, or if a call costs too much */
#ifndef KERNEL_H
#define KERNEL_H

#define GROUP_OF(size) __attribute__((reqd_work_group_size(size, 1, 1)))
#ifdef MAX_REGISTERS
#define LIMITED_GROUP_OF(size)
#else
#define LIMITED_GROUP_OF(size) GROUP_OF(size)
#endif
#define ALWAYS_INLINE static inline __attribute__((always_inline))

#endif

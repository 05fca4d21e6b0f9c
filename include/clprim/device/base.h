// SPDX-License-Identifier: MIT
/* clprim/device/base.h: what the other headers of this folder have in common. OpenCL C 1.2.
 *
 * The headers' macros define types and functions, whose names begin with a name that the program chooses:
 *
 *     CLPRIM_WORK_GROUP_SCAN(sums, uint, a + b, 0, 256)      sums_memory, sums_exclusive, sums_inclusive, ...
 *
 * Each name can be used once. The arguments of such a macro are
 *
 *     NAME         the beginning of all names that it defines
 *     TYPE         the type of the values: a scalar, a vector or a struct, of any size
 *     EXPRESSION   an associative operator: the value of `a` and `b`, of which `a` comes first. It need not commute. Written
 *                  as `a + b`, sums of int and uint take fewer instructions on NVIDIA's GPUs
 *     IDENTITY     what the first work-item gets from an exclusive scan. It is never an operand of EXPRESSION
 *     SIZE         the number of work-items in a group, a constant
 *     ITEMS        the number of values of each work-item, a constant
 *
 * A comma must stand in parentheses: ((pair){a.x + b.x, a.y + b.y}). Names that begin with clprim__ or NAME_inner_ are
 * internal.
 *
 * An expression may need more than its operands, such as a parameter of the kernel. Two macros, which a program defines in
 * front of the headers (or after them, with #undef), say what all functions that macros define have in front of their
 * own parameters, and hand on to each other:
 *
 *     #define CLPRIM_PARAMETERS uint modulus,
 *     #define CLPRIM_PASSED     modulus,
 *     CLPRIM_WORK_GROUP_SCAN(products, uint, a * b % modulus, 1, 256)
 *     ...
 *     x = products_inclusive(modulus, x, &total, &memory);
 *
 * Groups have one dimension, and all their work-items call each function, in uniform control flow. */
#ifndef CLPRIM_DEVICE_BASE_H
#define CLPRIM_DEVICE_BASE_H

/* Always, because not all compilers allow barriers in functions that are called. */
#define CLPRIM__INLINE static inline __attribute__((always_inline))

#ifndef CLPRIM_PARAMETERS
#define CLPRIM_PARAMETERS
#define CLPRIM_PASSED
#endif

/* In front of loops over a work-item's values, or over the words of a value. GPUs cannot index registers: in a loop that
 * is not unrolled, an array of values would be in the device's memory. OpenCL C has _Pragma from C99; for a compiler
 * without it, define this as nothing. */
#ifndef CLPRIM__UNROLL
#define CLPRIM__UNROLL _Pragma("unroll")
#endif

/* The size of an array. If the condition is false, the program does not compile. */
#define CLPRIM__IF(CONDITION, SIZE) ((CONDITION) ? (int)(SIZE) : -1)

#define CLPRIM__DEFINE_COMBINE(NAME, TYPE, EXPRESSION)                                                                 \
    CLPRIM__INLINE TYPE NAME##_combine(CLPRIM_PARAMETERS TYPE a, TYPE b)                                               \
    {                                                                                                                  \
        return (EXPRESSION);                                                                                           \
    }

#endif

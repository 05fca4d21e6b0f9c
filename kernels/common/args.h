// SPDX-License-Identifier: MIT
/* args.h: the arguments of kernels, declared once for the host and for the kernels. Each operation has a file of lists:
 *
 *     #define FIND_NUMBERS(LONG, INT)        the numbers of all its kernels: up to 16 ulongs and 8 uints
 *         LONG(s0, n)
 *         INT(s0, epoch)
 *     #define FIND_LOOK(BUFFER)              the buffers of a kernel
 *         BUFFER(const __global ELEMENT, in)
 *     KERNEL_ARGS(find_args, FIND_NUMBERS, FIND_LOOK)       all numbers, and all buffers of all kernels
 *     KERNEL_LAUNCH(find_args, clprim__launch_find_look, FIND_LOOK)
 *
 * A kernel takes its buffers as pointers, followed by all numbers, which it has as `args`:
 *
 *     __kernel GROUP_OF(GROUP_SIZE) void find_tree(ARGS_OF(FIND_LOOK))
 *     {
 *         const find_args args = ARGS(FIND_NUMBERS);
 *
 * The numbers are passed as parts of two vectors; the list says which part each number is. Each parameter of a kernel
 * makes its launches take longer, and members of a structure that is passed by value would stay in registers
 * (docs/design.md).
 *
 * The host fills a structure of the same name, of `buffers` and `numbers`, once per call, and launches each kernel with
 * the function of its list. It must include launch.h before. A list may contain another one.
 * Arguments whose types only a program knows are not in lists, but in PARAMETERS (lib/runtime/program/parameters.h). */
#ifndef ARGS_H
#define ARGS_H

#include "common/kernel.h"

#ifdef __OPENCL_VERSION__

#define ARGS_POINTER(type, name)      type *name,
#define ARGS_OF(LIST)                 LIST(ARGS_POINTER) const ulong16 clprim__longs, const uint8 clprim__ints
#define ARGS_LONG_MEMBER(place, name) ulong name;
#define ARGS_INT_MEMBER(place, name)  uint name;
#define ARGS_LONG(place, name)        clprim__longs.place,
#define ARGS_INT(place, name)         clprim__ints.place,
#define ARGS(NUMBERS)                                                                                                  \
    {                                                                                                                  \
        NUMBERS(ARGS_LONG, ARGS_INT)                                                                                   \
    }
#define KERNEL_ARGS(structure, NUMBERS, ALL_BUFFERS)                                                                   \
    typedef struct {                                                                                                   \
        NUMBERS(ARGS_LONG_MEMBER, ARGS_INT_MEMBER)                                                                     \
    } structure;
#define KERNEL_LAUNCH(structure, function, LIST)

#else

#define ARGS_MOST                     256
#define ARGS_BUFFER(type, name)       cl_mem name;
#define ARGS_LONG_MEMBER(place, name) cl_ulong name;
#define ARGS_INT_MEMBER(place, name)  cl_uint name;
#define ARGS_NO_NUMBER(place, name)
#define ARGS_ADD_BUFFER(type, name)  clprim__add_present(&list, args->buffers.name);
#define ARGS_PUT_LONG(place, name)   out->longs[ARGS_PLACE_##place] = args->numbers.name;
#define ARGS_PUT_INT(place, name)    out->ints[ARGS_PLACE_##place] = args->numbers.name;
#define ARGS_OR_PLACE(place, name)   | 1u << ARGS_PLACE_##place
#define ARGS_PLUS_PLACE(place, name) +(1u << ARGS_PLACE_##place)

/* Parts of a vector. */
enum {
    ARGS_PLACE_s0,
    ARGS_PLACE_s1,
    ARGS_PLACE_s2,
    ARGS_PLACE_s3,
    ARGS_PLACE_s4,
    ARGS_PLACE_s5,
    ARGS_PLACE_s6,
    ARGS_PLACE_s7,
    ARGS_PLACE_s8,
    ARGS_PLACE_s9,
    ARGS_PLACE_sa,
    ARGS_PLACE_sb,
    ARGS_PLACE_sc,
    ARGS_PLACE_sd,
    ARGS_PLACE_se,
    ARGS_PLACE_sf
};

#define KERNEL_ARGS(structure, NUMBERS, ALL_BUFFERS)                                                                   \
    typedef struct {                                                                                                   \
        struct {                                                                                                       \
            ALL_BUFFERS(ARGS_BUFFER)                                                                                   \
        } buffers;                                                                                                     \
        struct {                                                                                                       \
            NUMBERS(ARGS_LONG_MEMBER, ARGS_INT_MEMBER)                                                                 \
        } numbers;                                                                                                     \
    } structure;                                                                                                       \
    _Static_assert(sizeof(((structure *)NULL)->buffers) + sizeof(clprim__vectors) <= ARGS_MOST,                        \
                   "more than embedded devices promise for a kernel's arguments");                                     \
    _Static_assert((0u NUMBERS(ARGS_OR_PLACE, ARGS_NO_NUMBER)) == (0u NUMBERS(ARGS_PLUS_PLACE, ARGS_NO_NUMBER)) &&     \
                       (0u NUMBERS(ARGS_NO_NUMBER, ARGS_OR_PLACE)) == (0u NUMBERS(ARGS_NO_NUMBER, ARGS_PLUS_PLACE)),   \
                   "two numbers are the same part of a vector");                                                       \
    static inline void clprim__put_##structure(clprim__vectors *out, const structure *args)                            \
    {                                                                                                                  \
        NUMBERS(ARGS_PUT_LONG, ARGS_PUT_INT)                                                                           \
    }
#define KERNEL_LAUNCH(structure, function, LIST)                                                                       \
    static inline clprim_status function(clprim__chain *chain, clprim__kernel *kernel, const structure *args,          \
                                         size_t groups, bool is_last)                                                  \
    {                                                                                                                  \
        clprim__vectors numbers = {{0}, {0}};                                                                          \
        CLPRIM__ARGUMENTS(list);                                                                                       \
        LIST(ARGS_ADD_BUFFER)                                                                                          \
        clprim__put_##structure(&numbers, args);                                                                       \
        clprim__add_vectors(&list, &numbers);                                                                          \
        return clprim__launch(chain, kernel, &list, groups, is_last);                                                  \
    }

#endif
#endif

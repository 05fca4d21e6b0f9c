/* args.h: the arguments of kernels, declared once for the host and for the kernels. Each operation has a file of lists:
 *
 *     #define FIND_NUMBERS(NUMBER, LAST)     the numbers of all its kernels
 *         NUMBER(ulong, n)
 *         LAST(uint, epoch)
 *     #define FIND_LOOK(BUFFER)              the buffers of a kernel
 *         BUFFER(const __global ELEMENT, in)
 *     KERNEL_ARGS(find_args, FIND_NUMBERS, FIND_LOOK)       all numbers, and all buffers of all kernels
 *     KERNEL_LAUNCH(find_args, clprim__launch_find_look, FIND_LOOK)
 *
 * A kernel takes its buffers as pointers, and behind them all numbers, which it has as `args`:
 *
 *     __kernel GROUP_OF(GROUP_SIZE) void find_tree(ARGS_OF(FIND_LOOK, FIND_NUMBERS))
 *     {
 *         const find_args args = ARGS(FIND_NUMBERS);
 *
 * They are not one parameter, a structure: NVIDIA's compiler takes what is read of it for values that it must keep in
 * registers, where it reads other parameters again, and so select_look_back took 88 registers instead of 64
 * (docs/notebook/calls.md).
 *
 * The host fills a structure of the same name, of `buffers` and `numbers`, once for a call, and launches each kernel by
 * the function that its list has. It includes launch.h before. A list may stand in another one.
 * What only a program knows the type of is in no list, but in PARAMETERS (lib/runtime/program/parameters.h). */
#ifndef ARGS_H
#define ARGS_H

#include "common/kernel.h"

#ifdef __OPENCL_VERSION__

/* Names that are glued together begin with clprim__, since lib/runtime/program/names.h cannot see them. */
#define ARGS_NAME(name)            clprim__arg_##name
#define ARGS_POINTER(type, name)   type *name,
#define ARGS_PARAMETER(type, name) const type ARGS_NAME(name),
#define ARGS_LAST(type, name)      const type ARGS_NAME(name)
#define ARGS_OF(LIST, NUMBERS)     LIST(ARGS_POINTER) NUMBERS(ARGS_PARAMETER, ARGS_LAST)
#define ARGS_MEMBER(type, name)    type name;
#define ARGS_VALUE(type, name)     ARGS_NAME(name),
#define ARGS(NUMBERS)                                                                                                  \
    {                                                                                                                  \
        NUMBERS(ARGS_VALUE, ARGS_VALUE)                                                                                \
    }
#define KERNEL_ARGS(structure, NUMBERS, ALL_BUFFERS)                                                                   \
    typedef struct {                                                                                                   \
        NUMBERS(ARGS_MEMBER, ARGS_MEMBER)                                                                              \
    } structure;
#define KERNEL_LAUNCH(structure, function, LIST)

#else

#define ARGS_MOST                   256
#define ARGS_BUFFER(type, name)     cl_mem name;
#define ARGS_MEMBER(type, name)     cl_##type name;
#define ARGS_ADD_BUFFER(type, name) clprim__add_present(&list, args->buffers.name);
#define ARGS_ADD(type, name)        clprim__add_scalar(list, &args->numbers.name, sizeof args->numbers.name);
#define KERNEL_ARGS(structure, NUMBERS, ALL_BUFFERS)                                                                   \
    typedef struct {                                                                                                   \
        struct {                                                                                                       \
            ALL_BUFFERS(ARGS_BUFFER)                                                                                   \
        } buffers;                                                                                                     \
        struct {                                                                                                       \
            NUMBERS(ARGS_MEMBER, ARGS_MEMBER)                                                                          \
        } numbers;                                                                                                     \
    } structure;                                                                                                       \
    _Static_assert(sizeof(structure) <= ARGS_MOST, "more than embedded devices promise for a kernel's arguments");     \
    static inline void clprim__add_##structure(clprim__arguments *list, const structure *args)                         \
    {                                                                                                                  \
        NUMBERS(ARGS_ADD, ARGS_ADD)                                                                                    \
    }
#define KERNEL_LAUNCH(structure, function, LIST)                                                                       \
    static inline clprim_status function(clprim__chain *chain, clprim__kernel *kernel, const structure *args,          \
                                         size_t groups, bool is_last)                                                  \
    {                                                                                                                  \
        CLPRIM__ARGUMENTS(list);                                                                                       \
        LIST(ARGS_ADD_BUFFER)                                                                                          \
        clprim__add_##structure(&list, args);                                                                          \
        return clprim__launch(chain, kernel, &list, groups, is_last);                                                  \
    }

#endif
#endif

/* args.h: the arguments of kernels, declared once for the host and for the kernels. Each operation has a file of lists:
 *
 *     #define FIND_NUMBERS(NUMBER)           the numbers of all its kernels, the larger ones first
 *         NUMBER(ulong, n)
 *     #define FIND_LOOK(BUFFER)              the buffers of a kernel
 *         BUFFER(const __global ELEMENT, in)
 *     KERNEL_ARGS(find_args, FIND_NUMBERS, FIND_LOOK)       all numbers, and all buffers of all kernels
 *     KERNEL_LAUNCH(find_args, clprim__launch_find_look, FIND_LOOK)
 *
 * A kernel takes its buffers as pointers, and behind them all numbers as a structure, `args`:
 *
 *     __kernel GROUP_OF(GROUP_SIZE) void find_tree(ARGS_OF(FIND_LOOK, find_args))
 *
 * The host fills a structure of the same name, of `buffers` and `numbers`, once for a call, and launches each kernel by
 * the function that its list has. It includes launch.h before. A list may stand in another one.
 * What only a program knows the type of is in no list, but in PARAMETERS (lib/runtime/program/parameters.h). */
#ifndef ARGS_H
#define ARGS_H

#include "common/kernel.h"

#ifdef __OPENCL_VERSION__

#define ARGS_POINTER(type, name) type *name,
#define ARGS_NUMBER(type, name)  type name;
#define ARGS_OF(LIST, structure) LIST(ARGS_POINTER) const structure args
#define KERNEL_ARGS(structure, NUMBERS, ALL_BUFFERS)                                                                   \
    typedef struct {                                                                                                   \
        NUMBERS(ARGS_NUMBER)                                                                                           \
    } structure;
#define KERNEL_LAUNCH(structure, function, LIST)

#else

#define ARGS_MOST               256
#define ARGS_BUFFER(type, name) cl_mem name;
#define ARGS_NUMBER(type, name) cl_##type name;
#define ARGS_GIVEN(type, name)  args->buffers.name,
#define KERNEL_ARGS(structure, NUMBERS, ALL_BUFFERS)                                                                   \
    typedef struct {                                                                                                   \
        struct {                                                                                                       \
            ALL_BUFFERS(ARGS_BUFFER)                                                                                   \
        } buffers;                                                                                                     \
        struct {                                                                                                       \
            NUMBERS(ARGS_NUMBER)                                                                                       \
        } numbers;                                                                                                     \
    } structure;                                                                                                       \
    _Static_assert(sizeof(structure) <= ARGS_MOST, "more than embedded devices promise for a kernel's arguments");
#define KERNEL_LAUNCH(structure, function, LIST)                                                                       \
    static inline clprim_status function(clprim__chain *chain, clprim__kernel *kernel, const structure *args,          \
                                         size_t groups, bool is_last)                                                  \
    {                                                                                                                  \
        const cl_mem buffers[] = {LIST(ARGS_GIVEN)};                                                                   \
        return clprim__launch_with(chain, kernel, buffers, sizeof buffers / sizeof *buffers, &args->numbers,           \
                                   sizeof args->numbers, groups, is_last);                                             \
    }

#endif
#endif

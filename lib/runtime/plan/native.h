// SPDX-License-Identifier: MIT
/* native.h: code of the host instead of kernels, on CPU devices.
 *
 * A driver for a CPU may run functions of the host in its queues (CL_EXEC_NATIVE_KERNEL). Code that was compiled with
 * the library then takes the place of kernels: nothing is compiled at run time, and `run` works on arrays on the host
 * where they are. An operation that has such code has a row "native" among its variants and a clprim__native in its
 * table. Everything else is here: buffers, counts on the device, scratch memory, order and events. */
#ifndef CLPRIM_LIB_NATIVE_H
#define CLPRIM_LIB_NATIVE_H

#include "plan_internal.h"

typedef struct clprim__native {
    const char *name, *program; /* of the command in timelines, as of a kernel */

    /* Whether the code does what the description asks for. Texts and custom operators were refused before. Nothing else
     * was checked: return false for what make refuses, which then says why. */
    bool (*can)(const void *desc, const clprim_device_info *info);

    /* Whether the code is faster than kernels for any number of elements. NULL: only for few. It is asked only if `can` says yes. */
    bool (*is_faster)(const void *desc);

    /* The size of a call's scratch memory in bytes; SIZE_MAX if it does not fit size_t. NULL: none is needed. */
    size_t (*scratch)(const void *desc, const void *call);

    /* Do it. Both are as a reference gets them: the description has all data that it points to, each array's .host is
     * the address of its first element, or NULL if the call does not have the array, and counts are those that
     * .count_at says. Arrays were checked; outputs may be in place as the table says. `scratch` is aligned for all
     * types. The function has no way to fail, so it must not need any more memory. */
    void (*run)(const void *desc, const void *call, void *scratch);
} clprim__native;

/* The names of an operation's code. */
#define CLPRIM__NATIVE_NAMES(stem) .name = #stem "_native", .program = #stem "/native"

/* Whether a variant is the code of the host. */
bool clprim__is_native(const clprim_variant_info *variant);

/* Whether elements of a built-in type are supported on the device. */
bool clprim__native_has_type(clprim_type type, const clprim_device_info *info);

/* Make the plan native if its operation has code for the description and the device, and the description asks for it, or
 * leaves the choice to the library, and `is_for_few` (below) or the code is faster. Otherwise plan->native stays NULL, and
 * kernels are needed.
 * Errors: CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__native_make(clprim_plan *plan, const void *desc, bool is_for_few);

/* Whether a call of run has its arrays on the host, and so few elements that the host's code is about as fast as kernels,
 * or faster: then nothing needs to be compiled for it. */
bool clprim__native_is_for_few(const clprim__operation *operation, const void *call);

/* The description that a native plan was made of. */
const void *clprim__native_desc(const clprim_plan *plan);

/* The size of the scratch memory of a native plan's call in bytes. */
size_t clprim__native_scratch(const clprim_plan *plan, const void *call);

/* Enqueue a call that was checked. */
clprim_status clprim__native_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c);

/* Whether the plan is native, and a call of run has all of its arrays on the host, so that no queue is needed. */
bool clprim__native_is_at_hand(const clprim_plan *plan, const void *call);

/* Do a call whose arrays are all on the host, and were checked for overlaps, in this thread.
 * Errors: those of run's checks; CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__native_run(clprim_plan *plan, const void *call);

#endif

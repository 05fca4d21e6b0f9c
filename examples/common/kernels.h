// SPDX-License-Identifier: MIT
/* kernels.h: kernels of one's own between clPRIM's calls. */
#ifndef CLPRIM_EXAMPLES_KERNELS_H
#define CLPRIM_EXAMPLES_KERNELS_H

#include "example.h"

/* Compile a source and make so many of its kernels. What the compiler finds wrong is printed. On failure, too, the
 * kernels that are there are to be released. */
clprim_status kernels_make(cl_kernel *out, const example *program, const char *source, const char *const *names,
                           size_t count);

/* The same, with clPRIM's functions for kernels: `headers` are those of clprim/device/ that the source needs, such as
 * "work_group_scan.h", up to the first NULL. `options`: further ones for the compiler, such as "-D K=8". */
clprim_status kernels_make_with(cl_kernel *out, const example *program, const char *const *headers, const char *options,
                                const char *source, const char *const *names, size_t count);

void kernels_release(cl_kernel *kernels, size_t count);

/* An argument of a kernel: a variable that holds a cl_mem or a number of the kernel's type. */
typedef struct kernels_argument {
    size_t size;
    const void *value;
} kernels_argument;
#define KERNELS_ARGUMENT(variable)                                                                                     \
    {                                                                                                                  \
        sizeof(variable), &(variable)                                                                                  \
    }

/* Set the first `count` arguments. */
clprim_status kernels_set(cl_kernel kernel, const kernels_argument *arguments, size_t count);

/* Enqueue a kernel on the program's queue for at least so many work-items: rounded up, since the driver chooses the
 * size of the work-groups, which must divide the number. The kernel looks whether it has one too many. Of two
 * dimensions only the first is rounded. */
clprim_status kernels_launch(const example *program, cl_kernel kernel, size_t work_items);
clprim_status kernels_launch_2d(const example *program, cl_kernel kernel, size_t width, size_t height);

#endif

// SPDX-License-Identifier: MIT
/* assemble.h: make the source text and the options for the compiler from a request. */
#ifndef CLPRIM_LIB_ASSEMBLE_H
#define CLPRIM_LIB_ASSEMBLE_H

#include "program.h"
#include "text.h"

/* The other parts that a request's program is assembled from: the options of all programs, and the directory from which
 * kernels are read (NULL: the library's own copies). */
typedef struct clprim__assembly {
    const char *common_options;
    const char *kernel_dir;
} clprim__assembly;

/* Write the program's text. In a program with a caller's text, options that define macros (-D) become lines after that
 * text, so that neither changes the meaning of the other. Otherwise they remain options. Errors:
 * CLPRIM_KERNEL_SOURCE_MISSING, CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__assemble_source(clprim__text *out, const clprim__assembly *with,
                                      const clprim__program_request *request);
clprim_status clprim__assemble_options(clprim__text *out, const clprim__assembly *with,
                                       const clprim__program_request *request);

#endif

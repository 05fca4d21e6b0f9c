/* assemble.h: from a request to the text and the options that the compiler gets. */
#ifndef CLPRIM_LIB_ASSEMBLE_H
#define CLPRIM_LIB_ASSEMBLE_H

#include "program.h"
#include "text.h"

/* What the request's program is assembled from besides: options that all programs have, and the directory that the
 * kernels are read from, or NULL where the library's own copies are taken. */
typedef struct clprim__assembly {
    const char *common_options;
    const char *kernel_dir;
} clprim__assembly;

/* In a program with a caller's text, macros of options (-D) are defined behind that text, so that neither changes the
 * other's meaning; otherwise they remain options. Errors: CLPRIM_KERNEL_SOURCE_MISSING, CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__assemble_source(clprim__text *out, const clprim__assembly *with,
                                      const clprim__program_request *request);
clprim_status clprim__assemble_options(clprim__text *out, const clprim__assembly *with,
                                       const clprim__program_request *request);

#endif

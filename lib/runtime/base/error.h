// SPDX-License-Identifier: MIT
/* error.h: how the library handles errors.
 *
 * Each function has one `done:` label, and wraps its steps in CLPRIM__TRY. The function that detects an error describes
 * it in a sentence: with clprim__fail for the library's own codes, with clprim__cl for OpenCL's return codes. For
 * OpenCL functions that report errors through a trailing cl_int *, pass that code to clprim__cl, too. */
#ifndef CLPRIM_LIB_ERROR_H
#define CLPRIM_LIB_ERROR_H

#include <clprim/runtime.h>

/* clang-format off */
#define CLPRIM__TRY(step)                                                                                              \
    do { status = (step); if (status != CLPRIM_SUCCESS) goto done; } while (0)
/* clang-format on */

#if defined(__MINGW32__) /* where GCC takes printf for that of Microsoft's old library */
#define CLPRIM__PRINTF(text, rest) __attribute__((format(gnu_printf, text, rest)))
#elif defined(__GNUC__)
#define CLPRIM__PRINTF(text, rest) __attribute__((format(printf, text, rest)))
#else
#define CLPRIM__PRINTF(text, rest)
#endif

/* Set the thread's last error to the formatted sentence and return status. */
clprim_status clprim__fail(clprim_status status, const char *format, ...) CLPRIM__PRINTF(2, 3);

/* Save the thread's last error, for a function that may succeed although a step of it fails; restore it, and free the
 * copy. If memory is short, there is no copy (NULL), and nothing is restored. */
char *clprim__last_error_copy(void);
void clprim__last_error_put_back(char *copy);

/* Set the last error to "<call>: <name of code>" and return the code. */
clprim_status clprim__cl_failed(cl_int code, const char *call);

/* The same, but CLPRIM_SUCCESS for CL_SUCCESS. */
static inline clprim_status clprim__cl(cl_int code, const char *call)
{
    return code == CL_SUCCESS ? CLPRIM_SUCCESS : clprim__cl_failed(code, call);
}

#endif

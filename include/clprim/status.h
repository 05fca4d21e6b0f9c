// SPDX-License-Identifier: MIT
/* clprim/status.h: the status that a function of clPRIM returns if it can fail, and how to learn more.
 *
 * A clprim_status is a code of clPRIM's own, or a code of OpenCL, passed on unchanged (such as CL_OUT_OF_RESOURCES).
 * clPRIM's codes are below -30000, outside the ranges that OpenCL and its extensions use. */
#ifndef CLPRIM_STATUS_H
#define CLPRIM_STATUS_H

#include <clprim/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, code, sentence): the list that the enum and clprim_status_string() are made from. */
#define CLPRIM_STATUS_LIST(X)                                                                                          \
    X(CLPRIM_SUCCESS, 0, "success")                                                                                    \
    X(CLPRIM_INVALID_ARGUMENT, -30001, "an argument is NULL, unknown or contradicts another")                          \
    X(CLPRIM_INVALID_BUFFER, -30002, "a cl_mem is not a buffer, or belongs to another context")                        \
    X(CLPRIM_INVALID_RANGE, -30003,                                                                                    \
      "an offset and count reach past the end of a buffer, or a count is above max_count or max_segments")             \
    X(CLPRIM_INVALID_OVERLAP, -30004, "input and output overlap where they must not")                                  \
    X(CLPRIM_INVALID_SCRATCH, -30005, "the scratch memory supplied is too small for this call")                        \
    X(CLPRIM_INVALID_OPERATOR, -30006, "this operator is not defined for this type")                                   \
    X(CLPRIM_UNSUPPORTED, -30007, "the device lacks what this type or variant needs")                                  \
    X(CLPRIM_NO_DEVICE, -30008, "no OpenCL device matches the selection")                                              \
    X(CLPRIM_OUT_OF_MEMORY, -30009, "out of host memory")                                                              \
    X(CLPRIM_BUILD_FAILED, -30010, "a kernel did not compile; clprim_last_error() holds the log")                      \
    X(CLPRIM_KERNEL_SOURCE_MISSING, -30011, "a kernel file was not found under CLPRIM_KERNEL_DIR")                     \
    X(CLPRIM_STOPPED, -30012, "the caller's progress function stopped the run")                                        \
    X(CLPRIM_COMM_FAILED, -30013, "the communication between ranks failed")

typedef enum clprim_status {
#define CLPRIM_STATUS_ENUMERATOR(name, code, sentence) name = code,
    CLPRIM_STATUS_LIST(CLPRIM_STATUS_ENUMERATOR)
#undef CLPRIM_STATUS_ENUMERATOR
} clprim_status;

/* The sentence of a status from the list above, the name of an OpenCL code ("CL_OUT_OF_RESOURCES"), or
 * "unknown status". Never NULL. The string is static. */
CLPRIM_API const char *clprim_status_string(clprim_status status);

/* A sentence about the last call of clPRIM that failed in the calling thread: the argument, its value and what was
 * expected, or a compiler's log. "" if no call has failed yet. A call that succeeds does not change it. The library
 * owns the string, which is valid until the next call that fails in this thread. */
CLPRIM_API const char *clprim_last_error(void);

#ifdef __cplusplus
}
#endif
#endif

// SPDX-License-Identifier: MIT
/* plan_svm.h: replace a call's arrays in shared virtual memory by buffers, for the duration of the call. */
#ifndef CLPRIM_LIB_PLAN_SVM_H
#define CLPRIM_LIB_PLAN_SVM_H

#include "plan_internal.h"

/* The memory that a call needs at one pointer. */
typedef struct clprim__svm_region {
    void *pointer;
    size_t bytes;     /* size from the pointer on, large enough for all arrays at this pointer */
    bool is_written;  /* whether the call writes to it */
    const char *name; /* name of its first array, for error sentences */
    cl_mem buffer;    /* NULL for 0 bytes */
} clprim__svm_region;

typedef struct clprim__svm {
    clprim__svm_region regions[CLPRIM__MAX_ARRAYS];
    size_t num_regions;
} clprim__svm;

/* Whether one of the call's arrays has a .svm. */
bool clprim__svm_is_used(const clprim_plan *plan, const void *call);

/* Replace each .svm of the call, which is a copy of the caller's call, by a buffer. If the plan's calls do not have an
 * array, its .svm stays, and enqueue refuses the call. After a failure, do not call end.
 * Errors: CLPRIM_UNSUPPORTED (the device has no such memory), CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_BUFFER (the
 * memory is not shared), CLPRIM_INVALID_RANGE, CLPRIM_INVALID_OVERLAP (with memory of another pointer), or OpenCL's
 * code. */
clprim_status clprim__svm_begin(clprim__svm *self, const clprim_plan *plan, void *call);

/* Release the buffers. OpenCL keeps them until the work that uses them is complete. */
void clprim__svm_end(clprim__svm *self);

#endif

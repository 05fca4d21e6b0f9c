/* plan_svm.h: a call's arrays in shared virtual memory, as buffers: for the time of the call, each pointer gets one. */
#ifndef CLPRIM_LIB_PLAN_SVM_H
#define CLPRIM_LIB_PLAN_SVM_H

#include "plan_internal.h"

/* What the call needs of the memory behind one pointer. */
typedef struct clprim__svm_region {
    void *pointer;
    size_t bytes;     /* from the pointer on, so many that all of its arrays fit */
    bool is_written;  /* by the call */
    const char *name; /* of its first array, for sentences */
    cl_mem buffer;    /* NULL for 0 bytes */
} clprim__svm_region;

typedef struct clprim__svm {
    clprim__svm_region regions[CLPRIM__MAX_ARRAYS];
    size_t num_regions;
} clprim__svm;

/* Whether one of the call's arrays has a .svm. */
bool clprim__svm_is_used(const clprim_plan *plan, const void *call);

/* Put a buffer in the place of each .svm of the call, which is a copy of the caller's. An array that the plan's calls do
 * not have keeps its .svm, for enqueue to refuse. After a failure there is nothing to end.
 * Errors: CLPRIM_UNSUPPORTED (the device has no such memory), CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_BUFFER (not such
 * memory), CLPRIM_INVALID_RANGE, CLPRIM_INVALID_OVERLAP (by another pointer), or OpenCL's code. */
clprim_status clprim__svm_begin(clprim__svm *self, const clprim_plan *plan, void *call);

/* Release the buffers; OpenCL keeps them until the work that uses them is complete. */
void clprim__svm_end(clprim__svm *self);

#endif

// SPDX-License-Identifier: MIT
/* shared.h: a call whose arrays are in shared virtual memory. */
#ifndef CLPRIM_TEST_SHARED_H
#define CLPRIM_TEST_SHARED_H

#include "call.h"

/* Whether the runtime's device has such memory: fine-grained if is_fine, otherwise coarse-grained. */
bool test_has_svm(const clprim_runtime *runtime, bool is_fine);
/* Allocate memory with clSVMAlloc, at least one byte. */
void *test_svm(const clprim_runtime *runtime, size_t bytes, bool is_fine);
void test_svm_free(const clprim_runtime *runtime, void *pointer);
/* Copy between this memory, coarse-grained or fine-grained, and the host's, after the runtime's queue is done. */
void test_svm_write(const clprim_runtime *runtime, void *pointer, const void *data, size_t bytes);
void test_svm_read(const clprim_runtime *runtime, void *data, void *pointer, size_t bytes);

/* The memory that replaces a buffer of the call. */
typedef struct test_place {
    const test_array *array; /* the array that has this buffer */
    void *pointer;
} test_place;

typedef struct test_shared {
    const test_call *self;
    test_place places[CLPRIM__MAX_ARRAYS];
    size_t num_places;
    test_struct call; /* with .svm instead of buffers */
} test_shared;

/* Put every array of the call that was filled last into such memory; if `is_mixed`, only those of every other
 * buffer. */
void test_shared_create(test_shared *out, const test_call *self, bool is_fine, bool is_mixed);
void test_shared_destroy(test_shared *shared);
/* Copy the contents of the call's buffers to the memory; or back, where the checks read results. */
void test_shared_bring(const test_shared *shared);
void test_shared_return(const test_shared *shared);

#endif

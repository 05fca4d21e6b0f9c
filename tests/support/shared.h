/* shared.h: a call whose arrays lie in shared virtual memory. */
#ifndef CLPRIM_TEST_SHARED_H
#define CLPRIM_TEST_SHARED_H

#include "call.h"

/* Whether the runtime's device has such memory: coarse-grained, or if is_fine, fine-grained. */
bool test_has_svm(const clprim_runtime *runtime, bool is_fine);
/* From clSVMAlloc, at least one byte. */
void *test_svm(const clprim_runtime *runtime, size_t bytes, bool is_fine);
void test_svm_free(const clprim_runtime *runtime, void *pointer);
/* Copy between coarse- or fine-grained memory and the host's, when the runtime's queue is done. */
void test_svm_write(const clprim_runtime *runtime, void *pointer, const void *data, size_t bytes);
void test_svm_read(const clprim_runtime *runtime, void *data, void *pointer, size_t bytes);

/* The memory in the place of a buffer of the call's. */
typedef struct test_place {
    const test_array *array; /* whose buffer it is */
    void *pointer;
} test_place;

typedef struct test_shared {
    const test_call *self;
    test_place places[CLPRIM__MAX_ARRAYS];
    size_t num_places;
    test_struct call; /* with .svm in the place of buffers */
} test_shared;

/* Of the call that was filled last, every array in such memory; or if `is_mixed`, every other buffer's. */
void test_shared_create(test_shared *out, const test_call *self, bool is_fine, bool is_mixed);
void test_shared_destroy(test_shared *shared);
/* Copy what is in the call's buffers to the memory, or back, to where results are looked for. */
void test_shared_bring(const test_shared *shared);
void test_shared_return(const test_shared *shared);

#endif

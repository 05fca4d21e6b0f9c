// SPDX-License-Identifier: MIT
/* model_call.h: a model's call: where its arrays are, and whether the library must take it. */
#ifndef CLPRIM_TEST_MODEL_CALL_H
#define CLPRIM_TEST_MODEL_CALL_H

#include "describe.h"

/* Two buffers, one that is read-only on the device, and a sub-buffer of the first one. */
enum { MODEL_READ_ONLY = 2, MODEL_BUFFERS = 3, MODEL_PART = MODEL_BUFFERS, MODEL_VIEWS };

typedef struct model_view {
    cl_mem memory;
    size_t buffer, origin, size; /* in bytes */
} model_view;

typedef struct model_plan {
    const clprim__operation *operation;
    const clprim_operation *face;
    test_struct desc;
    char name[TEST_NAME_SIZE];
    clprim_plan *plan;
    cl_mem lent; /* for scratch memory */
    bool is_lent;
} model_plan;

typedef struct model_array {
    const model_view *where; /* NULL: no array */
    size_t offset;           /* in elements */
    bool is_on_host;         /* wrongly gives an array on the host, too */
    size_t begin, end;       /* in bytes of the buffer; model_call_judge sets them */
} model_array;

typedef struct model_call {
    const model_plan *of;
    clprim__trial data;
    test_struct sample;   /* with pointers to the host */
    test_struct given;    /* what the library gets */
    bool has_other_count; /* another count than its data were made for */
    model_array arrays[CLPRIM__MAX_ARRAYS];
} model_call;

typedef enum model_verdict { MODEL_RIGHT, MODEL_WRONG, MODEL_SCRATCH_TOO_SMALL, MODEL_UNKNOWN } model_verdict;

/* Make a right call with data that suit the operation, of up to `largest` elements. False if the views have no room
 * even for a call without elements. */
bool model_call_prepare(model_call *out, const model_plan *of, const model_view views[MODEL_VIEWS], size_t largest,
                        test_source *source);
/* Change something. Mostly, the call is then wrong. */
void model_call_spoil(model_call *self, const model_view views[MODEL_VIEWS], test_source *source);
/* What the library must answer to the call's arrays and counts. UNKNOWN: the call is right, but its data are not. */
model_verdict model_call_judge(model_call *self);
/* Elements of the array `which`. */
size_t model_call_length(const model_call *self, size_t which);
/* Write the arrays into .given. An array of a buffer that has an entry in on_host is given as an array on the host. */
void model_call_give(model_call *self, uint8_t *const on_host[MODEL_BUFFERS]);
/* Print the call to stderr, for whoever examines a failure. */
void model_call_print(const model_call *self);

#endif

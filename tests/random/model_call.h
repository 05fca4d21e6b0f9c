/* model_call.h: a call of a model's: where its arrays lie, and whether the library must take it. */
#ifndef CLPRIM_TEST_MODEL_CALL_H
#define CLPRIM_TEST_MODEL_CALL_H

#include "describe.h"

/* Two buffers, one that is read-only on the device, and a part of the first one. */
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
    const model_view *where; /* NULL: none */
    size_t offset;           /* in elements */
    bool is_on_host;         /* besides, which is wrong */
    size_t begin, end;       /* in bytes of the buffer: what judge finds */
} model_array;

typedef struct model_call {
    const model_plan *of;
    clprim__trial data;
    test_struct sample;   /* on the host */
    test_struct given;    /* to the library */
    bool has_other_count; /* than its data have */
    model_array arrays[CLPRIM__MAX_ARRAYS];
} model_call;

typedef enum model_verdict { MODEL_RIGHT, MODEL_WRONG, MODEL_SCRATCH_TOO_SMALL, MODEL_UNKNOWN } model_verdict;

/* A right call with data of the operation's own, of up to `largest` elements. False where the views have no room for one
 * without elements. */
bool model_call_prepare(model_call *out, const model_plan *of, const model_view views[MODEL_VIEWS], size_t largest,
                        test_source *source);
/* Change something, which is mostly wrong then. */
void model_call_spoil(model_call *self, const model_view views[MODEL_VIEWS], test_source *source);
/* What the library must say to the call's arrays and counts. UNKNOWN: it is right, but its data are not. */
model_verdict model_call_judge(model_call *self);
/* Elements of the array `which`. */
size_t model_call_length(const model_call *self, size_t which);
/* Write the arrays into .given: those of a buffer that is on the host as such. */
void model_call_give(model_call *self, uint8_t *const on_host[MODEL_BUFFERS]);
/* To stderr, for whoever looks at a failure. */
void model_call_print(const model_call *self);

#endif

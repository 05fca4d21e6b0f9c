/* model_rows.h: the plans that a model works with. */
#ifndef CLPRIM_TEST_MODEL_ROWS_H
#define CLPRIM_TEST_MODEL_ROWS_H

#include "model.h"

/* The arrays of a call: what is read, and what is written. */
enum { MODEL_IN, MODEL_AUX_IN, MODEL_OUT, MODEL_AUX_OUT, MODEL_ARRAYS };

typedef struct model_call {
    size_t n;
    cl_mem memory[MODEL_ARRAYS];
    size_t offset[MODEL_ARRAYS];
    cl_command_queue queue;
    cl_uint num_waits;
    const cl_event *waits;
    cl_event *done;
} model_call;

typedef struct model_row {
    const char *name;
    size_t sizes[MODEL_ARRAYS];  /* bytes of an element; 0: there is no such array */
    size_t counts[MODEL_ARRAYS]; /* elements; 0: as many as the call has */
    bool in_place;               /* each output may be the input two before it */
    bool may_lack_last;          /* the last output may be NULL */
    clprim_status (*create)(void **out, clprim_runtime *runtime);
    void (*destroy)(void *plan);
    clprim_status (*enqueue)(void *plan, const model_call *call);
    clprim_status (*scratch_size)(size_t *out, const void *plan, size_t n);
    clprim_status (*set_scratch)(void *plan, cl_mem scratch);
    clprim_status (*host)(clprim_runtime *runtime, void *const arrays[MODEL_ARRAYS], size_t n);
    /* Write what must come to the outputs; an array that there is none of is NULL. */
    void (*expect)(void *const arrays[MODEL_ARRAYS], size_t n);
} model_row;

extern const model_row model_rows[];
extern const size_t model_num_rows;

/* A description that is wrong in one thing at least, and random otherwise: NULL where a primitive refused it with a
 * sentence, compiled nothing and wrote nothing; else what it did. */
const char *model_try_bad_desc(clprim_runtime *runtime, model_source *source);

#endif

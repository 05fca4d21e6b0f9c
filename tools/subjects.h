// SPDX-License-Identifier: MIT
/* subjects.h: what is tuned: each operation that has parameters, on arrays of some type, with results to compare. Its
 * descriptions, calls, data and results come from the operation's table. */
#ifndef CLPRIM_TOOLS_SUBJECTS_H
#define CLPRIM_TOOLS_SUBJECTS_H

#include "plan_internal.h"
#include "tuning.h"

typedef struct subject {
    const clprim__trial_subject *operation;
    clprim_type type;  /* of the elements, or the keys */
    size_t value_size; /* of what goes with each key, in bytes; 0: nothing */
    size_t count;      /* elements to be tuned with */
    size_t up_to;      /* of plans that say they need no more; 0: any */
    const void *desc;  /* what else the description says; NULL: nothing */
    unsigned pattern;  /* of the data (lib/runtime/trial/trial_case.c); 0: random */
    /* What this variant needs in the description; NULL: nothing. */
    void (*suit)(void *desc, int variant);
    /* What the reference needs in the call instead of text, which it cannot read; NULL: nothing. */
    void (*prepare)(clprim__trial *owner, const void *desc, void *call);
} subject;

/* An array of a subject's call. */
typedef struct subject_array {
    cl_mem buffer;
    const void *expected; /* of an output; NULL: an input */
    size_t bytes;         /* that are read, or written */
} subject_array;

/* A call with its arrays on the device, and what the reference makes of them. Zeroed: none. */
typedef struct subject_data {
    clprim__trial owner; /* of all memory */
    size_t count;
    double traffic; /* bytes of all arrays */
    subject_array arrays[CLPRIM__MAX_ARRAYS];
    size_t num_arrays;
    union {
        max_align_t alignment;
        char bytes[CLPRIM__MAX_CALL];
    } call;
} subject_data;

/* Of all operations that have parameters, those of one operation side by side, *count of them. */
const subject *subject_list(size_t *count);

static inline const char *subject_stem(const subject *self)
{
    return self->operation->stem;
}

static inline const clprim__tunables *subject_tunables(const subject *self)
{
    return self->operation->operation->tunables;
}

/* A plan for calls of `count` elements; variant 0: AUTO. */
clprim_status subject_plan(clprim_plan **out, clprim_runtime *runtime, const subject *self, int variant, size_t count);

/* A call of `count` elements for such a plan. The caller gives it up, also after an error. */
clprim_status subject_data_create(subject_data *out, clprim_runtime *runtime, const subject *self, int variant,
                                  size_t count);
void subject_data_destroy(subject_data *data);

/* Enqueue it on the runtime's queue. */
clprim_status subject_enqueue(clprim_plan *plan, const subject_data *data);

/* Run the plan once. *is_right: what it wrote is what the reference wrote. */
clprim_status subject_try(bool *is_right, clprim_plan *plan, const subject_data *data);

/* The number of a variant's name; 0, AUTO, for an unknown one. */
int subject_variant(const subject *self, const char *name);

/* The operations' tables, each once. Returns how many; `out` has room for one per subject. */
size_t subject_tables(const clprim__tunables **out);

#endif

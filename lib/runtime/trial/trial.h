// SPDX-License-Identifier: MIT
/* trial.h: test a variant with difficult small arrays before a plan uses it, and disable it if it gives wrong results.
 *
 * A primitive's clprim__trial_subject describes how to test a plan of it. clprim_<stem>_create calls
 * clprim__trial_create. On drivers that the project tests itself, this only calls `make`. On other drivers, it also
 * runs a trial of the plan, unless there is a verdict on it already. The trial uses the kernels that were just
 * compiled, so it compiles nothing. If the caller asked for a variant by name and it gives wrong results, the call is
 * refused; AUTO continues with the next variant. */
#ifndef CLPRIM_LIB_TRIAL_H
#define CLPRIM_LIB_TRIAL_H

#include <clprim/reference.h>
#include <clprim/runtime.h>
#include <clprim/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "verdicts.h"

enum { CLPRIM__TRIAL_MAX_ARRAYS = 90, CLPRIM__TRIAL_MAX_SAMPLES = 5, CLPRIM__MAX_DESC = 2048 /* bytes */ };

/* A copy of a description of any operation. */
typedef union clprim__any_desc {
    max_align_t alignment;
    char bytes[CLPRIM__MAX_DESC];
} clprim__any_desc;

/* One call of a plan, with arrays that the trial owns. Failures that are not the variant's fault are kept in `status`;
 * after one, nothing more is done, and functions that return pointers return NULL, which the other functions accept. */
typedef struct clprim__trial {
    const clprim_runtime *runtime;
    const struct clprim__trial_subject *subject;
    cl_command_queue queue; /* in-order and separate, because the caller's queue may be waiting for something */
    unsigned pattern;       /* selects the kind of data */
    uint64_t random;        /* the state of the random generator */
    bool without_half_nans; /* only one NaN: halves that are converted to float and back do not keep the others */
    clprim_status status;
    bool is_over;               /* after a failure, or because the call does not suit the plan */
    char why[CLPRIM__WHY_SIZE]; /* why the variant is wrong; "" if it is not */
    void *memory[CLPRIM__TRIAL_MAX_ARRAYS];
    size_t num_memory;
    cl_mem buffers[CLPRIM__TRIAL_MAX_ARRAYS];
    size_t num_buffers;
} clprim__trial;

typedef struct clprim__trial_subject {
    const char *stem;
    const struct clprim__operation *operation; /* for operations that have a table; otherwise NULL */
    size_t desc_size;                          /* size of clprim_<stem>_desc */
    size_t variant_at;                         /* offset of its .variant */
    /* Create a plan from exactly this description, without a trial. It must call clprim__making_chose. */
    clprim_status (*make)(void **out, clprim_runtime *runtime, const struct clprim__trial_subject *subject,
                          const void *desc);
    void (*destroy)(void *plan);
    /* Run the plan with `count` elements, and compare the results. */
    void (*run)(clprim__trial *trial, void *plan, const void *desc, size_t count);
    /* Whether there is a reference for this description: it has no text from the caller. If not, the variant is tested
     * with the first sample that it accepts. */
    bool (*has_reference)(const struct clprim__trial_subject *subject, const void *desc);
    /* Change the description so that elements come from an expression and their number is on the device, as far as its
     * calls support that. Returns what to add to the description's name; NULL: nothing was changed. */
    const char *(*give)(void *desc, const struct clprim__trial_subject *subject);
    /* The variants that AUTO tries after its own choice, best first, ended by 0. */
    const int *order;
    /* For clprim_runtime_self_test. */
    const clprim_variant_info *(*variants)(size_t *count); /* NULL: without a choice of its own */
    const char *sample_names[CLPRIM__TRIAL_MAX_SAMPLES];   /* NULL after the last one */
    const void *samples;
} clprim__trial_subject;

/* Create a plan, with a trial if that is wanted. Errors: as make; CLPRIM_INVALID_ARGUMENT for a NULL;
 * CLPRIM_UNSUPPORTED if the variant, or each variant that AUTO may choose, gave wrong results. */
clprim_status clprim__trial_create(void **out, clprim_runtime *runtime, const clprim__trial_subject *subject,
                                   const void *desc);

/* Test the variant with one description now, even if there is a verdict. why: "" if it works. If the trial or its
 * compilation ended an earlier process, it is skipped: why says so, with or without CLPRIM_UNSUPPORTED.
 * Errors: as make. */
clprim_status clprim__trial_now(char why[CLPRIM__WHY_SIZE], clprim_runtime *runtime,
                                const clprim__trial_subject *subject, const void *desc, int variant);

/* For `run`. */

/* The number of elements, limited to what a plan accepts; its max_count may be 0: less than 2^32. */
size_t clprim__trial_count(size_t count, size_t max_count);
/* Returns zeroed memory. */
void *clprim__trial_memory(clprim__trial *trial, size_t bytes);
/* Elements with arbitrary bits. For SUM and PROD: elements for which the operator does not round in the accumulator
 * (default: the type), in any order of operations. */
void *clprim__trial_elements(clprim__trial *trial, clprim_type type, size_t count);
void *clprim__trial_numbers(clprim__trial *trial, clprim_type type, clprim_op op, clprim_type accumulator_type,
                            size_t count);
/* Sort in place by an order without a `before`; its type must be given. */
void clprim__trial_sort(clprim__trial *trial, void *elements, const clprim_reference_order *by, size_t count);
/* Runs of few distinct elements of `size` bytes. */
void *clprim__trial_runs(clprim__trial *trial, size_t size, size_t count);
/* Values that go with keys. by_key: equal keys get equal values, for sorts that are not stable; otherwise all values
 * differ. */
void *clprim__trial_values(clprim__trial *trial, const void *keys, size_t key_size, size_t value_size, size_t count,
                           bool by_key);
/* The offsets of segments of all sizes up to `most`, some of them empty, among `count` elements: *num_segments + 1
 * offsets of offset_size bytes, U32 or U64. There are at most `limit` segments; the remaining elements are in none. */
void *clprim__trial_offsets(clprim__trial *trial, size_t *num_segments, size_t offset_size, size_t count, size_t most,
                            size_t limit);
/* A buffer with a copy of the data; NULL: a buffer for output. */
cl_mem clprim__trial_buffer(clprim__trial *trial, const void *data, size_t bytes);
/* Release its memory and buffers. */
void clprim__trial_clear(clprim__trial *trial);
/* Call this with the status of each step of the plan or of the reference. Returns whether to continue. */
bool clprim__trial_goes_on(clprim__trial *trial, clprim_status status);
/* Check that the buffer begins with the `count` expected elements of `size` bytes. `what` names them in a sentence. */
void clprim__trial_expect(clprim__trial *trial, const char *what, cl_mem buffer, const void *expected, size_t size,
                          size_t count);

#endif

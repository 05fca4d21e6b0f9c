/* trial.h: a variant is tried on small hostile arrays before a plan is made of it, and set aside where it is wrong.
 *
 * A primitive describes by one clprim__trial_subject how a plan of it is tried. clprim_<stem>_create then goes through
 * clprim__trial_create, which on drivers that the project tests itself does nothing but call `make`. Elsewhere the plan
 * is tried unless there is a verdict on it: on what was just compiled, so that a trial compiles nothing. A variant that
 * was asked for by name is refused where it is wrong; AUTO goes on to the next. */
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

/* A copy of any operation's description. */
typedef union clprim__any_desc {
    max_align_t alignment;
    char bytes[CLPRIM__MAX_DESC];
} clprim__any_desc;

/* One call of a plan with arrays that it owns. What fails besides the variant is kept in `status`, and then nothing
 * more is done; functions that return pointers return NULL, which the others accept. */
typedef struct clprim__trial {
    const clprim_runtime *runtime;
    const struct clprim__trial_subject *subject;
    cl_command_queue queue; /* in-order, of its own: the caller's may be waiting for something */
    unsigned pattern;       /* of data */
    uint64_t random;        /* the generator's state */
    bool without_half_nans; /* of halves that go through a float only one NaN is left */
    clprim_status status;
    bool is_over;               /* status, or the call does not suit the plan */
    char why[CLPRIM__WHY_SIZE]; /* the variant is wrong */
    void *memory[CLPRIM__TRIAL_MAX_ARRAYS];
    size_t num_memory;
    cl_mem buffers[CLPRIM__TRIAL_MAX_ARRAYS];
    size_t num_buffers;
} clprim__trial;

typedef struct clprim__trial_subject {
    const char *stem;
    const struct clprim__operation *operation; /* of operations that have a table; else NULL */
    size_t desc_size;                          /* of clprim_<stem>_desc */
    size_t variant_at;                         /* where its .variant is */
    /* A plan of exactly this description, without a trial. It calls clprim__making_chose. */
    clprim_status (*make)(void **out, clprim_runtime *runtime, const struct clprim__trial_subject *subject,
                          const void *desc);
    void (*destroy)(void *plan);
    /* Call the plan with `count` elements, and compare. */
    void (*run)(clprim__trial *trial, void *plan, const void *desc, size_t count);
    /* There is a reference for what the description asks for: it has no text of the caller's. Where not, the variant is
     * tried with the first sample that it takes. */
    bool (*has_reference)(const struct clprim__trial_subject *subject, const void *desc);
    /* Let elements come from an expression and be counted by a number on the device, as far as calls can have that. What
     * then is behind the description's name; NULL: neither. */
    const char *(*give)(void *desc, const struct clprim__trial_subject *subject);
    /* What AUTO tries in turn where its own choice is wrong: best first, ended by 0. */
    const int *order;
    /* For clprim_runtime_self_test. */
    const clprim_variant_info *(*variants)(size_t *count); /* NULL: without a choice of its own */
    const char *sample_names[CLPRIM__TRIAL_MAX_SAMPLES];   /* NULL behind the last */
    const void *samples;
} clprim__trial_subject;

/* A plan, tried where that is wanted. Errors: as make; CLPRIM_INVALID_ARGUMENT for a NULL; CLPRIM_UNSUPPORTED where the
 * variant, or each that AUTO may take, was found wrong. */
clprim_status clprim__trial_create(void **out, clprim_runtime *runtime, const clprim__trial_subject *subject,
                                   const void *desc);

/* The variant with one description, now, whatever is known; why: "" where it is right. What ended an earlier process is
 * passed over: a why alone, or with CLPRIM_UNSUPPORTED.
 * Errors: as make. */
clprim_status clprim__trial_now(char why[CLPRIM__WHY_SIZE], clprim_runtime *runtime,
                                const clprim__trial_subject *subject, const void *desc, int variant);

/* For `run`. */

/* As many elements as a plan takes, whose max_count may be 0: less than 2^32. */
size_t clprim__trial_count(size_t count, size_t max_count);
/* Zeroed. */
void *clprim__trial_memory(clprim__trial *trial, size_t bytes);
/* Any bits; or such that the operator does not round them in the accumulator (default: in the type), in whatever order
 * (others than SUM and PROD: any). */
void *clprim__trial_elements(clprim__trial *trial, clprim_type type, size_t count);
void *clprim__trial_numbers(clprim__trial *trial, clprim_type type, clprim_op op, clprim_type accumulator_type,
                            size_t count);
/* In place, in an order without a `before`, of a type that is given. */
void clprim__trial_sort(clprim__trial *trial, void *elements, const clprim_reference_order *by, size_t count);
/* Runs of few distinct elements of `size` bytes. */
void *clprim__trial_runs(clprim__trial *trial, size_t size, size_t count);
/* Values that go with keys: with the same keys the same ones, for what is not stable; else all different. */
void *clprim__trial_values(clprim__trial *trial, const void *keys, size_t key_size, size_t value_size, size_t count,
                           bool by_key);
/* Where segments of all sizes up to `most`, some of them empty, begin and end among `count` elements: *num_segments + 1
 * offsets of offset_size bytes, U32 or U64. No more than `limit` segments; what they leave is in none. */
void *clprim__trial_offsets(clprim__trial *trial, size_t *num_segments, size_t offset_size, size_t count, size_t most,
                            size_t limit);
/* With a copy of the data; NULL: for output. */
cl_mem clprim__trial_buffer(clprim__trial *trial, const void *data, size_t bytes);
/* Give up its memory and buffers. */
void clprim__trial_clear(clprim__trial *trial);
/* A step was made, of the plan or of the reference; true where to go on. */
bool clprim__trial_goes_on(clprim__trial *trial, clprim_status status);
/* The buffer begins with `count` elements of `size` bytes that are those expected. `what` names them in a sentence. */
void clprim__trial_expect(clprim__trial *trial, const char *what, cl_mem buffer, const void *expected, size_t size,
                          size_t count);

#endif

/* contract.h: one call of any operation, made from the operation's table: its arrays among guards, in buffers and on
 * the host, and what the reference says must come of it. What all operations promise (clprim/plan.h) is tested with it,
 * so that an operation that is added is tested without a line of its own. Everything asserts by itself. */
#ifndef CLPRIM_TEST_CONTRACT_H
#define CLPRIM_TEST_CONTRACT_H

#include "operations.h"
#include "support.h"

enum { CONTRACT_GUARD = 24 /* elements behind an array; before it there are a few, too */ };

/* A call struct of any operation. */
typedef union contract_struct {
    max_align_t alignment;
    char bytes[CLPRIM__MAX_CALL];
} contract_struct;

/* An array of the call. */
typedef struct contract_array {
    clprim__slot slot;
    bool is_there;
    bool is_output;
    size_t size;    /* bytes of an element */
    size_t length;  /* elements */
    size_t written; /* of an output: elements that the call writes, from the first on */
    size_t offset;  /* elements */
    size_t bytes;   /* of the buffer */
    cl_mem memory;
    unsigned char *before, *after; /* the whole buffer, on the host */
    const void *expected;          /* of an output: `written` elements */
} contract_array;

typedef struct contract {
    clprim_runtime *runtime;
    const clprim__operation *operation;
    const clprim_operation *face;
    const void *desc;
    char name[128]; /* for messages */
    clprim_plan *plan;
    clprim__trial trial; /* the owner of memory on the host */
    size_t num_arrays;
    contract_array arrays[CLPRIM__MAX_ARRAYS];
    contract_struct call;      /* on buffers */
    contract_struct reference; /* on the host, outputs as the reference wrote them */
} contract;

/* A call of about `count` elements by a plan of the subject's sample; the seed decides data and offsets. False where
 * the device does not have the sample (a plan is CLPRIM_UNSUPPORTED there), and then there is nothing to destroy. */
bool contract_create(contract *out, clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample,
                     int variant, size_t count, uint64_t seed);
void contract_destroy(contract *self);

/* Everything as it was before the call. */
void contract_reset(const contract *self);
/* The result is right; inputs and guards are untouched. */
void contract_expect_right(const contract *self, const char *what);
/* No byte has changed. */
void contract_expect_untouched(const contract *self, const char *what);

/* The array of a call struct for the self's array i. */
clprim_array *contract_array_of(const contract *self, contract_struct *call, size_t i);

/* clprim_<operation>_enqueue and _run by the table, without waits and events. */
clprim_status contract_enqueue(const contract *self, const contract_struct *call);
clprim_status contract_run(const contract *self, const contract_struct *call);

/* Call body(runtime, subject, sample) for each operation's samples. */
typedef void (*contract_body)(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample);
void contract_for_all(contract_body body);

/* Call body(runtime, subject, sample, variant) for each operation's samples with AUTO, and for each variant with
 * the first sample: variants differ in what memory and how many launches they take. */
typedef void (*contract_variant_body)(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample,
                                      int variant);
void contract_for_variants(contract_variant_body body);

#endif

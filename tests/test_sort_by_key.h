/* test_sort_by_key.h: a plan for sorts of several arrays with all of them among guards, checked against the reference;
 * test_sort_by_key.subject.c has the functions, the other parts use them. Everything asserts by itself. */
#ifndef CLPRIM_TEST_SORT_BY_KEY_H
#define CLPRIM_TEST_SORT_BY_KEY_H

#include <clprim/reference.h>
#include <clprim/sort_by_key.h>
#include <clprim/types.h>

#include "support.h"

enum {
    BY_KEY_POISON = 0xa5,
    BY_KEY_ARRAYS = 1 + CLPRIM_SORT_BY_KEY_MAX_ARRAYS, /* the keys are the first */
    BY_KEY_MAX_OFFSET = 7
};

/* Each element says where it was, as far as it has room for that, and in which array. */
void by_key_fill(void *elements, size_t size, size_t array, size_t count);

/* The same for the reference. */
clprim_reference_sort_by_key_how by_key_how(const clprim_sort_by_key_desc *desc);
/* What a zeroed description means. */
size_t by_key_num_arrays(const clprim_sort_by_key_desc *desc);
size_t by_key_element_size(const clprim_sort_by_key_desc *desc, size_t a);
size_t by_key_key_size(const clprim_sort_by_key_desc *desc);

/* The keys, or an array: where it comes from and where it goes, on the device and, as it must be in the end, here. */
typedef struct by_key_array {
    size_t size; /* of an element */
    cl_mem memory[2];
    unsigned char *expected[2];
} by_key_array;

typedef struct by_key_subject {
    clprim_runtime *runtime;
    clprim_plan *plan;
    clprim_sort_by_key_desc desc;
    clprim_reference_sort_by_key_how how;
    char name[160];
    size_t max_count;
    size_t num_arrays; /* with the keys */
    by_key_array arrays[BY_KEY_ARRAYS];
    unsigned char *found;
} by_key_subject;

typedef struct by_key_call {
    size_t count;
    size_t offsets[BY_KEY_ARRAYS][2];
    bool in_place[BY_KEY_ARRAYS]; /* then the output's offset means nothing */
    unsigned repeat;              /* calls in a row, without waiting; 0: one */
    test_pattern pattern;         /* of the keys */
    uint64_t seed;
} by_key_call;

/* A call whose offsets, repetitions and arrays in place the turn decides on. */
by_key_call by_key_call_of_turn(uint64_t turn, size_t count);

/* Make the plan and arrays for `max_count` elements. False where the device cannot run it, and says so; AUTO always
 * can.
 */
bool by_key_create(by_key_subject *out, clprim_runtime *runtime, clprim_sort_by_key_desc desc, size_t max_count);
void by_key_destroy(by_key_subject *self);
/* Write all arrays, and make of what is on the host what the call is to make of them. */
void by_key_prepare(const by_key_subject *self, const by_key_call *c);
clprim_status by_key_enqueue(const by_key_subject *self, const by_key_call *c, cl_command_queue queue,
                             cl_uint num_waits, const cl_event *waits, cl_event *done);
/* All arrays are what they must be, and nothing beside them was written. */
void by_key_expect(const by_key_subject *self, const by_key_call *c);
/* The three together, as often as the call says. */
void by_key_check(const by_key_subject *self, const by_key_call *c);

#endif

// SPDX-License-Identifier: MIT
/* describe.h: random numbers, and random descriptions of operations, made from the operations' tables. It does not need
 * Criterion, so programs, fuzzers and tests can use it. */
#ifndef CLPRIM_TEST_DESCRIBE_H
#define CLPRIM_TEST_DESCRIBE_H

#include "operations.h"
#include "plan_sample.h"
#include "random.h"

/* A description or a call of any operation. */
typedef union test_struct {
    max_align_t alignment;
    char bytes[CLPRIM__MAX_CALL];
} test_struct;

/* Random numbers: from given bytes, and 0 when they are used up; or from an endless generator. */
typedef struct test_source {
    const uint8_t *bytes; /* NULL: use the generator */
    size_t left;
    uint64_t state;
} test_source;

uint32_t test_number(test_source *source);            /* 2 bytes */
size_t test_below(test_source *source, size_t limit); /* 0 .. limit - 1 */
bool test_is_empty(const test_source *source);

/* The member of this name of a description or a call, or NULL. */
const clprim_member *test_member(const clprim_member *members, const char *name);
/* The size in bytes of one value, if the member is an array of them. */
size_t test_member_width(const clprim_member *member);
/* Set the index-th number that a member holds. */
void test_set_member(test_struct *out, const clprim_member *member, size_t index, uint64_t number);
/* The value of the member of this name; 0 if there is none, or if it is false. Pointers are numbers, too. */
uint64_t test_get(const test_struct *of, const clprim_member *members, const char *name);
bool test_put(test_struct *out, const clprim_member *members, const char *name, uint64_t value);
/* The array of this name in a call, which must exist. */
clprim_array *test_array_at(test_struct *call, const clprim_operation *face, const char *name);
/* A copy of a description with another value for this member, if it exists. */
test_struct test_with(const clprim_operation *face, const void *desc, const char *name, uint64_t value);

/* The operation's variants except AUTO, *count of them; NULL and 0 if it has no variants of its own. */
const clprim_variant_info *test_variants(const clprim_operation *face, size_t *count);
size_t test_num_samples(const clprim__trial_subject *subject);
const void *test_sample_of(const clprim__trial_subject *subject, size_t sample);

/* Call clprim_<operation>_create with a copy of the description and of everything to which it points; the copy is
 * overwritten and freed before this returns. */
clprim_status test_create_fleeting(clprim_plan **out, clprim_runtime *runtime, const clprim_operation *face,
                                   const test_struct *desc);

/* One of the subject's samples with up to four members changed: any type and enumerator, and sizes that may be invalid.
 * Its texts and data stay the same. `create` decides whether the description is valid. */
void test_random_desc(test_struct *out, const clprim__trial_subject *subject, test_source *source);
/* For some descriptions, let elements come from an expression, and their number be on the device, if the operation
 * supports this. */
void test_random_give(test_struct *desc, const clprim__trial_subject *subject, test_source *source);
/* A random description with a type or an enumerator that does not exist; `create` must refuse it. */
void test_wrong_desc(test_struct *out, const clprim__trial_subject *subject, test_source *source);

/* An invalid number for a member that is a type or an enumerator. */
enum { TEST_WRONG_VALUES = 5 };
int test_wrong_value(const clprim_operation *face, const clprim_member *member, size_t which);

/* Describe the members that are not at their defaults: "merge by cpu_chunk, key_type f32, descending". The second
 * function appends only the members of a description or a call to `text`. */
enum { TEST_NAME_SIZE = 256 };
void test_describe(char out[TEST_NAME_SIZE], const clprim_operation *face, const test_struct *desc);
void test_describe_members(char *text, size_t room, const clprim_member *members, const test_struct *of);
/* A variant's name; "auto" for 0. */
const char *test_variant_name(const clprim_operation *face, int variant);

#endif

/* describe.h: random numbers, and what is made of them: descriptions of operations, over the operations' tables. No
 * Criterion: plain programs, fuzzers and tests use it alike. */
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

/* Random numbers: from given bytes, and 0 when they have run out; or from a generator that never ends. */
typedef struct test_source {
    const uint8_t *bytes; /* NULL: the generator's */
    size_t left;
    uint64_t state;
} test_source;

uint32_t test_number(test_source *source);            /* 2 bytes */
size_t test_below(test_source *source, size_t limit); /* 0 .. limit - 1 */
bool test_is_empty(const test_source *source);

/* A member of a description or a call; NULL if there is none of this name. */
const clprim_member *test_member(const clprim_member *members, const char *name);
/* Bytes of one value, where the member is an array of them. */
size_t test_member_width(const clprim_member *member);
/* Write the index-th number that a member holds. */
void test_set_member(test_struct *out, const clprim_member *member, size_t index, uint64_t number);
/* The member of this name, if there is one: 0 and false if there is none. Pointers are numbers, too. */
uint64_t test_get(const test_struct *of, const clprim_member *members, const char *name);
bool test_put(test_struct *out, const clprim_member *members, const char *name, uint64_t value);
/* The array of a call that has it. */
clprim_array *test_array_at(test_struct *call, const clprim_operation *face, const char *name);
/* A copy of a description with another value of that member, if there is one. */
test_struct test_with(const clprim_operation *face, const void *desc, const char *name, uint64_t value);

/* The operation's variants but AUTO, *count of them; NULL and 0 where it has none of its own. */
const clprim_variant_info *test_variants(const clprim_operation *face, size_t *count);
size_t test_num_samples(const clprim__trial_subject *subject);
const void *test_sample_of(const clprim__trial_subject *subject, size_t sample);

/* clprim_<operation>_create with a copy of the description and of all that it points to, which is overwritten and freed
 * before this returns. */
clprim_status test_create_fleeting(clprim_plan **out, clprim_runtime *runtime, const clprim_operation *face,
                                   const test_struct *desc);

/* One of the subject's samples with up to four members changed: any type and enumerator, sizes that make sense or do
 * not. What the sample says in OpenCL C and hands over as data stays. `create` says whether the description is one. */
void test_random_desc(test_struct *out, const clprim__trial_subject *subject, test_source *source);
/* Elements from an expression, and a number of them on the device, for some descriptions, if the operation takes these. */
void test_random_give(test_struct *desc, const clprim__trial_subject *subject, test_source *source);
/* A random description with a type or an enumerator that does not exist: `create` must refuse it. */
void test_wrong_desc(test_struct *out, const clprim__trial_subject *subject, test_source *source);

/* A number that a member, a type or an enumerator, must not be. */
enum { TEST_WRONG_VALUES = 5 };
int test_wrong_value(const clprim_operation *face, const clprim_member *member, size_t which);

/* "merge by cpu_chunk, key_type f32, descending": what is not its default. The members of a description or a call alone
 * are written behind what is in `text`. */
enum { TEST_NAME_SIZE = 256 };
void test_describe(char out[TEST_NAME_SIZE], const clprim_operation *face, const test_struct *desc);
void test_describe_members(char *text, size_t room, const clprim_member *members, const test_struct *of);
/* A variant's name, "auto" for 0. */
const char *test_variant_name(const clprim_operation *face, int variant);

#endif

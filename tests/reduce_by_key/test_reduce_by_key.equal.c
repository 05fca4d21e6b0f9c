// SPDX-License-Identifier: MIT
/* test_reduce_by_key.equal.c: runs of keys that are records, and keys compared by a caller's text: every variant finds
 * the runs that the reference finds. */
#include <clprim/reference.h>

#include "cases.h"

typedef struct equality {
    clprim_reduce_by_key_desc desc;
    test_pattern pattern; /* EXACT: all patterns in turn */
    clprim_reference_equal equal;
    bool is_doubled; /* .output: twice the result, of U32 */
} equality;

static const equality *now;

/* The reference compares keys by bits: so each key is replaced by the index of the first key of its run. */
static clprim_status reference(const void *desc, const void *call)
{
    const clprim_reduce_by_key_desc *d = desc;
    const clprim_reduce_by_key_call *c = call;
    const size_t size = d->key_type_name != NULL ? d->key_type_size : clprim_type_size(d->key_type);
    const char *keys = c->keys_in.host;
    uint32_t *first = test_allocate((2 * c->count + 1) * sizeof *first), *found = first + c->count;
    size_t runs = 0;
    for (size_t i = 0; i < c->count; i++) {
        const char *b = keys + i * size;
        const bool goes_on = i > 0 && (now->equal != NULL ? now->equal(b - size, b) : memcmp(b - size, b, size) == 0);
        first[i] = goes_on ? first[i - 1] : (uint32_t)i;
    }
    const clprim_status status = clprim_reference_reduce_by_key(found, c->values_out.host, &runs, sizeof *first,
                                                                TEST_FOLD(d->type, d->op, d->accumulator_type), first,
                                                                c->values_in.host, c->count);
    for (size_t k = 0; k < runs; k++) {
        memcpy((char *)c->keys_out.host + k * size, keys + found[k] * size, size);
        if (now->is_doubled)
            ((uint32_t *)c->values_out.host)[k] *= 2;
    }
    *(uint32_t *)c->out_count.host = (uint32_t)runs;
    free(first);
    return status;
}

static bool is_same_half(const void *a, const void *b)
{
    return clprim_half_to_float(*(const uint16_t *)a) == clprim_half_to_float(*(const uint16_t *)b);
}

static bool has_same_low_bits(const void *a, const void *b)
{
    return ((*(const uint8_t *)a ^ *(const uint8_t *)b) & 3) == 0;
}

/* For spans, whose first member is `begin`. */
static bool has_same_begin(const void *a, const void *b)
{
    return *(const uint32_t *)a % 4 == *(const uint32_t *)b % 4;
}

#define SPANS                                                                                                          \
    .key_type_name = "span", .key_type_size = 12, .text.source = "typedef struct { uint begin, end; int weight; } span;"

/* NaNs of the first row are not equal to themselves, while both zeros are equal. */
static const equality equalities[] = {
    {{.key_type = CLPRIM_F16, .equal = "a == b", .type = CLPRIM_I32}, TEST_SPECIALS, is_same_half, false},
    {{SPANS, .equal = "a.begin % 4 == b.begin % 4", .type = CLPRIM_U32, .op = CLPRIM_MIN},
     TEST_RANDOM,
     has_same_begin,
     false},
    {{.key_type = CLPRIM_U8, .equal = "!((a ^ b) & 3)", .type = CLPRIM_U32, .output = "r * 2"},
     TEST_RANDOM,
     has_same_low_bits,
     true},
    {{SPANS, .type = CLPRIM_I16, .accumulator_type = CLPRIM_I64}, TEST_EXACT, NULL, false},
    {{.key_type_name = "wide",
      .key_type_size = 40,
      .text.source = "typedef struct { ulong v[5]; } wide;",
      .type = CLPRIM_F32,
      .op = CLPRIM_ARGMIN},
     TEST_FEW_DISTINCT,
     NULL,
     false},
    {{.key_type = CLPRIM_U8, .equal = "!((a ^ b) & 3)", .type = CLPRIM_U16, .op = CLPRIM_XOR},
     TEST_RANDOM,
     has_same_low_bits,
     false},
};

/* By default, CPU_CHUNK runs all rows, and each of the other variants two thirds. */
TEST_WITH_RUNTIME(reduce_by_key_equal, equalities)
{
    for (size_t e = 0; e < sizeof equalities / sizeof *equalities; e++)
        for (size_t v = 1; v < test_num_choices(&clprim_reduce_by_key_operation); v++) {
            equality what = equalities[e];
            what.desc.variant = (clprim_scan_variant)test_choice(&clprim_reduce_by_key_operation, v);
            if (!test_is_full() && what.desc.variant != CLPRIM_SCAN_CPU_CHUNK && (e + v) % 3 == 1)
                continue;
            TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_reduce_by_key_operation, &what.desc)) {
                now = &what;
                self.reference = reference;
                for (test_turn turn = {.kinds = TEST_RUNS_END, .seed = TEST_SEED + e}; test_next(&turn);) {
                    turn.pattern = what.pattern != TEST_EXACT ? what.pattern : turn.pattern;
                    test_check_turn(&self, &turn);
                }
            }
        }
}

/* The operator's text may declare a record's type, which the values have, too. */
TEST_WITH_RUNTIME(reduce_by_key_equal, known_by_heart)
{
    typedef struct pair {
        uint32_t key, value;
    } pair;
    static pair keys[] = {{5, 1}, {5, 2}, {3, 3}, {4, 4}, {4, 4}}, keys_out[] = {{5, 1}, {3, 3}, {4, 4}};
    static pair values[] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}}, values_out[] = {{4, 6}, {5, 6}, {16, 18}};
    static const clprim_custom_op add = {.type_name = "pair",
                                         .type_size = sizeof(pair),
                                         .source = "typedef struct { uint key, value; } pair;",
                                         .combine = "(pair){a.key + b.key, a.value + b.value}",
                                         .identity = "(pair){0, 0}"};
    uint32_t runs = 3;
    test_check_known(
        runtime, &clprim_reduce_by_key_operation,
        &(clprim_reduce_by_key_desc){
            .key_type_name = "pair", .key_type_size = sizeof(pair), .equal = "a.key == b.key", .custom = &add},
        &(clprim_reduce_by_key_call){.keys_in = {.host = keys},
                                     .values_in = {.host = values},
                                     .count = 5,
                                     .keys_out = {.host = keys_out},
                                     .values_out = {.host = values_out},
                                     .out_count = {.host = &runs}});
}

Test(reduce_by_key_equal, refusals)
{
    TEST_REFUSE_EACH(reduce_by_key, TEST_INVALID(reduce_by_key, "has no type_size", false, .key_type_name = "int"),
                     TEST_INVALID(reduce_by_key, "without an expression", false, .text.source = "int x;"),
                     TEST_MISTAKE(reduce_by_key, "equal:1", .equal = "a == nothing"));
}

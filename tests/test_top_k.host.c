/* test_top_k.host.c: the reference against what is known by heart, arrays on the host, and what both refuse. */
#include <stdio.h>

#include "test_top_k.h"

enum { MAX_CELLS = 12 };

/* Keys, and the places of the first k in order. */
static const struct row {
    const char *name;
    clprim_top_k_desc desc;
    const void *keys;
    size_t count;
    size_t written;
    uint32_t places[MAX_CELLS];
} rows[] = {
    {"u8", {.key_type = CLPRIM_U8, .k = 3}, (const uint8_t[]){5, 255, 0, 5, 128}, 5, 3, {1, 4, 0}},
    {"u8, ties", {.key_type = CLPRIM_U8, .k = 2}, (const uint8_t[]){5, 7, 5, 5, 7}, 5, 2, {1, 4}},
    {"u8, ties at the threshold", {.key_type = CLPRIM_U8, .k = 3}, (const uint8_t[]){5, 7, 5, 5, 7}, 5, 3, {1, 4, 0}},
    {"i8, unsorted",
     {.key_type = CLPRIM_I8, .k = 3, .unsorted = true, .smallest = true},
     (const int8_t[]){5, -1, 0, -128, 127, -1},
     6,
     3,
     {1, 3, 5}},
    {"default", {.k = 9}, (const uint32_t[]){0x01000000, 0x00ffffff, 0x80000000, 0}, 4, 4, {2, 0, 1, 3}},
    {"i64, smallest",
     {.key_type = CLPRIM_I64, .k = 2, .smallest = true},
     (const int64_t[]){0, INT64_MAX, INT64_MIN, -1, 1},
     5,
     2,
     {2, 3}},
    {"f16", /* NaN, -NaN, inf, -inf, 1, -0, 0, least denormal, its negative, a NaN of less payload */
     {.key_type = CLPRIM_F16, .k = 7},
     (const uint16_t[]){0x7e00, 0xfe00, 0x7c00, 0xfc00, 0x3c00, 0x8000, 0, 1, 0x8001, 0x7c01},
     10,
     7,
     {0, 9, 2, 4, 7, 6, 5}},
    {"f32, smallest",
     {.key_type = CLPRIM_F32, .k = 4, .smallest = true},
     (const float[]){0.0f, -0.0f, 1e-45f, -1e-45f, 3.0f, -3.0f, 3.0f, 1e38f},
     8,
     4,
     {5, 3, 1, 0}},
};

/* By the reference, or by a device: with values of every size that go with the keys, and with indices. */
static void check_row(const struct row *row, clprim_runtime *runtime)
{
    static const size_t value_sizes[] = {0, 0, 0, 1, 2, 4, 8, 16};
    const size_t size = clprim_type_size(row->desc.key_type != CLPRIM_TYPE_DEFAULT ? row->desc.key_type : CLPRIM_U32);
    for (size_t v = 0; v < (runtime == NULL ? 8 : 1); v++) {
        unsigned char keys[MAX_CELLS * 8], expected_keys[MAX_CELLS * 8];
        unsigned char values[MAX_CELLS * 16], source[MAX_CELLS * 16], expected[MAX_CELLS * 16];
        clprim_top_k_desc desc = row->desc;
        desc.indices = v < 2;
        desc.index_type = v == 1 ? CLPRIM_U64 : CLPRIM_U32;
        desc.value_size = value_sizes[v];
        const size_t value_size = top_k_value_size(&desc);
        const clprim_reference_top_k_how how = top_k_how(&desc);
        char what[96];
        (void)snprintf(what, sizeof what, "%s, values of %zu bytes, indices %d", row->name, value_size, desc.indices);
        memset(expected, TOP_K_POISON, sizeof expected);
        memset(values, TOP_K_POISON, sizeof values);
        memset(keys, TOP_K_POISON, sizeof keys);
        memset(expected_keys, TOP_K_POISON, sizeof keys);
        memset(source, 0, sizeof source);
        top_k_fill_values(source, value_size, row->count);
        for (size_t i = 0; i < row->written; i++) {
            const size_t from = row->places[i];
            memcpy(expected_keys + i * size, (const char *)row->keys + from * size, size);
            memcpy(expected + i * value_size, source + from * value_size, value_size);
        }
        void *to = value_size > 0 ? values : NULL;
        const void *from = value_size > 0 && !desc.indices ? source : NULL;
        if (runtime == NULL)
            ASSERT_OK(clprim_reference_top_k(keys, to, &how, row->keys, from, row->count));
        else
            ASSERT_OK(clprim_top_k_run(runtime, &desc,
                                       &(clprim_top_k_call){.keys_in = {.host = (void *)row->keys},
                                                            .values_in = {.host = (void *)from},
                                                            .count = row->count,
                                                            .keys_out = {.host = keys},
                                                            .values_out = {.host = to}}));
        test_expect_same(expected_keys, keys, 1, sizeof keys, what);
        test_expect_same(expected, values, 1, sizeof values, what);
    }
}

Test(top_k_host, reference)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&rows[i], NULL);
}

Test(top_k_host, the_same_by_a_device, .timeout = 120)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = test_is_full() ? 0 : 7; i < sizeof rows / sizeof *rows; i++) /* each compiles */
        check_row(&rows[i], runtime);
    clprim_runtime_destroy(runtime);
}

/* What the reference refuses, too; and then what only a plan knows. The sentence names what is wrong. */
static const struct {
    clprim_top_k_desc desc;
    const char *culprit;
} senseless[] = {
    {{.key_type = CLPRIM_TYPE_END, .k = 1}, "type"},
    {{.key_type = (clprim_type)-1, .k = 1}, "type"},
    {{.k = 0}, "k is 0"},
    {{.k = 1, .value_size = 3}, "value_size"},
    {{.k = 1, .value_size = 32}, "value_size"},
    {{.k = 1, .value_size = SIZE_MAX}, "value_size"},
    {{.k = 1, .variant = (clprim_top_k_variant)-1}, "variant"},
    {{.k = 1, .variant = (clprim_top_k_variant)TOP_K_VARIANTS}, "variant"},
    {{.k = 1, .variant = CLPRIM_TOP_K_SORT, .unsorted = true}, "unsorted"},
    {{.k = 1, .work_group_size = 3}, "work_group_size"},
    {{.k = 1, .work_group_size = SIZE_MAX}, "work_group_size"},
    {{.k = 1, .indices = true, .value_size = 4}, "value_size"},
    {{.k = 1, .indices = true, .index_type = CLPRIM_I32}, "index_type"},
    {{.k = 1, .indices = true, .max_count = (size_t)1 << 33}, "index_type"},
};

enum { NUM_SENSELESS = sizeof senseless / sizeof *senseless, ONLY_A_PLAN_KNOWS = 8 };

static void expect_refusal(clprim_status status, size_t row, const char *by)
{
    cr_assert_eq((int)status, (int)CLPRIM_INVALID_ARGUMENT, "row %zu, %s: %s (%s)", row, by,
                 clprim_status_string(status), clprim_last_error());
    cr_assert_not_null(strstr(clprim_last_error(), senseless[row].culprit), "row %zu, %s: %s is not named in: %s", row,
                       by, senseless[row].culprit, clprim_last_error());
}

Test(top_k_host, descriptions_that_make_no_sense)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < NUM_SENSELESS; i++) {
        const clprim_top_k_desc *desc = &senseless[i].desc;
        const clprim_reference_top_k_how how = top_k_how(desc);
        clprim_plan *plan = NULL;
        uint64_t keys[2] = {77, 7};
        uint64_t out[2] = {99, 99};
        uint64_t values_out[4] = {99, 99, 99, 99};
        void *to = top_k_value_size(desc) > 0 ? values_out : NULL;
        void *from = desc->indices ? NULL : to;
        const clprim_top_k_call call = {.keys_in = {.host = keys},
                                        .values_in = {.host = from},
                                        .count = 2,
                                        .keys_out = {.host = out},
                                        .values_out = {.host = to}};
        expect_refusal(clprim_top_k_create(&plan, runtime, desc), i, "create");
        cr_assert_null(plan);
        expect_refusal(clprim_top_k_run(runtime, desc, &call), i, "run");
        if (i < NUM_SENSELESS - ONLY_A_PLAN_KNOWS)
            expect_refusal(clprim_reference_top_k(out, to, &how, keys, from, 2), i, "the reference");
        cr_assert(out[0] == 99 && out[1] == 99 && values_out[0] == 99 && values_out[3] == 99,
                  "row %zu: a refusal must not write", i);
    }
    clprim_runtime_destroy(runtime);
}

/* Arrays that are missing, or too many; and sizes of values that indices do not have. */
Test(top_k_host, what_the_reference_refuses)
{
    static const clprim_reference_top_k_how alone = {.key_type = CLPRIM_U32, .k = 1};
    static const clprim_reference_top_k_how indices = {.k = 1, .indices = true, .value_size = 4};
    const uint32_t keys[2] = {77, 7};
    uint32_t out[2] = {99, 98};
    uint32_t values_out[2] = {97, 96};
    const struct {
        const clprim_reference_top_k_how *how;
        void *keys_out, *values_out;
        const void *keys, *values;
        const char *culprit;
    } calls[] = {
        {&alone, NULL, NULL, keys, NULL, "keys_out"},        {&alone, out, NULL, NULL, NULL, "keys"},
        {&alone, out, values_out, keys, NULL, "values_out"}, {&alone, out, NULL, keys, keys, "values"},
        {&indices, out, NULL, keys, NULL, "values_out"},     {&indices, out, values_out, keys, keys, "values"},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        ASSERT_STATUS(clprim_reference_top_k(calls[i].keys_out, calls[i].values_out, calls[i].how, calls[i].keys,
                                             calls[i].values, 2),
                      CLPRIM_INVALID_ARGUMENT);
        cr_assert_not_null(strstr(clprim_last_error(), calls[i].culprit), "call %zu: %s", i, clprim_last_error());
    }
    for (size_t size = 1; size <= 16; size *= 2) {
        const clprim_reference_top_k_how how = {.k = 1, .indices = true, .value_size = size};
        if (size != 4 && size != 8)
            ASSERT_STATUS(clprim_reference_top_k(out, values_out, &how, keys, NULL, 2), CLPRIM_INVALID_ARGUMENT);
    }
    cr_assert(out[0] == 99 && out[1] == 98 && values_out[0] == 97 && values_out[1] == 96, "a refusal must not write");
}

/* There is no k by default. */
Test(top_k_host, without_a_description)
{
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *plan = NULL;
    ASSERT_STATUS(clprim_top_k_create(&plan, runtime, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert_null(plan);
    clprim_runtime_destroy(runtime);
}

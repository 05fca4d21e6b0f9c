/* test_sort_by_key.host.c: the reference against what is known by heart, sorts of arrays on the host, and what both
 * refuse. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "test_sort_by_key.h"

typedef struct point {
    float x, y, z;
} point;

/* By the reference (runtime NULL) or by a device. */
static clprim_status sort(void *keys, void *const *arrays, clprim_runtime *runtime, const clprim_sort_by_key_desc *desc,
                          size_t count)
{
    clprim_sort_by_key_call call = {.keys_in = {.host = keys}, .count = count, .keys_out = {.host = keys}};
    const size_t num_arrays = desc != NULL ? by_key_num_arrays(desc) : 1;
    for (size_t a = 0; arrays != NULL && a < num_arrays && a < CLPRIM_SORT_BY_KEY_MAX_ARRAYS; a++)
        call.arrays_in[a].host = call.arrays_out[a].host = arrays[a];
    if (desc != NULL && desc->values_only)
        call.keys_out.host = NULL;
    if (runtime != NULL)
        return clprim_sort_by_key_run(runtime, desc, &call);
    const clprim_reference_sort_by_key_how how =
        desc != NULL ? by_key_how(desc) : (clprim_reference_sort_by_key_how){0};
    return clprim_reference_sort_by_key(keys, arrays, desc != NULL ? &how : NULL, count);
}

/* Three arrays, two of equal keys, whose elements keep their order. */
static void check_by_heart(clprim_runtime *runtime, bool values_only)
{
    const clprim_sort_by_key_desc desc = {
        .num_arrays = 3, .element_sizes = {4, sizeof(point), 1}, .values_only = values_only};
    const point points[] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {-1, -2, -3}};
    const uint32_t known_keys[2][4] = {{7, 7, 40, 0x80000000}, {40, 7, 0x80000000, 7}};
    uint32_t keys[] = {40, 7, 0x80000000, 7};
    uint32_t ids[] = {100, 101, 102, 103};
    point found[4];
    char letters[] = "abcd";
    void *const arrays[] = {ids, found, letters};
    memcpy(found, points, sizeof points);
    ASSERT_OK(sort(keys, arrays, runtime, &desc, 4));
    test_expect_same(known_keys[values_only], keys, sizeof *keys, 4, "keys");
    test_expect_same((const uint32_t[]){101, 103, 100, 102}, ids, sizeof *ids, 4, "ids");
    test_expect_same((const point[]){points[1], points[3], points[0], points[2]}, found, sizeof *found, 4, "points");
    cr_assert_str_eq(letters, "bdac");
}

Test(sort_by_key_host, by_heart)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (int values_only = 0; values_only < 2; values_only++) {
        check_by_heart(NULL, values_only == 1);
        check_by_heart(runtime, values_only == 1);
    }
    clprim_runtime_destroy(runtime);
}

/* Downwards, by some bits, floats of either sign: as the keys' own tests say it. */
Test(sort_by_key_host, reference_takes_the_orders_of_keys)
{
    static const float floats[] = {-0.0f, 0.0f, 3.0f, -3.0f, 3.0f};
    const clprim_reference_sort_by_key_how descending = {
        .key_type = CLPRIM_F32, .descending = true, .element_sizes = {2}};
    const clprim_reference_sort_by_key_how nibble = {
        .key_type = CLPRIM_I32, .bit_range = true, .begin_bit = 4, .end_bit = 8};
    float keys[5];
    uint16_t places[] = {0, 1, 2, 3, 4};
    int32_t numbers[] = {0x12f, -1, 0x7f00, 0x21, 0x1d};
    uint32_t wide[] = {0, 1, 2, 3, 4};
    memcpy(keys, floats, sizeof keys);
    ASSERT_OK(clprim_reference_sort_by_key(keys, (void *const[]){places}, &descending, 5));
    test_expect_same((const uint16_t[]){2, 4, 1, 0, 3}, places, sizeof *places, 5, "descending");
    ASSERT_OK(clprim_reference_sort_by_key(numbers, (void *const[]){wide}, &nibble, 5));
    test_expect_same((const uint32_t[]){2, 4, 0, 3, 1}, wide, sizeof *wide, 5, "by a nibble");
}

/* Arrays that begin anywhere, as far as their elements' alignment allows: a unit of a kernel may be larger. Nothing
 * behind them is written. */
static void check_count(clprim_runtime *runtime, const clprim_sort_by_key_desc *desc, size_t count, size_t shift)
{
    enum { GUARD = 64 };
    const clprim_reference_sort_by_key_how how = by_key_how(desc);
    const clprim_type type = desc->key_type != CLPRIM_TYPE_DEFAULT ? desc->key_type : CLPRIM_U32;
    const size_t num_arrays = 1 + by_key_num_arrays(desc);
    unsigned char *memory[2][BY_KEY_ARRAYS]; /* expected and found */
    void *arrays[2][BY_KEY_ARRAYS];
    size_t bytes[BY_KEY_ARRAYS];
    for (int side = 0; side < 2; side++)
        for (size_t a = 0; a < num_arrays; a++) {
            const size_t size = a == 0 ? by_key_key_size(desc) : by_key_element_size(desc, a - 1);
            bytes[a] = GUARD + count * size + GUARD;
            memory[side][a] = test_allocate(bytes[a]);
            memset(memory[side][a], BY_KEY_POISON, bytes[a]);
            arrays[side][a] = memory[side][a] + (a == 0 ? 0 : shift);
            if (a == 0)
                test_fill(arrays[side][a], type, CLPRIM_MIN, TEST_FEW_DISTINCT, count, TEST_SEED);
            else
                by_key_fill(arrays[side][a], size, a, count);
        }
    ASSERT_OK(clprim_reference_sort_by_key(arrays[0][0], &arrays[0][1], &how, count));
    ASSERT_OK(sort(arrays[1][0], &arrays[1][1], runtime, desc, count));
    for (size_t a = 0; a < num_arrays; a++) {
        char what[96];
        (void)snprintf(what, sizeof what, "%zu elements, shifted by %zu bytes: array %zu", count, shift, a);
        test_expect_same(memory[0][a], memory[1][a], 1, bytes[a], what);
        free(memory[0][a]);
        free(memory[1][a]);
    }
}

Test(sort_by_key_host, arrays_that_begin_anywhere, .timeout = 120)
{
    static const clprim_sort_by_key_desc descs[] = {
        {0}, /* the programs of test_sort_by_key.c */
        {.num_arrays = 3, .element_sizes = {4, 12, 64}},
        {.key_type = CLPRIM_U16, .values_only = true, .descending = true, .element_sizes = {16}},
    };
    static const size_t counts[] = {0, 1, 5, 1000, 70001};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t d = 0; d < sizeof descs / sizeof *descs; d++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            for (size_t shift = 0; shift <= 12; shift += 4)
                check_count(runtime, &descs[d], counts[i], shift);
    clprim_runtime_destroy(runtime);
}

/* No runtime: the default one. No description: an array of 4 bytes by U32, upwards. No elements: no arrays. */
Test(sort_by_key_host, defaults)
{
    uint32_t keys[2][3] = {{7, 0x80000000, 0}, {7, 0x80000000, 0}};
    uint32_t elements[2][3] = {{1, 2, 3}, {1, 2, 3}};
    ASSERT_OK(clprim_sort_by_key_run(NULL, NULL,
                                     &(clprim_sort_by_key_call){.keys_in = {.host = keys[0]},
                                                                .arrays_in = {{.host = elements[0]}},
                                                                .count = 3,
                                                                .keys_out = {.host = keys[0]},
                                                                .arrays_out = {{.host = elements[0]}}}));
    ASSERT_OK(clprim_reference_sort_by_key(keys[1], (void *const[]){elements[1]}, NULL, 3));
    for (int i = 0; i < 2; i++) {
        test_expect_same((const uint32_t[]){0, 7, 0x80000000}, keys[i], sizeof(uint32_t), 3, "keys");
        test_expect_same((const uint32_t[]){3, 1, 2}, elements[i], sizeof(uint32_t), 3, "elements");
    }
    ASSERT_OK(clprim_sort_by_key_run(NULL, NULL, &(clprim_sort_by_key_call){0}));
    ASSERT_OK(clprim_reference_sort_by_key(NULL, NULL, NULL, 0));
}

/* What the reference refuses, too; and then what only a plan knows. The sentence names what is wrong. */
static const struct {
    clprim_sort_by_key_desc desc;
    const char *culprit;
} senseless[] = {
    {{.key_type = CLPRIM_TYPE_END}, "type"},
    {{.key_type = (clprim_type)-1}, "type"},
    {{.num_arrays = 17}, "num_arrays"},
    {{.num_arrays = SIZE_MAX}, "num_arrays"},
    {{.element_sizes = {257}}, "element_sizes"},
    {{.num_arrays = 3, .element_sizes = {1, 2, SIZE_MAX}}, "element_sizes"},
    {{.element_sizes = {4, 4}}, "element_sizes"},
    {{.num_arrays = 2, .element_sizes = {4, 4, 4}}, "element_sizes"},
    {{.end_bit = 8}, "bit_range"},
    {{.bit_range = true, .begin_bit = 9, .end_bit = 8}, "begin_bit"},
    {{.bit_range = true, .begin_bit = 8}, "begin_bit"},
    {{.variant = (clprim_radix_sort_variant)-1}, "variant"},
    {{.variant = (clprim_radix_sort_variant)(CLPRIM_RADIX_SORT_CPU_BUCKETS + 1)}, "variant"},
    {{.work_group_size = 3}, "work_group_size"},
    {{.num_arrays = 2, .work_group_size = SIZE_MAX}, "work_group_size"},
};

enum { NUM_SENSELESS = sizeof senseless / sizeof *senseless, ONLY_A_PLAN_KNOWS = 4 };

Test(sort_by_key_host, descriptions_that_make_no_sense)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < NUM_SENSELESS; i++) {
        const clprim_sort_by_key_desc *desc = &senseless[i].desc;
        clprim_plan *plan = NULL;
        uint64_t keys[2] = {77, 7};
        uint64_t elements[17][2] = {{99, 98}};
        void *arrays[17];
        for (size_t a = 0; a < 17; a++)
            arrays[a] = elements[a];
        ASSERT_STATUS(clprim_sort_by_key_create(&plan, runtime, desc), CLPRIM_INVALID_ARGUMENT);
        cr_assert_not_null(strstr(clprim_last_error(), senseless[i].culprit), "row %zu: %s", i, clprim_last_error());
        cr_assert_null(plan);
        for (int by_device = 0; by_device < (i < NUM_SENSELESS - ONLY_A_PLAN_KNOWS ? 2 : 1); by_device++) {
            ASSERT_STATUS(sort(keys, arrays, by_device == 0 ? runtime : NULL, desc, 2), CLPRIM_INVALID_ARGUMENT);
            cr_assert_not_null(strstr(clprim_last_error(), senseless[i].culprit), "row %zu: %s", i,
                               clprim_last_error());
        }
        cr_assert(keys[0] == 77 && keys[1] == 7 && elements[0][0] == 99 && elements[0][1] == 98,
                  "row %zu: a refusal must not write", i);
    }
    clprim_runtime_destroy(runtime);
}

/* Arrays that are missing, or too many elements. */
Test(sort_by_key_host, arrays_that_do_not_fit_the_description)
{
    static const clprim_sort_by_key_desc desc = {.num_arrays = 3, .element_sizes = {4, 12, 64}, .max_count = 2};
    clprim_runtime *runtime = test_runtime(NULL);
    uint32_t keys[] = {7, 5, 3};
    static unsigned char elements[3][192];
    void *const arrays[] = {elements[0], elements[1], elements[2]};
    void *const holed[] = {elements[0], elements[1], NULL};
    for (int by_device = 0; by_device < 2; by_device++) {
        clprim_runtime *by = by_device == 1 ? runtime : NULL;
        ASSERT_STATUS(sort(NULL, arrays, by, &desc, 2), CLPRIM_INVALID_ARGUMENT);
        cr_assert_not_null(strstr(clprim_last_error(), "keys"));
        ASSERT_STATUS(sort(keys, NULL, by, &desc, 2), CLPRIM_INVALID_ARGUMENT);
        cr_assert_not_null(strstr(clprim_last_error(), "arrays"));
        ASSERT_STATUS(sort(keys, holed, by, &desc, 2), CLPRIM_INVALID_ARGUMENT);
        cr_assert_not_null(strstr(clprim_last_error(), "arrays"));
    }
    ASSERT_STATUS(sort(keys, arrays, runtime, &desc, 3), CLPRIM_INVALID_RANGE);
    cr_assert_neq((int)sort(keys, arrays, runtime, NULL, SIZE_MAX), (int)CLPRIM_SUCCESS);
    cr_assert_neq((int)sort(keys, arrays, runtime, NULL, SIZE_MAX / 256), (int)CLPRIM_SUCCESS);
    cr_assert(keys[0] == 7 && keys[1] == 5 && keys[2] == 3, "a refusal must not write");
    clprim_runtime_destroy(runtime);
}

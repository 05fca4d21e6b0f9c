/* test_sort_by_key.host.c: the reference against what is known by heart, defaults, and what is refused. */
#include "call.h"

static const clprim_operation *const face = &clprim_sort_by_key_operation;

typedef struct point {
    float x, y, z;
} point;

/* Three arrays, two of equal keys, whose elements keep their order. */
Test(sort_by_key_host, by_heart)
{
    point points[] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {-1, -2, -3}}, sorted_points[4];
    uint32_t keys[] = {40, 7, 0x80000000, 7}, sorted_keys[4];
    uint32_t ids[] = {100, 101, 102, 103}, sorted_ids[4];
    char letters[] = "abcd", sorted_letters[] = "????";
    const clprim_sort_by_key_call call = {
        .keys_in = {.host = keys},
        .arrays_in = {{.host = ids}, {.host = points}, {.host = letters}},
        .count = 4,
        .keys_out = {.host = sorted_keys},
        .arrays_out = {{.host = sorted_ids}, {.host = sorted_points}, {.host = sorted_letters}}};
    for (int values_only = 0; values_only < 2; values_only++) {
        const clprim_sort_by_key_desc desc = {
            .num_arrays = 3, .element_sizes = {4, sizeof(point), 1}, .values_only = values_only == 1};
        ASSERT_OK(test_reference(face, &desc, &call));
        test_expect_same((const uint32_t[]){7, 7, 40, 0x80000000}, sorted_keys, sizeof *keys, 4, "keys");
        test_expect_same((const uint32_t[]){40, 7, 0x80000000, 7}, keys, sizeof *keys, 4, "keys as they were");
        test_expect_same((const uint32_t[]){101, 103, 100, 102}, sorted_ids, sizeof *ids, 4, "ids");
        test_expect_same((const point[]){points[1], points[3], points[0], points[2]}, sorted_points, sizeof *points, 4,
                         "points");
        cr_assert_str_eq(sorted_letters, "bdac");
    }
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
        clprim_reference_sort_by_key_how how = {.key_type = desc->key_type,
                                                .bit_range = desc->bit_range,
                                                .begin_bit = desc->begin_bit,
                                                .end_bit = desc->end_bit,
                                                .num_arrays = desc->num_arrays};
        memcpy(how.element_sizes, desc->element_sizes, sizeof how.element_sizes);
        test_expect_refused(runtime, face, desc, false, senseless[i].culprit);
        if (i >= NUM_SENSELESS - ONLY_A_PLAN_KNOWS)
            continue;
        ASSERT_STATUS(clprim_reference_sort_by_key(NULL, NULL, &how, 0), CLPRIM_INVALID_ARGUMENT);
        cr_assert_not_null(strstr(clprim_last_error(), senseless[i].culprit), "row %zu: %s", i, clprim_last_error());
    }
    clprim_runtime_destroy(runtime);
}

/* The reference's arrays that are missing, or too many elements. */
Test(sort_by_key_host, arrays_that_do_not_fit_the_description)
{
    static const clprim_reference_sort_by_key_how how = {.num_arrays = 3, .element_sizes = {4, 12, 64}};
    static unsigned char elements[3][192];
    uint32_t keys[] = {7, 5, 3};
    void *const arrays[] = {elements[0], elements[1], elements[2]};
    void *const holed[] = {elements[0], elements[1], NULL};
    const struct {
        void *keys;
        void *const *arrays;
        const char *culprit;
    } calls[] = {{NULL, arrays, "keys"}, {keys, NULL, "arrays"}, {keys, holed, "arrays"}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        ASSERT_STATUS(clprim_reference_sort_by_key(calls[i].keys, calls[i].arrays, &how, 2), CLPRIM_INVALID_ARGUMENT);
        cr_assert_not_null(strstr(clprim_last_error(), calls[i].culprit), "call %zu: %s", i, clprim_last_error());
    }
    cr_assert_neq((int)clprim_reference_sort_by_key(keys, arrays, NULL, SIZE_MAX), (int)CLPRIM_SUCCESS);
    cr_assert_neq((int)clprim_reference_sort_by_key(keys, arrays, NULL, SIZE_MAX / 256), (int)CLPRIM_SUCCESS);
    cr_assert(keys[0] == 7 && keys[1] == 5 && keys[2] == 3, "a refusal must not write");
}

// SPDX-License-Identifier: MIT
/* operators.c: of the guide of that name: a caller's operator over a caller's struct, predicates, an order, and a
 * mistake in a text. */
#include "guide.h"

#include <string.h>

typedef struct span {
    cl_uint begin, end;
} span;

static clprim_status find_longest(void)
{
    static const clprim_custom_op longest = {
        .type_name = "span",
        .type_size = sizeof(span),
        .source = "typedef struct { uint begin, end; } span;",
        .combine = "(a.end - a.begin >= b.end - b.begin) ? a : b",
        .identity = "(span){0, 0}",
        .non_commutative = true, /* of two that are equally long the left one */
    };
    span spans[] = {{0, 3}, {3, 10}, {10, 12}, {12, 19}};
    span found = {0};
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_reduce_desc desc = {.custom = &longest};
    TRY(clprim_reduce_run(NULL, &desc,
                          &(clprim_reduce_call){.in = {.host = spans}, .count = 4, .out = {.host = &found}}));
    EXPECT(found.begin == 3 && found.end == 10);
done:
    return status;
}

static clprim_status keep_some(void)
{
    float samples[] = {0.25F, 2, -3, 0.75F, 1.5F};
    float kept[5] = {0};
    cl_uint count = 0;
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_select_desc desc = {.type = CLPRIM_F32, .predicate = "x > 0.5f && i > 0"};
    TRY(clprim_select_run(
        NULL, &desc,
        &(clprim_select_call){
            .in = {.host = samples}, .count = 5, .out = {.host = kept}, .out_count = {.host = &count}}));
    EXPECT(count == 3 && kept[0] == 2 && kept[2] == 1.5F);
done:
    return status;
}

/* Where two arrays differ, and where a value is. */
static clprim_status find_first(void)
{
    float samples[] = {0.25F, 2, -3, 0.75F, 1.5F};
    float others[] = {0.25F, 2, -3, 0.5F, 1.5F};
    float value = -3;
    cl_uint at = 0;
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_find_desc mismatch = {
        .type = CLPRIM_F32, .predicate = "x != b[i]", .text.parameters = {{"b", CLPRIM_F32, .is_array = true}}};
    TRY(clprim_find_run(
        NULL, &mismatch,
        &(clprim_find_call){
            .in = {.host = samples}, .arguments = {{.host = others}}, .count = 5, .out = {.host = &at}}));
    EXPECT(at == 3);
    const clprim_find_desc equal = {
        .type = CLPRIM_F32, .predicate = "x == value", .text.parameters = {{.name = "value", .type = CLPRIM_F32}}};
    TRY(clprim_find_run(
        NULL, &equal,
        &(clprim_find_call){
            .in = {.host = samples}, .arguments = {{.host = &value}}, .count = 5, .out = {.host = &at}}));
    EXPECT(at == 2);
done:
    return status;
}

/* Is it in the order of the last decimal digit? */
static clprim_status look_at_order(void)
{
    cl_uint numbers[] = {40, 11, 21, 7, 17, 8, 3};
    cl_uint until = 0;
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_is_sorted_desc desc = {.less = "a % 10 < b % 10"};
    TRY(clprim_is_sorted_run(NULL, &desc,
                             &(clprim_is_sorted_call){.in = {.host = numbers}, .count = 7, .out = {.host = &until}}));
    EXPECT(until == 6);
done:
    return status;
}

static clprim_status make_a_mistake(void)
{
    cl_uint numbers[] = {1, 2};
    cl_uint until = 0;
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_is_sorted_desc desc = {.less = "a % 10 < c % 10"};
    const clprim_status refused = clprim_is_sorted_run(
        NULL, &desc, &(clprim_is_sorted_call){.in = {.host = numbers}, .count = 2, .out = {.host = &until}});
    EXPECT(refused == CLPRIM_BUILD_FAILED);
    printf("%s\n", clprim_last_error());
    EXPECT(strstr(clprim_last_error(), "less") != NULL);
done:
    return status;
}

int main(void)
{
    return find_longest() != CLPRIM_SUCCESS || keep_some() != CLPRIM_SUCCESS || find_first() != CLPRIM_SUCCESS ||
           look_at_order() != CLPRIM_SUCCESS || make_a_mistake() != CLPRIM_SUCCESS;
}

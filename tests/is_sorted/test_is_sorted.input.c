// SPDX-License-Identifier: MIT
/* test_is_sorted.input.c: elements that come from an expression, of the caller's type and halves. Every variant gives
 * the reference's result for the same elements in an array. */
#include "ordered.h"

enum { MAX_COUNT = 70001 };

static const size_t counts[] = {0, 1, 2, 255, 1025, 16385, MAX_COUNT};

typedef struct point {
    float x, y, z;
} point;

static bool is_nearer(const void *a, const void *b)
{
    const point *p = a;
    const point *q = b;
    return p->x + p->y < q->x + q->y;
}

static void check(test_call *self, const clprim_reference_order *by, const void *elements, size_t count,
                  const clprim_is_sorted_call *arguments, const char *what)
{
    clprim_is_sorted_call call = *arguments;
    size_t until = 0;
    ASSERT_OK(clprim_reference_is_sorted(&until, by, elements, count));
    uint32_t expected = (uint32_t)until;
    call.count = count;
    call.out.host = &expected;
    test_call_fill(self, &call, count);
    test_call_check(self, "%s: %zu elements, sorted up to %zu", what, count, until);
}

/* Elements of 12 bytes, which do not form packets; all numbers are whole. The array is in order except at one place,
 * which varies. */
TEST_BY_VARIANT(is_sorted_input, may_be_of_the_callers_own_type, clprim_is_sorted_operation)
{
    const clprim_is_sorted_desc desc = {
        .type_name = "point",
        .type_size = sizeof(point),
        .text.source = "typedef struct { float x, y, z; } point;",
        .text.parameters = {{"x", CLPRIM_F32, .is_array = true}, {"scale", CLPRIM_F32}},
        .less = "a.x + a.y < b.x + b.y",
        .input = "(point){scale * x[i], i % 2, 0}",
        .variant = (clprim_is_sorted_variant)variant,
    };
    const clprim_reference_order by = {.size = sizeof(point), .before = is_nearer};
    static float x[MAX_COUNT];
    static point points[MAX_COUNT];
    float scale = 2;
    for (size_t i = 0; i < MAX_COUNT; i++) {
        x[i] = (float)(i / 2);
        points[i] = (point){scale * x[i], i % 2, 0};
    }
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_is_sorted_operation, &desc))
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            for (size_t wrong = 1; wrong <= counts[i]; wrong = wrong == counts[i] ? wrong + 1 : counts[i]) {
                const size_t place = counts[i] - wrong; /* the last one, then the first one */
                const float right = x[place];
                points[place].x = scale * (x[place] = place == 0 ? 7 : -1);
                check(&self, &by, points, counts[i],
                      &(clprim_is_sorted_call){.arguments = {{.host = x}, {.host = &scale}}}, "points");
                points[place].x = scale * (x[place] = right);
            }
}

TEST_WITH_RUNTIME(is_sorted_input, may_be_halves)
{
    const clprim_is_sorted_desc desc = {.type = CLPRIM_F16, .descending = true, .input = "1000 - (int)i"};
    const clprim_reference_order by = {.type = CLPRIM_F16, .size = sizeof(uint16_t), .descending = true};
    static uint16_t halves[5000];
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++)
        halves[i] = clprim_half_from_float(1000 - (float)i);
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_is_sorted_operation, &desc))
        check(&self, &by, halves, sizeof halves / sizeof *halves, &(clprim_is_sorted_call){.count = 0}, "halves");
}

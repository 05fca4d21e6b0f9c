// SPDX-License-Identifier: MIT
/* records.c: records that are sorted by several of their members. */
#include "records.h"

#include <clprim/reference.h>
#include <math.h>
#include <stdlib.h>

#include "order.h"

#define KEY(text_, type_, member)  KEY_BY(text_, type_, member, false)
#define DOWN(text_, type_, member) KEY_BY(text_, type_, member, true)
#define KEY_BY(text_, type_, member, descending_)                                                                      \
    {                                                                                                                  \
        .text = (text_), .type = CLPRIM_##type_, .place = offsetof(test_record, member), .descending = (descending_)   \
    }
#define HALF "vload_half(0, (const __global half *)&r[i].half_bits)"

const test_record_order test_record_orders[TEST_RECORD_ORDERS] = {
    {.name = "56 bits",
     .keys = {KEY("r[i].price", F32, price), DOWN("r[i].kind", U8, kind), KEY("r[i].level", I16, level)}},
    {.name = "24 bits", .keys = {KEY("r[i].kind", U8, kind), DOWN("r[i].level", I16, level)}},
    {.name = "16 bits", .keys = {DOWN("r[i].sign", I8, sign), KEY("r[i].kind", U8, kind)}},
    {.name = "64 bits, NaNs last",
     .keys = {KEY("r[i].level", I16, level), KEY(HALF, F16, half), DOWN("r[i].price", F32, price)},
     .nan_order = CLPRIM_NAN_LAST},
    {.name = "eight keys",
     .keys = {KEY("r[i].kind", U8, kind), DOWN("r[i].sign", I8, sign), KEY("r[i].level", U8, level),
              DOWN("r[i].number", U8, number), KEY("r[i].day", I8, day), KEY("r[i].level >> 8", I8, level),
              KEY("r[i].number >> 8", U8, number), DOWN("r[i].day >> 8", I8, day)}},
    {.name = "one key", .keys = {DOWN("r[i].price", F32, price)}},
};

clprim_sort_keys test_further_keys(const test_record_order *order)
{
    clprim_sort_keys then = {.inputs = {NULL}};
    for (size_t k = 1; k < CLPRIM_MAX_KEYS && order->keys[k].text != NULL; k++) {
        then.inputs[k - 1] = order->keys[k].text;
        then.types[k - 1] = order->keys[k].type;
        then.descending[k - 1] = order->keys[k].descending;
    }
    return then;
}

void test_fill_records(test_record *out, size_t count, uint64_t seed)
{
    static const float prices[] = {1.5F, -1.5F, 0.0F, -0.0F, 1e30F, -1e-30F, 77, -78, INFINITY, -INFINITY, NAN, NAN};
    static const uint16_t halves[] = {0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 1};
    static const int16_t levels[] = {INT16_MIN, -1, 0, 1, INT16_MAX, 300, -300};
    static const uint8_t kinds[] = {0, 1, 127, 128, 255};
    static const int32_t days[] = {0, -1, 255, 256, -257, INT32_MIN};
    uint64_t state = seed ^ TEST_SEED;
    for (size_t i = 0; i < count; i++) {
        test_record *r = &out[i];
        const size_t price = test_random_below(&state, sizeof prices / sizeof *prices);
        memset(r, 0, sizeof *r);
        r->price = price + 1 < sizeof prices / sizeof *prices ? prices[price] : copysignf(NAN, -1);
        r->half = halves[test_random_below(&state, sizeof halves / sizeof *halves)];
        r->level = levels[test_random_below(&state, sizeof levels / sizeof *levels)];
        r->kind = kinds[test_random_below(&state, sizeof kinds / sizeof *kinds)];
        r->sign = (int8_t)kinds[test_random_below(&state, sizeof kinds / sizeof *kinds)];
        r->number = (uint16_t)(test_random_below(&state, 3) * 129);
        r->day = days[test_random_below(&state, sizeof days / sizeof *days)];
    }
}

/* For the function that qsort calls. */
static const test_record *sorted;
static const test_record_order *sorted_by;

/* The value of a key. If its expression shifts it, it begins one byte after its member. */
static const void *value_of(const test_record *record, const test_record_key *key)
{
    return (const char *)record + key->place + (strstr(key->text, ">> 8") != NULL);
}

static int compare(const void *a, const void *b)
{
    const uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
    for (const test_record_key *key = sorted_by->keys; key < sorted_by->keys + CLPRIM_MAX_KEYS && key->text != NULL;
         key++) {
        const clprim_reference_order by = {
            .type = key->type, .descending = key->descending, .nan_order = sorted_by->nan_order};
        const void *x = value_of(&sorted[first], key), *y = value_of(&sorted[second], key);
        if (clprim__comes_before(&by, x, y) || clprim__comes_before(&by, y, x))
            return clprim__comes_before(&by, x, y) ? -1 : 1;
    }
    return first < second ? -1 : first > second;
}

void test_sort_records(uint32_t *out, const test_record *records, size_t first, size_t count,
                       const test_record_order *order)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (uint32_t)(first + i);
    sorted = records;
    sorted_by = order;
    qsort(out, count, sizeof *out, compare);
}

void test_check_scratch(const test_call *self, const char *what)
{
    enum { MARGIN = 4096 };
    size_t bytes = 0;
    ASSERT_OK(clprim_plan_scratch_size(&bytes, self->plan, self->call.bytes));
    unsigned char *before = test_allocate(bytes + MARGIN), *after = test_allocate(bytes + MARGIN);
    memset(before, TEST_POISON, bytes + MARGIN);
    cl_mem scratch = test_upload(self->runtime, before, bytes + MARGIN);
    ASSERT_OK(clprim_plan_set_scratch(self->plan, scratch));
    test_call_reset(self);
    test_call_check(self, "%s, scratch memory of the test's", what);
    test_read(self->runtime, after, scratch, bytes + MARGIN);
    test_expect_kept(before, after, 0, bytes, bytes + MARGIN, what);
    ASSERT_OK(clprim_plan_set_scratch(self->plan, NULL));
    ASSERT_CL(clReleaseMemObject(scratch));
    free(before);
    free(after);
}

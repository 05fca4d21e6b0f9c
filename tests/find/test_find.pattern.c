// SPDX-License-Identifier: MIT
/* test_find.pattern.c: the first occurrence of a pattern, as in docs/guides/expressions.md, with every variant:
 * patterns of one element and of all, at the beginning, at the end, absent, overlapping themselves. The result is
 * compared with an element-by-element search. */
#include "ordered.h"

enum { MAX_COUNT = 5003, MAX_PATTERN = 300 };

static const size_t counts[] = {1, 2, 3, 31, 64, 65, 257, 1000, MAX_COUNT};
static const size_t lengths[] = {1, 2, 3, 16, 17, 64, 255, MAX_PATTERN};

static uint8_t text[MAX_COUNT], pattern[MAX_PATTERN];

static const clprim_find_desc search = {
    .type = CLPRIM_U8,
    .predicate = "x == p[0] && matches(text + i, p, m)",
    .text = {
        .source = "static bool matches(const __global uchar *a, const __global uchar *p, ulong m)\n"
                  "{\n"
                  "    ulong k = 1;\n"
                  "    while (k < m && a[k] == p[k])\n"
                  "        k++;\n"
                  "    return k == m;\n"
                  "}",
        .parameters = {{"text", CLPRIM_U8, .is_array = true}, {"p", CLPRIM_U8, .is_array = true}, {"m", CLPRIM_U64}}}};

static uint32_t first_place(size_t count, size_t length)
{
    size_t place = 0;
    while (place + length <= count && memcmp(text + place, pattern, length) != 0)
        place++;
    return (uint32_t)place; /* count - length + 1: absent */
}

/* Choose the elements, and put the pattern into them. With few distinct elements, the pattern begins in many places. */
static void fill(size_t count, size_t length, size_t way, uint64_t seed)
{
    for (size_t i = 0; i < count; i++)
        text[i] = (uint8_t)(way % 2 == 0 ? test_random_below(&seed, 2) : test_random(&seed));
    for (size_t k = 0; k < length; k++)
        pattern[k] = (uint8_t)(way % 2 == 0 ? test_random_below(&seed, 2) : test_random(&seed));
    if (way >= 6) { /* all are equal, except for the last element of the pattern */
        memset(text, 7, count);
        memset(pattern, 7, length);
        pattern[length - 1] = way == 6 ? 8 : 7;
    } else if (way >= 2) {
        memcpy(text + (way < 4 ? 0 : count - length), pattern, length);
    }
}

TEST_BY_VARIANT(find_pattern, as_element_by_element, clprim_find_operation)
{
    clprim_find_desc desc = search;
    desc.variant = (clprim_find_variant)variant;
    desc.work_group_size = variant == 0 ? 0 : 64;
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_find_operation, &desc))
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            for (size_t l = 0; l < sizeof lengths / sizeof *lengths && lengths[l] <= counts[i]; l++)
                for (size_t way = 0; way < 8; way++) {
                    uint64_t m = lengths[l];
                    fill(counts[i], lengths[l], way, TEST_SEED + 100 * i + 10 * l + way);
                    uint32_t place = first_place(counts[i], lengths[l]);
                    const clprim_find_call call = {.in = {.host = text},
                                                   .arguments = {{.host = text, .length = counts[i]},
                                                                 {.host = pattern, .length = lengths[l]},
                                                                 {.host = &m}},
                                                   .count = counts[i] - lengths[l] + 1,
                                                   .out = {.host = &place}};
                    test_call_fill(&self, &call, TEST_SEED + way);
                    test_call_check(&self, "%zu of %zu elements, way %zu", lengths[l], counts[i], way);
                }
}

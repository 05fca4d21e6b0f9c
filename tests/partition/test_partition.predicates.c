// SPDX-License-Identifier: MIT
/* test_partition.predicates.c: two predicates over elements and indices, which overlap; flags together with a second
 * predicate; structs, elements from an expression, and counts on the device; outputs that an expression computes for
 * all parts; refusals. */
#include <math.h>

#include "folds.h"
#include "picked.h"
#include "test_partition.h"

enum { MAX_COUNT = 20011 };

typedef struct span {
    uint32_t begin, end;
    int32_t weight;
} span;

/* The host's version of the division by x and i. */
typedef struct predicate_case {
    clprim_partition_desc desc;
    test_pattern pattern;
    uint8_t (*part)(const void *element, uint64_t i);
} predicate_case;

#define PART(name, type, first, second)                                                                                \
    static uint8_t name(const void *element, uint64_t i)                                                               \
    {                                                                                                                  \
        const type x = *(const type *)element;                                                                         \
        (void)x;                                                                                                       \
        (void)i;                                                                                                       \
        return (first) ? 0 : (second) ? 1 : 2;                                                                         \
    }
PART(by_size, int32_t, x < -1000000000, x < 1000000000)
PART(by_none, int8_t, false, false)
PART(by_second, uint16_t, false, true)
PART(by_index, uint8_t, i % 3 == 1, i % 2 == 0)
PART(by_high_bits, uint64_t, (x & UINT64_C(0x7000000000)) != 0, (x & UINT64_C(0x100000000000)) != 0)
PART(by_half, uint16_t, clprim_half_to_float(x) > 0.5f, clprim_half_to_float(x) > -0.5f)
PART(by_nan, float, isnan(x), x < 0)
PART(by_zero, uint64_t, x == 0, x << 1 == 0) /* the bits of a double */
PART(by_weight, span, x.weight > 0, x.end > x.begin)
PART(by_flag, int16_t, i % 5 == 2, x < 0)

#define SPAN                                                                                                           \
    .type_name = "span", .type_size = 12, .text.source = "typedef struct { uint begin, end; int weight; } span;"

static const predicate_case cases[] = {
    {{.type = CLPRIM_I32, .predicate = "x < -1000000000", .second_predicate = "x < 1000000000"}, TEST_RANDOM, by_size},
    {{.type = CLPRIM_I8, .predicate = "false", .second_predicate = "0"}, TEST_RANDOM, by_none},
    {{.type = CLPRIM_U16, .predicate = "0.0f", .second_predicate = "0.5f"}, TEST_RANDOM, by_second},
    {{.type = CLPRIM_U8, .predicate = "i % 3 == 1", .second_predicate = "i % 2 == 0"}, TEST_RANDOM, by_index},
    {{.type = CLPRIM_U64, .predicate = "x & 0x7000000000ul", .second_predicate = "x & 0x100000000000ul"},
     TEST_RANDOM,
     by_high_bits},
    {{.type = CLPRIM_F16, .predicate = "x > 0.5f", .second_predicate = "x > -0.5f"}, TEST_SPECIALS, by_half},
    {{.type = CLPRIM_F32, .predicate = "isnan(x)", .second_predicate = "x < 0"}, TEST_SPECIALS, by_nan},
    {{.type = CLPRIM_F64, .predicate = "as_long(x) == 0", .second_predicate = "x == 0"}, TEST_SPECIALS, by_zero},
    {{SPAN, .predicate = "x.weight > 0", .second_predicate = "x.end > x.begin"}, TEST_RANDOM, by_weight},
    {{.type = CLPRIM_I16, .flags_type = CLPRIM_U16, .second_predicate = "x < 0"}, TEST_RANDOM, by_flag},
};

TEST_BY_VARIANT(partition_predicates, overlap, clprim_partition_operation)
{
    static const size_t counts[] = {0, 1, 2, 3, 255, 256, 257, 513, 1025, 4097, MAX_COUNT};
    static uint8_t part[MAX_COUNT];
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        clprim_partition_desc desc = cases[c].desc;
        desc.variant = (clprim_select_variant)variant;
        desc.separate = variant == CLPRIM_SELECT_LOOK_BACK || c % 2 == 0;
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_partition_operation, &desc))
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
                const test_turn turn = {
                    .kinds = 1, .count = counts[i], .pattern = cases[c].pattern, .seed = TEST_SEED + i};
                test_struct call;
                test_fill_turn(&self, &call, &turn);
                const char *in = ((clprim_partition_call *)(void *)call.bytes)->in.host;
                for (size_t k = 0; k < counts[i]; k++)
                    part[k] = cases[c].part(in + k * self.plan->slots[0].element_size, k);
                partition_check(&self, &call, part, &turn);
            }
    }
}

/* Partition indices by a table, with a count on the device. */
TEST_BY_VARIANT(partition_predicates, input_and_counts_on_the_device, clprim_partition_operation)
{
    static uint8_t table[MAX_COUNT];
    static uint32_t made[3][MAX_COUNT];
    const clprim_partition_desc desc = {
        .type = CLPRIM_U32,
        .input = "i * 3",
        .predicate = "table[i] == limit",
        .second_predicate = "table[i] >= limit",
        .text.parameters = {{"table", CLPRIM_U8, .is_array = true}, {"limit", CLPRIM_I32}},
        .separate = true,
        .count_at_type = CLPRIM_U64,
        .variant = (clprim_select_variant)variant};
    int32_t limit = 3;
    for (size_t i = 0; i < MAX_COUNT; i++)
        table[i] = (uint8_t)(i * 7919 >> 3) % 7;
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_partition_operation, &desc))
        for (size_t count = 0; count <= MAX_COUNT; count = 3 * count + 1) {
            uint64_t counted = count - count / 3;
            uint32_t numbers[3] = {0};
            for (uint32_t i = 0; i < counted; i++) {
                const int p = table[i] == limit ? 0 : table[i] >= limit ? 1 : 2;
                made[p][numbers[p]++] = i * 3;
            }
            test_call_fill(&self,
                           &(clprim_partition_call){.arguments = {{.host = table}, {.host = &limit}},
                                                    .count_at = {.host = &counted},
                                                    .count = count,
                                                    .out = {.host = made[0]},
                                                    .second_out = {.host = made[1]},
                                                    .rest_out = {.host = made[2]},
                                                    .out_count = {.host = &numbers[0]},
                                                    .second_count = {.host = &numbers[1]},
                                                    .rest_count = {.host = &numbers[2]}},
                           TEST_SEED + count);
            test_call_check(&self, "%zu elements", count);
        }
}

/* All elements are stored in one array. CPU_CHUNK meets all expressions, the other variant every third one. */
TEST_BY_VARIANT(partition_output, is_made_of_all_elements, clprim_partition_operation)
{
    static const size_t counts[] = {0, 1, 2, 127, 128, 129, 511, 513, 1023, 1025, 4097, MAX_COUNT};
    for (size_t row = 0; row < TEST_PICKED && variant != CLPRIM_SELECT_LOOK_BACK; row++) {
        if (variant != CLPRIM_SELECT_CPU_CHUNK && (row + (size_t)variant) % 3 != 0 && !test_is_full())
            continue;
        const clprim_partition_desc desc = {.flags_type = row % 4 == 3 ? CLPRIM_U8 : CLPRIM_TYPE_DEFAULT,
                                            .count_at_type = row % 3 == 0 ? CLPRIM_U64 : CLPRIM_TYPE_DEFAULT,
                                            .work_group_size = row % 2 == 0 ? 0 : 32,
                                            .items_per_work_item = row % 3 == 0 ? 0 : 4,
                                            .variant = (clprim_select_variant)variant};
        TEST_WITH_CALL(self, test_picked_create(&self, runtime, &clprim_partition_operation, &desc, row))
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
                test_picked_check(&self, counts[i], TEST_SEED + i);
    }
}

/* The expression is evaluated once for each element, also if parts have separate arrays. */
TEST_BY_VARIANT(partition_output, is_computed_once_for_each_element, clprim_partition_operation)
{
    enum { COUNT = 1003 };
    static uint32_t in[COUNT + 3];
    static uint32_t out[3][COUNT], times[COUNT];
    cl_mem memory = test_upload(runtime, in, sizeof in);
    for (int separate = variant == CLPRIM_SELECT_LOOK_BACK; separate < 2; separate++) {
        uint32_t numbers[3] = {0};
        uint32_t expected[3] = {0};
        for (size_t i = 0; i < COUNT; i++) {
            expected[(i * 7919 >> 3) % 3 == 1 ? 0 : i % 4 == 0 ? 1 : 2]++;
            times[i] = 1;
        }
        const clprim_partition_desc desc = {.type = CLPRIM_U32,
                                            .predicate = TEST_PICKED_PREDICATE,
                                            .second_predicate = "i % 4 == 0",
                                            .separate = separate != 0,
                                            .variant = (clprim_select_variant)variant};
        clprim_partition_call call = {.in = {memory, .offset = 3},
                                      .count = COUNT,
                                      .out = {.host = out[0]},
                                      .out_count = {.host = &numbers[0]},
                                      .second_count = {.host = &numbers[1]}};
        if (separate) {
            call.second_out.host = out[1];
            call.rest_out.host = out[2];
            call.rest_count.host = &numbers[2];
        }
        if (test_output_is_computed(runtime, &clprim_partition_operation, &desc, &call, "mark(marks, i, count)", times,
                                    COUNT))
            cr_assert(numbers[0] == expected[0] && numbers[1] == expected[1] &&
                      (!separate || numbers[2] == expected[2]));
    }
    ASSERT_CL(clReleaseMemObject(memory));
}

/* The compiler's log names the text that contains the mistake. */
TEST_WITH_RUNTIME(partition_predicates, mistakes_are_located)
{
#define WRONG(place, ...) TEST_MISTAKE(partition, place, .separate = true, __VA_ARGS__)
    const test_refusal rows[] = {
        WRONG("predicate:1", .predicate = "x > missing"),
        WRONG("second_predicate:2", .predicate = "x > 0", .second_predicate = "\nx > missing"),
        WRONG("second_predicate:1", .second_predicate = "x > missing"),
        WRONG("output:1", .output = "nothing[i]"),
        WRONG("type_size", .type_name = "span", .type_size = 16,
              .text.source = "typedef struct { uint begin, end; int weight; } span;"),
    };
    test_refuse_texts(runtime, &clprim_partition_operation, rows, sizeof rows / sizeof *rows);
}

Test(partition_predicates, descriptions_that_make_no_sense)
{
#define SENSELESS(named, ...) TEST_INVALID(partition, named, false, __VA_ARGS__)
    TEST_REFUSE_EACH(
        partition, SENSELESS("requires separate or reversed_rest", .variant = CLPRIM_SELECT_LOOK_BACK),
        SENSELESS("requires separate or reversed_rest", .predicate = "x > 0", .second_predicate = "x < 0",
                  .variant = CLPRIM_SELECT_LOOK_BACK),
        SENSELESS("cannot be combined with second_predicate", .reversed_rest = true, .second_predicate = "x > 0"),
        SENSELESS("cannot be combined with separate", .reversed_rest = true, .separate = true),
        SENSELESS("type_size", .type_name = "int"), SENSELESS("flags_type", .flags_type = CLPRIM_TYPE_END),
        SENSELESS("without an output", .output_type = CLPRIM_F32));
}

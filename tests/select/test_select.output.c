// SPDX-License-Identifier: MIT
/* test_select.output.c: outputs that an expression computes from the selected elements and their indices. Every variant
 * stores them, by predicates and flags, and with counts on the device. */
#include "commands.h"
#include "folds.h"
#include "picked.h"

static const size_t counts[] = {0, 1, 2, 127, 128, 129, 511, 513, 1023, 1025, 4097, 20011};

/* CPU_CHUNK meets all expressions, the other variants every third one. */
TEST_BY_VARIANT(select_output, is_made_of_selected_elements, clprim_select_operation)
{
    for (size_t row = 0; row < TEST_PICKED; row++) {
        if (variant != CLPRIM_SELECT_CPU_CHUNK && (row + (size_t)variant) % 3 != 0 && !test_is_full())
            continue;
        const clprim_select_desc desc = {.flags_type = row % 4 == 3 ? CLPRIM_U8 : CLPRIM_TYPE_DEFAULT,
                                         .count_at_type = row % 3 == 0 ? CLPRIM_U64 : CLPRIM_TYPE_DEFAULT,
                                         .work_group_size = row % 2 == 0 ? 0 : 32,
                                         .items_per_work_item = row % 3 == 0 ? 0 : 4,
                                         .variant = (clprim_select_variant)variant};
        TEST_WITH_CALL(self, test_picked_create(&self, runtime, &clprim_select_operation, &desc, row))
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
                test_picked_check(&self, counts[i], TEST_SEED + i);
    }
}

/* The expression is evaluated once for each element that is stored, and for no other. */
TEST_BY_VARIANT(select_output, is_computed_for_what_is_stored, clprim_select_operation)
{
    enum { COUNT = 1003 };
    static uint32_t in[COUNT + 3];
    static uint32_t out[COUNT], times[COUNT];
    cl_mem memory = test_upload(runtime, in, sizeof in);
    uint32_t selected = 0;
    uint32_t expected = 0;
    for (size_t i = 0; i < COUNT; i++)
        expected += times[i] = (i * 7919 >> 3) % 3 == 1;
    const clprim_select_desc desc = {
        .type = CLPRIM_U32, .predicate = TEST_PICKED_PREDICATE, .variant = (clprim_select_variant)variant};
    const clprim_select_call call = {
        .in = {memory, .offset = 3}, .count = COUNT, .out = {.host = out}, .out_count = {.host = &selected}};
    if (test_output_is_computed(runtime, &clprim_select_operation, &desc, &call, "mark(marks, i, count)", times, COUNT))
        cr_assert_eq(selected, expected);
    ASSERT_CL(clReleaseMemObject(memory));
}

/* Outputs are collected in local memory, so a tile has fewer elements if outputs are large. */
TEST_BY_VARIANT(select_output, may_be_much_larger_than_elements, clprim_select_operation)
{
    enum { COUNT = 5000, WORDS = 64 };
    typedef struct block {
        uint32_t words[WORDS];
    } block;
    static uint8_t in[COUNT];
    static block blocks[COUNT], expected[COUNT];
    uint32_t selected = 0;
    uint32_t number = 0;
    for (size_t i = 0; i < COUNT; i++) {
        in[i] = (uint8_t)(i * 7);
        for (uint32_t w = 0; w < WORDS && in[i] % 3 == 0; w++)
            expected[number].words[w] = (uint32_t)i + w * in[i];
        number += in[i] % 3 == 0;
    }
    const clprim_select_desc desc = {.type = CLPRIM_U8,
                                     .predicate = "x % 3 == 0",
                                     .text.source = "typedef struct { uint words[64]; } block;\n"
                                                    "static block block_of(uint r, uint i) {\n"
                                                    "    block b;\n"
                                                    "    for (uint w = 0; w < 64; w++)\n"
                                                    "        b.words[w] = i + w * r;\n"
                                                    "    return b;\n"
                                                    "}",
                                     .output = "block_of(r, i)",
                                     .output_type_name = "block",
                                     .output_type_size = sizeof(block),
                                     .variant = (clprim_select_variant)variant,
                                     .work_group_size = 256};
    const clprim_select_call call = {
        .in = {.host = in}, .count = COUNT, .out = {.host = blocks}, .out_count = {.host = &selected}};
    const clprim_status status = clprim_select_run(runtime, &desc, &call);
    if (status == CLPRIM_UNSUPPORTED)
        return;
    ASSERT_OK(status);
    cr_assert_eq(selected, number);
    test_expect_same(expected, blocks, sizeof(block), number, "blocks");
}

/* A recorded call keeps the room that it was recorded with. */
TEST_BY_VARIANT(select_output, may_be_short_when_it_is_replayed, clprim_select_operation)
{
    enum { COUNT = 700, ROOM = 100 };
    static int32_t in[COUNT];
    static uint8_t flags[COUNT];
    const clprim_select_desc desc = {.variant = (clprim_select_variant)variant};
    if (!clprim_runtime_info(runtime)->has_command_buffers)
        return;
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_select_operation, &desc)) {
        const clprim_select_call call = {.in = {.host = in}, .flags = {.host = flags}, .count = COUNT};
        cl_command_queue queue = test_queue(runtime, 0);
        test_commands commands = test_commands_begin(runtime, queue);
        for (size_t share = 2; share < 5; share++) { /* ROOM is too short for a half and a third, not for a quarter */
            for (size_t i = 0; i < COUNT; i++) {
                in[i] = (int32_t)(i * share);
                flags[i] = i % (share == 4 ? 10 : share) == 1;
            }
            test_call_fill(&self, &call, TEST_SEED);
            cr_assert(test_call_shorten(&self, 8));
            test_array *out = &self.arrays[self.num_arrays - 2];
            cr_assert_str_eq(out->slot.member->name, "out");
            out->written = out->written < ROOM ? out->written : ROOM;
            test_array_of(&self, &self.call, self.num_arrays - 2)->length = ROOM;
            if (share == 2) {
                ASSERT_OK(clprim_plan_record(self.plan, commands.buffer, self.call.bytes, 0, NULL, NULL));
                test_commands_finalize(&commands);
            }
            test_commands_replay(&commands);
            test_call_expect_right(&self, "a replay");
        }
        test_commands_release(&commands);
        ASSERT_CL(clReleaseCommandQueue(queue));
    }
}

Test(select_output, refusals)
{
    TEST_REFUSE_EACH(select, TEST_MISTAKE(select, "output:1", .output = "nothing[i]"),
                     TEST_MISTAKE(select, "output:1", .output = "nothing[i]", .predicate = "x > 3"));
}

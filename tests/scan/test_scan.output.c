// SPDX-License-Identifier: MIT
/* test_scan.output.c: an output expression: every variant writes the expression of the reference's prefixes, inclusive
 * and exclusive, with segments, in place, and with the count on the device. */
#include "folds.h"

/* CPU_CHUNK runs all expressions, the others every sixth: a CPU's compiler takes seconds for kernels with tiles. */
TEST_BY_VARIANT(scan_output, is_made_of_prefixes, clprim_scan_operation)
{
    for (size_t row = 0; row < TEST_OUTPUTS; row++) {
        const size_t how = row / 3 + row + (size_t)variant;
        if (variant == CLPRIM_SCAN_CPU_CHUNK || (row + (size_t)variant) % 6 == 0 || test_is_full())
            test_fold_output(
                runtime, &clprim_scan_operation,
                &(clprim_scan_desc){.variant = (clprim_scan_variant)variant,
                                    .exclusive = how % 2 == 0,
                                    .segments = how % 4 >= 2 ? CLPRIM_SEGMENTS_BY_FLAG : CLPRIM_SEGMENTS_NONE,
                                    .count_at_type = how % 3 == 0 ? CLPRIM_U32 : CLPRIM_TYPE_DEFAULT},
                row);
    }
}

/* Once for each prefix, and never before the first or after the last one: the array begins inside a packet, and ends
 * inside a tile. */
TEST_BY_VARIANT(scan_output, is_computed_for_each_prefix, clprim_scan_operation)
{
    enum { COUNT = 1003 };
    static uint8_t in[COUNT + 3];
    static uint32_t out[COUNT], times[COUNT];
    cl_mem memory = test_upload(runtime, in, sizeof in);
    for (size_t i = 0; i < COUNT; i++)
        times[i] = 1;
    (void)test_output_is_computed(
        runtime, &clprim_scan_operation,
        &(clprim_scan_desc){.type = CLPRIM_U8, .variant = (clprim_scan_variant)variant, .output_type = CLPRIM_U32},
        &(clprim_scan_call){.in = {memory, .offset = 3}, .count = COUNT, .out = {.host = out}}, "mark(marks, i, count)",
        times, COUNT);
    ASSERT_CL(clReleaseMemObject(memory));
}

#define INVALID(culprit, ...) TEST_INVALID(scan, culprit, false, __VA_ARGS__)

Test(scan_output, refusals)
{
    TEST_REFUSE_EACH(scan, INVALID("without an output", .output_type = CLPRIM_F32),
                     INVALID("without an output", .output_type_name = "int", .output_type_size = 4),
                     INVALID("argmax takes no output", .op = CLPRIM_ARGMAX, .output = "r"),
                     INVALID("has no type_size", .output = "r", .output_type_name = "int"),
                     INVALID("unknown type", .output = "r", .output_type = CLPRIM_TYPE_END),
                     TEST_MISTAKE(scan, "output:1", .output = "nothing[i]"));
}

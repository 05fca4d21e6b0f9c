/* test_scan.refusals.c: descriptions that a scan refuses. */
#include <clprim/scan.h>

#include "support.h"

static const uint64_t some_value = 1;

/* What is wrong with each, whatever else there is. */
static const struct {
    clprim_scan_desc desc;
    clprim_status expected;
} senseless[] = {
    {{.type = CLPRIM_TYPE_END}, CLPRIM_INVALID_ARGUMENT},
    {{.type = (clprim_type)-1}, CLPRIM_INVALID_ARGUMENT},
    {{.op = CLPRIM_OP_END}, CLPRIM_INVALID_ARGUMENT},
    {{.op = (clprim_op)-1}, CLPRIM_INVALID_ARGUMENT},
    {{.variant = (clprim_scan_variant)(CLPRIM_SCAN_FIXED_TREE + 1)}, CLPRIM_INVALID_ARGUMENT},
    {{.variant = (clprim_scan_variant)-1}, CLPRIM_INVALID_ARGUMENT},
    {{.accumulator_type = CLPRIM_TYPE_END}, CLPRIM_INVALID_ARGUMENT},
    {{.accumulator_type = (clprim_type)-1}, CLPRIM_INVALID_ARGUMENT},
    {{.segments = (clprim_scan_segments)(CLPRIM_SEGMENTS_BY_KEY + 1)}, CLPRIM_INVALID_ARGUMENT},
    {{.segments = (clprim_scan_segments)-1}, CLPRIM_INVALID_ARGUMENT},
    {{.segments = CLPRIM_SEGMENTS_BY_KEY, .segments_type = CLPRIM_TYPE_END}, CLPRIM_INVALID_ARGUMENT},
    {{.segments = CLPRIM_SEGMENTS_BY_KEY, .segments_type = (clprim_type)-1}, CLPRIM_INVALID_ARGUMENT},
    {{.segments = CLPRIM_SEGMENTS_BY_FLAG, .segments_type = CLPRIM_TYPE_END}, CLPRIM_INVALID_ARGUMENT},
    {{.reproducible = true, .segments = CLPRIM_SEGMENTS_BY_KEY, .type = CLPRIM_F32, .variant = CLPRIM_SCAN_LOOK_BACK},
     CLPRIM_INVALID_ARGUMENT},
    {{.work_group_size = 3}, CLPRIM_INVALID_ARGUMENT},
    {{.work_group_size = SIZE_MAX}, CLPRIM_INVALID_ARGUMENT},
    {{.items_per_work_item = 1025}, CLPRIM_INVALID_ARGUMENT},
    {{.variant = CLPRIM_SCAN_BLELLOCH_PADDED, .banks = 33}, CLPRIM_INVALID_ARGUMENT},
    {{.variant = CLPRIM_SCAN_BLELLOCH_PADDED, .banks = SIZE_MAX}, CLPRIM_INVALID_ARGUMENT},
    {{.op = CLPRIM_ARGMIN, .initial = &some_value}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_F64, .op = CLPRIM_ARGMAX, .initial = &some_value}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_F16, .op = CLPRIM_AND}, CLPRIM_INVALID_OPERATOR},
    {{.type = CLPRIM_F32, .op = CLPRIM_OR}, CLPRIM_INVALID_OPERATOR},
    {{.type = CLPRIM_F64, .op = CLPRIM_XOR}, CLPRIM_INVALID_OPERATOR},
    {{.type = CLPRIM_I32, .op = CLPRIM_MIN, .accumulator_type = CLPRIM_I64}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_I32, .op = CLPRIM_ARGMAX, .accumulator_type = CLPRIM_I64}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_I16, .accumulator_type = CLPRIM_U16}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_I16, .accumulator_type = CLPRIM_U64}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_I32, .accumulator_type = CLPRIM_F16}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_I64, .op = CLPRIM_MAX, .accumulator_type = CLPRIM_F64}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_F64, .accumulator_type = CLPRIM_F32}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_F32, .accumulator_type = CLPRIM_I64}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_F32, .reproducible = true, .variant = CLPRIM_SCAN_REDUCE_THEN_SCAN}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_F32, .reproducible = true, .variant = CLPRIM_SCAN_LOOK_BACK}, CLPRIM_INVALID_ARGUMENT},
};

Test(scan_refusals, descriptions_that_make_no_sense)
{
    clprim_runtime *runtime = test_runtime(NULL);
    int32_t in[] = {1, 2};
    uint64_t heads[] = {1, 1};
    for (size_t i = 0; i < sizeof senseless / sizeof *senseless; i++) {
        const clprim_scan_desc *desc = &senseless[i].desc;
        clprim_plan *plan = NULL;
        uint64_t result[4] = {77, 77, 77, 77};
        const clprim_status status = clprim_scan_create(&plan, runtime, desc);
        cr_assert_eq((int)status, (int)senseless[i].expected, "row %zu: %s (%s)", i, clprim_status_string(status),
                     clprim_last_error());
        cr_assert_null(plan);
        for (size_t count = 0; count < 3; count += 2)
            cr_assert_eq(
                (int)clprim_scan_run(
                    runtime, desc,
                    &(clprim_scan_call){.in = {.host = in},
                                        .heads = {.host = desc->segments != CLPRIM_SEGMENTS_NONE ? heads : NULL},
                                        .count = count,
                                        .out = {.host = result}}),
                (int)senseless[i].expected, "row %zu on the host", i);
        cr_assert(result[0] == 77 && result[1] == 77 && result[3] == 77, "row %zu: a refusal must not write", i);
    }
    clprim_runtime_destroy(runtime);
}

/* test_scan.refusals.c: descriptions that scans alone refuse. */
#include "call.h"

static const uint64_t some_value = 1;

/* What is wrong with each, whatever else there is. */
static const struct {
    clprim_scan_desc desc;
    clprim_status expected;
} senseless[] = {
    {{.reproducible = true, .segments = CLPRIM_SEGMENTS_BY_KEY, .type = CLPRIM_F32, .variant = CLPRIM_SCAN_LOOK_BACK},
     CLPRIM_INVALID_ARGUMENT},
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
    for (size_t i = 0; i < sizeof senseless / sizeof *senseless; i++)
        test_refuse(runtime, &clprim_scan_operation, &senseless[i].desc, senseless[i].expected, "");
    clprim_runtime_destroy(runtime);
}

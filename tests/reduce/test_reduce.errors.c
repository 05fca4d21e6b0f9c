/* test_reduce.errors.c: operators and accumulators that are refused. */
#include "call.h"

Test(reduce_errors, operators_and_accumulators)
{
    static const struct {
        clprim_reduce_desc desc;
        clprim_status expected;
    } rows[] = {
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
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        test_refuse(runtime, &clprim_reduce_operation, &rows[i].desc, rows[i].expected, "");
    clprim_runtime_destroy(runtime);
}

/* test_reduce.errors.c: descriptions that are refused. */
#include <clprim/reduce.h>

#include "support.h"

Test(reduce_errors, descriptions_that_make_no_sense)
{
    static const struct {
        clprim_reduce_desc desc;
        clprim_status expected;
    } rows[] = {
        {{.type = CLPRIM_TYPE_END}, CLPRIM_INVALID_ARGUMENT},
        {{.type = (clprim_type)-1}, CLPRIM_INVALID_ARGUMENT},
        {{.op = CLPRIM_OP_END}, CLPRIM_INVALID_ARGUMENT},
        {{.op = (clprim_op)-1}, CLPRIM_INVALID_ARGUMENT},
        {{.variant = (clprim_reduce_variant)(CLPRIM_REDUCE_FIXED_TREE + 1)}, CLPRIM_INVALID_ARGUMENT},
        {{.variant = (clprim_reduce_variant)-1}, CLPRIM_INVALID_ARGUMENT},
        {{.accumulator_type = CLPRIM_TYPE_END}, CLPRIM_INVALID_ARGUMENT},
        {{.work_group_size = 3}, CLPRIM_INVALID_ARGUMENT},
        {{.work_group_size = SIZE_MAX}, CLPRIM_INVALID_ARGUMENT},
        {{.items_per_work_item = 1025}, CLPRIM_INVALID_ARGUMENT},
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
    int32_t in[] = {1, 2};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clprim_plan *plan = NULL;
        uint64_t result[2] = {77, 77};
        const clprim_status status = clprim_reduce_create(&plan, runtime, &rows[i].desc);
        cr_assert_eq((int)status, (int)rows[i].expected, "row %zu: %s (%s)", i, clprim_status_string(status),
                     clprim_last_error());
        cr_assert_null(plan);
        cr_assert_eq((int)clprim_reduce_run(runtime, &rows[i].desc,
                                            &(clprim_reduce_call){.in = {.host = in}, .out = {.host = result}}),
                     (int)rows[i].expected);
        cr_assert(result[0] == 77 && result[1] == 77, "row %zu: a refusal must not write", i);
    }
    clprim_runtime_destroy(runtime);
}

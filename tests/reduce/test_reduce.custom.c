/* test_reduce.custom.c: operators of the caller's own, on built-in types and on structs. Their mistakes: see
 * contract/test_contract.operators.c. */
#include <clprim/reduce.h>
#include <clprim/reference.h>

#include "call.h"
#include "operators.h"

static const size_t counts[] = {0, 1, 2, 3, 255, 256, 257, 513, 1025, 4097, 20011};

enum { MAX_COUNT = 20011, MAX_SIZE = 40 };

/* All counts against the host's fold. */
static void check(test_call *self, const test_operator *own)
{
    static uint64_t in[MAX_COUNT * MAX_SIZE / sizeof(uint64_t)];
    uint64_t expected[MAX_SIZE / sizeof(uint64_t)];
    test_fill(in, CLPRIM_U32, CLPRIM_SUM, TEST_RANDOM, MAX_COUNT * own->size / 4, TEST_SEED);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        ASSERT_OK(clprim_reference_reduce(
            expected,
            &(clprim_reference_operator){.combine = own->combine, .size = own->size, .identity = own->identity}, in,
            counts[i]));
        test_call_fill(self, &(clprim_reduce_call){.in = {.host = in}, .count = counts[i], .out = {.host = expected}},
                       i);
        test_call_check(self, "%s: %zu elements", own->name, counts[i]);
    }
}

/* By every variant; those that change the order refuse operators that do not commute. */
Test(reduce_custom, operators_by_variants, .timeout = 240)
{
    size_t count = 0;
    const clprim_variant_info *variants = clprim_reduce_operation.variants(&count);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t o = 0; o <= TEST_AFFINE; o++)
        for (size_t v = 0; v <= count; v++) {
            const test_operator *own = &test_operators[o];
            const clprim_reduce_desc desc = {.type = own->type,
                                             .custom = &own->op,
                                             .variant = v < count ? (clprim_reduce_variant)variants[v].id : 0};
            test_call self;
            if (v < count && own->op.non_commutative && !variants[v].keeps_order) {
                ASSERT_STATUS(test_call_try(&self, runtime, &clprim_reduce_operation, &desc), CLPRIM_INVALID_ARGUMENT);
                cr_assert_null(self.plan);
            } else if (test_call_create(&self, runtime, &clprim_reduce_operation, &desc)) {
                check(&self, own);
                test_call_destroy(&self);
            }
        }
    clprim_runtime_destroy(runtime);
}

/* Halves are floats inside of the operator. */
Test(reduce_custom, operator_on_halves)
{
    static uint16_t in[] = {0x3c00, 0xc200, 0x4000, 0x3800}; /* 1 -3 2 0.5 */
    uint16_t farthest = 0xc200;
    const clprim_custom_op op = {.combine = "fabs(a) > fabs(b) ? a : b", .identity = "0.0f"};
    const clprim_reduce_desc desc = {.type = CLPRIM_F16, .custom = &op};
    clprim_runtime *runtime = test_runtime(NULL);
    test_call self;
    cr_assert(test_call_create(&self, runtime, &clprim_reduce_operation, &desc));
    test_call_fill(&self, &(clprim_reduce_call){.in = {.host = in}, .count = 4, .out = {.host = &farthest}}, 1);
    test_call_check(&self, "halves");
    test_call_check_run(&self, "halves");
    test_call_destroy(&self);
    clprim_runtime_destroy(runtime);
}

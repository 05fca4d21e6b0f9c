/* test_contract.inputs.c: each operation whose elements may come from an expression, by each variant, does what it does
 * with the same elements in an array. */
#include "cases.h"
#include "contract.h"

enum { COUNT = 5000 };

/* What the expression replaces: the array, its elements, and the operation's reference, which takes them. */
static const clprim_member *replaced;
static clprim_array elements;
static const clprim__operation *operation;

static clprim_status reference(const void *desc, const void *call)
{
    test_struct whole;
    memcpy(whole.bytes, call, operation->face->call_size);
    *(clprim_array *)(void *)(whole.bytes + replaced->place) = elements;
    return operation->reference(desc, whole.bytes);
}

static const clprim_member *member_replaced(const clprim_operation *face, const test_struct *desc,
                                            const test_struct *with_input)
{
    const clprim_member *m = face->call_members;
    while (m->name != NULL && (m->kind != CLPRIM_MEMBER_INPUT || m->element(desc->bytes, 0).size == 0 ||
                               m->element(with_input->bytes, 0).size > 0))
        m++;
    cr_assert_not_null(m->name, "%s: the expression replaces no array", face->name);
    return m;
}

/* The sample, and the same with an expression; with max_count where the variant wants one. */
static bool create(test_call *out, clprim_runtime *runtime, const void *sample, int variant)
{
    const clprim_operation *face = operation->face;
    test_struct desc = test_with(face, sample, "variant", (uint64_t)variant);
    for (size_t max_count = 0; max_count <= COUNT; max_count += COUNT) {
        if (max_count > 0)
            test_put(&desc, face->desc_members, "max_count", max_count);
        test_struct with_input = test_with(face, desc.bytes, "input", (uintptr_t) "x[i]");
        replaced = member_replaced(face, &desc, &with_input);
        const clprim_parameter x = {"x", replaced->element(desc.bytes, 0).type, .is_array = true};
        memcpy(with_input.bytes + test_member(face->desc_members, "parameters")->place, &x, sizeof x);
        if (x.type == CLPRIM_F16)
            test_put(&with_input, face->desc_members, "input", (uintptr_t) "vload_half(i, x)");
        const clprim_status status = test_call_try(out, runtime, face, with_input.bytes);
        out->desc = desc;
        out->reference = reference;
        if (status == CLPRIM_SUCCESS)
            return true;
        cr_assert(status == CLPRIM_UNSUPPORTED || status == CLPRIM_INVALID_ARGUMENT, "%s: %s", out->name,
                  clprim_last_error());
    }
    return false;
}

static bool comes_from_an_array(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample,
                                int variant)
{
    static const size_t counts[] = {COUNT, 1025, 256, 2, 1, 0};
    test_call self;
    operation = subject->operation;
    const clprim_operation *face = operation->face;
    if (test_member(face->desc_members, "input") == NULL)
        return true;
    if (!create(&self, runtime, test_sample_of(subject, sample), variant))
        return false;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        test_struct call = {.bytes = {0}};
        clprim__trial data = {.runtime = runtime, .pattern = (unsigned)i % 4, .random = TEST_SEED + i};
        clprim__plan_sample(&data, operation, self.desc.bytes, call.bytes,
                            clprim__trial_count(counts[i], self.plan->max_count));
        test_expect_status(data.status, CLPRIM_SUCCESS, "", self.name);
        elements = *(clprim_array *)(void *)(call.bytes + replaced->place);
        *(clprim_array *)(void *)(call.bytes + test_member(face->call_members, "arguments")->place) = elements;
        test_call_fill(&self, call.bytes, i);
        test_call_check(&self, "%zu elements", counts[i]);
        clprim__trial_clear(&data);
    }
    test_call_destroy(&self);
    return true;
}

Test(contract_inputs, of_an_expression, .timeout = 900)
{
    contract_for_each(CONTRACT_VARIANTS, comes_from_an_array);
}

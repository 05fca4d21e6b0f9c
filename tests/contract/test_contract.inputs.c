/* test_contract.inputs.c: elements come from an expression in place of an array: each operation that takes one, by each
 * variant, does what it does with the same elements in that array; also where their number is on the device. */
#include "contract.h"

enum { COUNT = 5000 };

/* What the reference is told: there is an array all the same. */
static const clprim__operation *operation;
static size_t place;
static clprim_array elements;

static clprim_status reference(const void *desc, const void *given)
{
    test_struct call;
    memcpy(call.bytes, given, operation->face->call_size);
    memcpy(call.bytes + place, &elements, sizeof elements);
    return operation->reference(desc, call.bytes);
}

/* The array that calls have no more. */
static const clprim_member *replaced_by_input(const clprim_operation *face, const test_struct *known,
                                              const test_struct *desc)
{
    const clprim_member *m = face->call_members;
    while (m->name != NULL && (m->kind != CLPRIM_MEMBER_INPUT || m->element(known->bytes, 0).size == 0 ||
                               m->element(desc->bytes, 0).size > 0))
        m++;
    return m->name != NULL ? m : NULL;
}

/* As the sample is, or with max_count where the variant wants one. In place of an array is the expression. */
static const clprim_member *create(test_call *out, clprim_runtime *runtime, const clprim__trial_subject *subject,
                                   size_t sample, int variant)
{
    const clprim_operation *face = subject->operation->face;
    for (size_t max_count = 0; max_count <= COUNT; max_count += COUNT) {
        test_struct known = test_with(face, test_sample_of(subject, sample), "variant", (uint64_t)variant);
        test_put(&known, face->desc_members, "max_count", max_count);
        if (sample % 2 == 0)
            test_put(&known, face->desc_members, "count_at_type", CLPRIM_U32);
        test_struct desc = known;
        test_put(&desc, face->desc_members, "input", (uintptr_t) "x[i + none]");
        const clprim_member *array = replaced_by_input(face, &known, &desc);
        cr_assert_not_null(array, "%s has .input, which replaces nothing", face->name);
        clprim_parameter *parameters = (void *)(desc.bytes + test_member(face->desc_members, "parameters")->place);
        parameters[0] = (clprim_parameter){.name = "x", .type = array->element(known.bytes, 0).type, .is_array = true};
        parameters[1] = (clprim_parameter){.name = "none", .type = CLPRIM_U16};
        if (parameters[0].type == CLPRIM_F16)
            test_put(&desc, face->desc_members, "input", (uintptr_t) "vload_half(i + none, x)");
        const clprim_status status = test_call_try(out, runtime, face, desc.bytes);
        out->desc = known; /* for the reference */
        if (status == CLPRIM_SUCCESS)
            return array;
        cr_assert(status == CLPRIM_UNSUPPORTED || status == CLPRIM_INVALID_ARGUMENT, "%s: %s", out->name,
                  clprim_last_error());
    }
    return NULL;
}

static void fill(test_call *self, const clprim_member *array, size_t count, uint64_t seed)
{
    static uint16_t none;
    test_struct call = {.bytes = {0}};
    clprim__trial trial = {.runtime = self->runtime, .pattern = (unsigned)(seed % 4), .random = seed ^ TEST_SEED};
    clprim__plan_sample(&trial, self->operation, self->desc.bytes, call.bytes,
                        clprim__trial_count(count, self->plan->max_count));
    test_expect_status(trial.status, CLPRIM_SUCCESS, "", self->name);
    clprim_array *arguments = test_array_at(&call, self->face, "arguments");
    operation = self->operation;
    place = array->place;
    elements = *test_array_at(&call, self->face, array->name);
    self->reference = reference;
    arguments[0] = elements;
    arguments[0].length = array->length(self->desc.bytes, call.bytes);
    arguments[1].host = &none;
    test_call_fill(self, call.bytes, seed);
    while (trial.num_memory > 0)
        free(trial.memory[--trial.num_memory]);
}

static bool checked(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    static const size_t counts[] = {COUNT, 0, 1, 257, 1024, 40001 /* more than one group of a CPU sorts */};
    test_call self;
    if (test_member(subject->operation->face->desc_members, "input") == NULL)
        return true;
    const clprim_member *array = create(&self, runtime, subject, sample, variant);
    if (array == NULL)
        return false;
    for (uint64_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        fill(&self, array, counts[i], i);
        test_call_check(&self, "%s from an expression, %zu elements", array->name, counts[i]);
    }
    test_call_destroy(&self);
    return true;
}

/* The array all the same, an expression that does not compile, and a parameter that it could not see. */
static bool refused(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    const clprim_operation *face = subject->operation->face;
    test_call self;
    if (test_member(face->desc_members, "input") == NULL)
        return true;
    const clprim_member *array = create(&self, runtime, subject, sample, variant);
    if (array == NULL)
        return false;
    fill(&self, array, 257, 0);
    test_struct call = self.call;
    *test_array_at(&call, face, array->name) = *test_array_at(&call, face, "arguments");
    test_expect_status(test_call_enqueue(&self, &call), CLPRIM_INVALID_ARGUMENT, array->name, self.name);
    test_call_expect_untouched(&self, "an array beside the expression");
    test_call_destroy(&self);

    test_struct desc = test_with(face, test_sample_of(subject, sample), "input", (uintptr_t) "i +\n nothing");
    test_refuse(runtime, face, desc.bytes, CLPRIM_BUILD_FAILED, "input:2");
    test_put(&desc, face->desc_members, "input", (uintptr_t) "i");
    ((clprim_parameter *)(void *)(desc.bytes + test_member(face->desc_members, "parameters")->place))->name = "i";
    test_refuse(runtime, face, desc.bytes, CLPRIM_INVALID_ARGUMENT, "'i'");
    return true;
}

Test(contract_inputs, refusals, .timeout = 900)
{
    contract_for_each(CONTRACT_OPERATIONS, refused);
}

Test(contract_inputs, are_what_an_array_of_them_is, .timeout = 900)
{
    contract_for_each(test_is_full() ? CONTRACT_VARIANTS : CONTRACT_SAMPLES,
                      checked); /* each operation tests its variants */
}

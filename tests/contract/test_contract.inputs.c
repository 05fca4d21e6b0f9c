// SPDX-License-Identifier: MIT
/* test_contract.inputs.c: elements come from an expression instead of an array. Each operation that supports this must,
 * with each variant, give the same result as with the same elements in an array; also if their number is on the
 * device. */
#include <stdio.h>
#include <stdlib.h>

#include "contract.h"

enum { COUNT = 5000 };

/* The reference gets an array all the same. */
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

/* The array that calls with the expression do not have. */
static const clprim_member *replaced_by_input(const clprim_operation *face, const test_struct *known,
                                              const test_struct *desc)
{
    const clprim_member *m = face->call_members;
    while (m->name != NULL && (m->kind != CLPRIM_MEMBER_INPUT || m->element(known->bytes, 0).size == 0 ||
                               m->element(desc->bytes, 0).size > 0))
        m++;
    return m->name != NULL ? m : NULL;
}

/* Create a plan of the sample, with max_count if the variant needs it. An expression replaces an array: `[index]` of
 * the array x, plus the number `none`, which is 0. */
static const clprim_member *create_by(test_call *out, test_struct *described, clprim_runtime *runtime,
                                      const clprim__trial_subject *subject, size_t sample, int variant,
                                      const char *index)
{
    static char text[64];
    const clprim_operation *face = subject->operation->face;
    for (size_t max_count = 0; max_count <= COUNT; max_count += COUNT) {
        test_struct known = test_with(face, test_sample_of(subject, sample), "variant", (uint64_t)variant);
        test_put(&known, face->desc_members, "max_count", max_count);
        if (sample % 2 == 0)
            test_put(&known, face->desc_members, "count_at_type", CLPRIM_U32);
        test_struct desc = known;
        (void)snprintf(text, sizeof text, "x[%s]", index);
        test_put(&desc, face->desc_members, "input", (uintptr_t)text);
        const clprim_member *array = replaced_by_input(face, &known, &desc);
        cr_assert_not_null(array, "%s has .input, which replaces nothing", face->name);
        clprim_parameter *parameters = (void *)(desc.bytes + test_member(face->desc_members, "parameters")->place);
        parameters[0] = (clprim_parameter){.name = "x", .type = array->element(known.bytes, 0).type, .is_array = true};
        parameters[1] = (clprim_parameter){.name = "none", .type = CLPRIM_U16};
        if (parameters[0].type == CLPRIM_F16)
            (void)snprintf(text, sizeof text, "vload_half(%s, x)", index);
        *described = desc;
        const clprim_status status = test_call_try(out, runtime, face, desc.bytes);
        out->desc = known; /* for the reference */
        if (status == CLPRIM_SUCCESS)
            return array;
        cr_assert(status == CLPRIM_UNSUPPORTED || status == CLPRIM_INVALID_ARGUMENT, "%s: %s", out->name,
                  clprim_last_error());
    }
    return NULL;
}

static const clprim_member *create(test_call *out, clprim_runtime *runtime, const clprim__trial_subject *subject,
                                   size_t sample, int variant)
{
    test_struct desc;
    return create_by(out, &desc, runtime, subject, sample, variant, "i + none");
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
    static const size_t counts[] = {COUNT, 0, 1, 257, 1024, 40001 /* large enough for more than one group of a CPU
                                                                   * sort */};
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

/* The array all the same, nothing where the expression reads, an expression that does not compile, and a parameter that it
 * could not see. */
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
    call = self.call;
    *test_array_at(&call, face, "arguments") = (clprim_array){.length = 0};
    test_expect_status(test_call_enqueue(&self, &call), CLPRIM_INVALID_ARGUMENT, "arguments", self.name);
    test_call_expect_untouched(&self, "no argument");
    test_call_destroy(&self);

    test_struct desc = test_with(face, test_sample_of(subject, sample), "input", (uintptr_t) "i +\n nothing");
    test_refuse(runtime, face, desc.bytes, CLPRIM_BUILD_FAILED, "input:2");
    test_put(&desc, face->desc_members, "input", (uintptr_t) "i");
    ((clprim_parameter *)(void *)(desc.bytes + test_member(face->desc_members, "parameters")->place))->name = "i";
    test_refuse(runtime, face, desc.bytes, CLPRIM_INVALID_ARGUMENT, "'i'");
    return true;
}

/* Output o overwrites the array that the expression reads. This must be refused, unless the array is only read at i. */
static void check_in_place(test_call *self, const test_struct *desc, size_t o, bool is_at_index)
{
    const test_array *out = &self->arrays[o];
    const test_array *x = test_array_named(self, "arguments");
    const size_t begin = x->offset * x->size, bytes = out->written * out->size;
    test_struct call = self->call;
    *test_array_of(self, &call, o) = (clprim_array){.buffer = x->memory, .offset = x->offset};
    if (is_at_index) {
        unsigned char *found = test_allocate(x->bytes);
        ASSERT_OK(test_call_enqueue(self, &call));
        test_read(self->runtime, found, x->memory, x->bytes);
        test_expect_same(out->expected, found + begin, 1, bytes, self->name);
        free(found);
        test_call_reset(self);
    } else {
        test_expect_status(test_call_enqueue(self, &call), CLPRIM_INVALID_OVERLAP, "overlap", self->name);
        test_call_expect_untouched(self, "in place of what is read elsewhere");
    }
    call = test_call_on_host(self);
    *test_array_of(self, &call, o) = *test_array_at(&call, self->face, "arguments");
    const clprim_status status = self->face->run(self->runtime, desc->bytes, call.bytes);
    test_expect_status(status, is_at_index ? CLPRIM_SUCCESS : CLPRIM_INVALID_OVERLAP, is_at_index ? "" : "overlap",
                       self->name);
    if (is_at_index)
        test_expect_same(out->expected, (char *)test_array_at(&call, self->face, "arguments")->host + begin, 1, bytes,
                         self->name);
    else
        test_call_expect_on_host(self, "in place of what is read elsewhere", false);
}

static bool in_place(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    static const char *const indices[] = {"i", " i ", "i + none", "none + i"};
    test_call self;
    test_struct desc;
    bool any = false;
    if (test_member(subject->operation->face->desc_members, "input") == NULL)
        return true;
    for (size_t k = 0; k < sizeof indices / sizeof *indices; k++) {
        const clprim_member *array = create_by(&self, &desc, runtime, subject, sample, variant, indices[k]);
        if (array == NULL)
            return false;
        fill(&self, array, COUNT, k);
        for (size_t o = 0; o < self.num_arrays; o++) {
            const test_array *out = &self.arrays[o];
            const bool fits = out->is_there && out->is_output && out->size == array->element(self.desc.bytes, 0).size &&
                              out->length >= COUNT && out->expected != NULL;
            any = any || fits;
            if (fits)
                check_in_place(&self, &desc, o, k < 2 && subject->operation->replaces_arguments != NULL);
        }
        test_call_destroy(&self);
    }
    cr_assert(any || subject->operation->replaces_arguments == NULL, "%s: no output has x's elements",
              subject->operation->face->name);
    return true;
}

Test(contract_inputs, in_place_only_if_read_at_the_index, .timeout = 900)
{
    contract_for_each(CONTRACT_OPERATIONS, in_place);
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

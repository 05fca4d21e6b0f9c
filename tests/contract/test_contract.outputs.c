// SPDX-License-Identifier: MIT
/* test_contract.outputs.c: an expression computes what is written. Each operation that supports this must write the
 * same with "r" as without; also if the number of elements is on the device. */
#include "contract.h"

enum { COUNT = 5000 };

static bool checked(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    static const size_t counts[] = {COUNT, 0, 1, 257};
    const clprim_operation *face = subject->operation->face;
    test_struct known = test_with(face, test_sample_of(subject, sample), "variant", (uint64_t)variant);
    test_call self;
    if (test_member(face->desc_members, "output") == NULL)
        return true;
    test_put(&known, face->desc_members, "count_at_type", sample % 2 == 0 ? CLPRIM_U32 : CLPRIM_TYPE_DEFAULT);
    const test_struct desc = test_with(face, known.bytes, "output", (uintptr_t) "r");
    const clprim_status status = test_call_try(&self, runtime, face, desc.bytes);
    if (status != CLPRIM_SUCCESS) { /* some results are not numbers */
        cr_assert(status == CLPRIM_UNSUPPORTED || status == CLPRIM_INVALID_ARGUMENT, "%s: %s", self.name,
                  clprim_last_error());
        return false;
    }
    self.desc = known; /* for the reference */
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        contract_fill(&self, counts[i], i);
        test_call_check(&self, "what an expression makes of it, %zu elements", counts[i]);
    }
    test_call_destroy(&self);
    return true;
}

/* Whether test_call_shorten has made the array short: it skips arrays to which nothing is written. */
static bool is_short(const test_call *self, size_t i)
{
    return self->arrays[i].is_there && clprim__may_be_short(&self->arrays[i].slot) && self->arrays[i].written > 0;
}

/* A buffer may end where a short output ends. */
CONTRACT_TEST(contract_outputs, may_end_where_they_are_full, CONTRACT_VARIANTS, COUNT, 94)
{
    if (!test_call_shorten(self, 4))
        return;
    for (size_t i = 0; i < self->num_arrays; i++) {
        test_array *array = &self->arrays[i];
        if (!is_short(self, i))
            continue;
        ASSERT_CL(clReleaseMemObject(array->memory));
        array->bytes = (array->offset + array->written) * array->size;
        array->memory = test_buffer(self->runtime, array->bytes);
        test_array_of(self, &self->call, i)->buffer = array->memory;
    }
    test_call_reset(self);
    test_call_check(self, "buffers that are full");
    for (size_t i = 0; i < self->num_arrays; i++) {
        test_struct wrong = self->call;
        if (!is_short(self, i))
            continue;
        test_array_of(self, &wrong, i)->length++;
        ASSERT_REFUSED(test_call_enqueue(self, &wrong), CLPRIM_INVALID_RANGE, self->arrays[i].slot.member->name);
        test_array_of(self, &wrong, i)->length = 0;
        ASSERT_REFUSED(test_call_enqueue(self, &wrong), CLPRIM_INVALID_RANGE, self->arrays[i].slot.member->name);
    }
}

Test(contract_outputs, are_results_with_r, .timeout = 900)
{
    contract_for_each(CONTRACT_SAMPLES, checked); /* each operation tests its variants */
}

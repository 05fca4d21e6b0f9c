// SPDX-License-Identifier: MIT
/* test_contract.memory.c: where arrays and scratch memory are: scratch memory in the middle of a larger buffer, from
 * one buffer to another and back to the pool; all arrays one after another in one buffer; no arrays if there are no
 * elements. */
#include <stdlib.h>

#include "contract.h"

enum { COUNT = 5000, FEW = 70, MARGIN = 4096, CONTENT = 0xff };

/* Twice, because a plan may keep something there from one call to the next. */
static void call_twice(const test_call *self, const char *what)
{
    for (int again = 0; again < 2; again++) {
        test_call_reset(self);
        ASSERT_OK(test_call_enqueue(self, &self->call));
    }
    test_call_expect_right(self, what);
}

static void lend(const test_call *self, cl_mem scratch)
{
    ASSERT_OK(clprim_plan_set_scratch(self->plan, scratch));
    ASSERT_CL(clReleaseMemObject(scratch)); /* the plan keeps a reference */
}

/* Use a part of a larger buffer, whose contents are not zero; nothing around it may be written. */
static void call_with_part(const test_call *self, size_t bytes)
{
    const size_t unit = clprim_runtime_info(self->runtime)->base_address_alignment;
    const size_t all = unit + bytes + MARGIN;
    unsigned char *before = memset(test_allocate(all), CONTENT, all);
    unsigned char *after = test_allocate(all);
    cl_mem parent = test_upload(self->runtime, before, all);
    lend(self, test_part(parent, unit, bytes));
    call_twice(self, "scratch memory amid a buffer");
    test_read(self->runtime, after, parent, all);
    test_expect_kept(before, after, unit, unit + bytes, all, self->name);
    ASSERT_CL(clReleaseMemObject(parent));
    free(before);
    free(after);
}

/* Memory that is sufficient for a call of few elements is too small for the plan's other call, which must be refused
 * each time. */
static void call_few_with_too_little(const test_call *self, const test_call *few, size_t bytes)
{
    size_t bytes_for_few = 0;
    ASSERT_OK(clprim_plan_scratch_size(&bytes_for_few, self->plan, few->call.bytes));
    lend(self, test_buffer(self->runtime, bytes - 1));
    test_call_reset(self);
    for (int again = 0; again < 2; again++) {
        ASSERT_STATUS(test_call_enqueue(self, &self->call), CLPRIM_INVALID_SCRATCH);
        test_call_expect_untouched(self, "too little scratch memory");
        if (bytes_for_few == bytes)
            continue;
        test_call_reset(few);
        ASSERT_OK(test_call_enqueue(self, &few->call));
        test_call_expect_right(few, "few elements");
    }
}

/* From the call's own count on, more elements must never need less scratch memory, and a size that size_t cannot
 * express must be refused. */
static void check_sizes(const test_call *self, const clprim_member *member)
{
    enum { BITS = 8 * sizeof(size_t), STEPS = 16 }; /* between powers of two */
    size_t before = 0;
    size_t last = 0;
    size_t own = 0;
    bool is_refused = false;
    memcpy(&own, self->call.bytes + member->place, sizeof own);
    for (unsigned i = 0; i < 3 * STEPS * BITS + 2; i++) {
        const size_t power = (size_t)1 << i / 3 / STEPS % BITS;
        const size_t count = i < 3 * STEPS * BITS ? power + power / STEPS * (i / 3 % STEPS) + i % 3 - 1
                                                  : SIZE_MAX - 3 * STEPS * BITS - 1 + i;
        test_struct call = self->call;
        size_t bytes = 77;
        if (count < own || count < last)
            continue;
        last = count;
        memcpy(call.bytes + member->place, &count, sizeof count);
        const clprim_status status = clprim_plan_scratch_size(&bytes, self->plan, call.bytes);
        if (status != CLPRIM_SUCCESS) {
            test_expect_status(status, CLPRIM_INVALID_RANGE, "", self->name);
            cr_assert_eq(bytes, 77, "%s: the size was written", self->name);
            cr_assert(strstr(clprim_last_error(), "scratch memory") != NULL ||
                          strstr(clprim_last_error(), "max_") != NULL,
                      "%s: %s", self->name, clprim_last_error());
            is_refused = true;
            continue;
        }
        cr_assert(!is_refused && bytes >= before, "%s: %s %zu takes %zu bytes, fewer take %zu or are refused",
                  self->name, member->name, count, bytes, before);
        before = bytes;
    }
}

/* Check AUTO with a plan for any number of elements, if there is one: plans for fewer elements refuse large counts
 * anyway. */
static void check_all_sizes(const test_call *self)
{
    test_call copy = *self;
    clprim_plan *large = NULL;
    if (test_get(&self->desc, self->face->desc_members, "variant") == 0 &&
        test_put(&copy.desc, self->face->desc_members, "max_count", SIZE_MAX) &&
        self->face->create(&large, self->runtime, copy.desc.bytes) == CLPRIM_SUCCESS)
        copy.plan = large;
    for (const clprim_member *m = self->face->call_members; m->name != NULL; m++)
        if (m->kind == CLPRIM_MEMBER_SIZE)
            check_sizes(&copy, m);
    clprim_plan_destroy(large);
}

CONTRACT_TEST(contract_memory, scratch, CONTRACT_VARIANTS, COUNT, 91)
{
    test_call few;
    size_t bytes = 0;
    contract_again(&few, self, FEW, 92);
    check_all_sizes(self);
    ASSERT_OK(clprim_plan_scratch_size(&bytes, self->plan, self->call.bytes));
    if (bytes > 0) {
        call_twice(self, "scratch memory of the pool's");
        call_with_part(self, bytes);
        call_with_part(self, bytes);
        call_few_with_too_little(self, &few, bytes);
        ASSERT_OK(clprim_plan_set_scratch(self->plan, NULL));
        call_twice(self, "scratch memory of the pool's again");
    }
    test_call_destroy(&few);
}

/* Copy every array's elements to begins[i] in one buffer, or back. */
static void copy_arrays(const test_call *self, cl_mem all, const size_t *begins, bool back)
{
    for (size_t i = 0; i < self->num_arrays; i++) {
        const test_array *array = &self->arrays[i];
        const cl_mem places[2] = {array->memory, all};
        const size_t at[2] = {array->offset * array->size, begins[i]};
        if (array->is_there && array->length > 0)
            ASSERT_CL(clEnqueueCopyBuffer(clprim_runtime_queue(self->runtime), places[back], places[!back], at[back],
                                          at[!back], array->length * array->size, 0, NULL, NULL));
    }
}

/* One array begins where another one ends, as far as the element sizes allow. */
CONTRACT_TEST(contract_memory, arrays_side_by_side, CONTRACT_SAMPLES, FEW, 93)
{
    size_t end = 0;
    size_t begins[CLPRIM__MAX_ARRAYS] = {0};
    test_struct call = self->call;
    for (size_t i = 0; i < self->num_arrays; i++) {
        const test_array *array = &self->arrays[i];
        if (!array->is_there)
            continue;
        begins[i] = (end + array->size - 1) / array->size * array->size;
        end = begins[i] + array->length * array->size;
    }
    cl_mem all = test_buffer(self->runtime, end);
    for (size_t i = 0; i < self->num_arrays; i++)
        if (self->arrays[i].is_there)
            *test_array_of(self, &call, i) = (clprim_array){.buffer = all, .offset = begins[i] / self->arrays[i].size};
    copy_arrays(self, all, begins, false);
    ASSERT_OK(test_call_enqueue(self, &call));
    copy_arrays(self, all, begins, true);
    test_call_expect_right(self, "side by side");
    ASSERT_CL(clReleaseMemObject(all));
}

/* Arrays without elements may be left out, and a call without elements needs as much scratch memory as
 * clprim_plan_scratch_size says: usually none. */
CONTRACT_TEST(contract_memory, no_elements_no_arrays, CONTRACT_VARIANTS, 0, 94)
{
    cl_event done = NULL;
    size_t bytes = 0;
    for (size_t i = 0; i < self->num_arrays; i++)
        if (self->arrays[i].length == 0)
            *test_array_of(self, &self->call, i) = (clprim_array){.buffer = NULL};
    ASSERT_OK(self->face->enqueue(self->plan, NULL, self->call.bytes, 0, NULL, &done));
    test_wait(done);
    test_call_expect_right(self, "no elements, no arrays");
    ASSERT_OK(clprim_plan_scratch_size(&bytes, self->plan, self->call.bytes));
    lend(self, test_buffer(self->runtime, 1));
    test_expect_status(test_call_enqueue(self, &self->call), bytes > 1 ? CLPRIM_INVALID_SCRATCH : CLPRIM_SUCCESS, "",
                       self->name);
}

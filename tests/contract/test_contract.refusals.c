// SPDX-License-Identifier: MIT
/* test_contract.refusals.c: any error in a call must be refused with the right status and a sentence that names it;
 * nothing is enqueued and no byte changes. */
#include <stdio.h>
#include <stdlib.h>

#include "contract.h"

enum { COUNT = 300 };

/* Try a call by enqueue and by run; `wrong` is a copy of the right one with an error. */
static void expect_refusal(const test_call *self, const test_struct *wrong, clprim_status expected, const char *culprit,
                           const char *what)
{
    cl_event never = NULL;
    char text[512];
    for (int by_run = 0; by_run < 2; by_run++) {
        const clprim_status status =
            by_run ? test_call_run(self, wrong) : self->face->enqueue(self->plan, NULL, wrong->bytes, 0, NULL, &never);
        (void)snprintf(text, sizeof text, "%s: %s: %s%s", self->name, culprit, what, by_run ? ", by run" : "");
        test_expect_status(status, expected, culprit, text);
        cr_assert_null(never, "%s: an event of a call that was refused", text);
        test_call_expect_untouched(self, text);
    }
}

static cl_mem buffer_like(const clprim_runtime *runtime, const test_array *array, cl_mem_flags flags, size_t less)
{
    return test_buffer_for(runtime, flags, (array->offset + array->length) * array->size - less);
}

/* Errors in array i of a call. */
static void refuse_array(const test_call *self, size_t i, clprim_runtime *other)
{
    const test_array *array = &self->arrays[i];
    const char *name = array->slot.member->name;
    test_struct wrong = self->call;
    clprim_array *place = test_array_of(self, &wrong, i);
    const clprim_array right = *place;
    if (!array->is_there) {
        const test_array *other_one = array;
        while (!other_one->is_there) /* an output always exists */
            other_one = other_one == self->arrays + self->num_arrays - 1 ? self->arrays : other_one + 1;
        place->buffer = other_one->memory;
        expect_refusal(self, &wrong, CLPRIM_INVALID_ARGUMENT, name, "there is none");
        *place = (clprim_array){.host = other_one->before};
        expect_refusal(self, &wrong, CLPRIM_INVALID_ARGUMENT, name, "there is none, on the host");
        return;
    }
    const size_t at = right.offset + ((right.offset + array->length) * array->size == 1); /* there are no buffers of 0
                                                                                           * bytes */
    const cl_mem_flags other_way = array->is_output ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY;
    const bool is_read = array->is_output && self->operation->reads_outputs;
    const bool is_needed = !array->slot.is_optional && array->length > 0;
    void *const nowhere = (void *)(uintptr_t)64; /* such a call must not read host memory */
    const struct {
        clprim_status status;
        const char *what;
        clprim_array is;
    } rows[] = {
        {CLPRIM_INVALID_ARGUMENT, "on the host", {right.buffer, right.offset, nowhere, 0, NULL}},
        {CLPRIM_INVALID_RANGE, "an offset past the end", {right.buffer, SIZE_MAX, NULL, 0, NULL}},
        {CLPRIM_INVALID_RANGE,
         "an offset that no size_t can express in bytes", /* multiplied by the size it would wrap around */
         {right.buffer, array->size > 1 ? SIZE_MAX / array->size + 1 : SIZE_MAX, NULL, 0, NULL}},
        {CLPRIM_INVALID_RANGE,
         "an element past the end",
         {right.buffer, array->bytes / array->size - array->length + 1, NULL, 0, NULL}},
        {CLPRIM_INVALID_BUFFER,
         "of another context",
         {buffer_like(other, array, CL_MEM_READ_WRITE, 0), at, NULL, 0, NULL}},
        {CLPRIM_INVALID_BUFFER,
         "made for the other direction",
         {buffer_like(self->runtime, array, other_way, 0), at, NULL, 0, NULL}},
        {CLPRIM_INVALID_RANGE,
         "a byte too small",
         {buffer_like(self->runtime, array, CL_MEM_READ_WRITE, 1), at, NULL, 0, NULL}},
        {is_read ? CLPRIM_INVALID_BUFFER : CLPRIM_SUCCESS,
         "not to be read",
         {buffer_like(self->runtime, array, CL_MEM_WRITE_ONLY, 0), at, NULL, 0, NULL}},
        {is_needed ? CLPRIM_INVALID_ARGUMENT : CLPRIM_SUCCESS, "NULL", {NULL, 0, NULL, 0, NULL}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        *place = rows[k].is;
        if (rows[k].status != CLPRIM_SUCCESS)
            expect_refusal(self, &wrong, rows[k].status, name, rows[k].what);
        if (place->buffer != NULL && place->buffer != right.buffer)
            ASSERT_CL(clReleaseMemObject(place->buffer));
    }
}

/* Output i overlaps another array: it begins in the middle of the other one and, unless that is allowed, at the same
 * place. */
static void refuse_overlaps(const test_call *self, size_t i)
{
    for (size_t k = 0; k < self->num_arrays; k++) {
        const test_array *other = &self->arrays[k];
        test_struct wrong = self->call;
        clprim_array *place = test_array_of(self, &wrong, i);
        const size_t size = self->arrays[i].size;
        if (k == i || !other->is_there || self->arrays[i].length * other->length < 2)
            continue;
        /* both end at or before the end of the larger buffer; the last element of the other array is inside the
         * output */
        const size_t last = ((other->offset + other->length) * other->size - 1) / size;
        const size_t bytes = (last + self->arrays[i].length + 1) * size + other->bytes;
        cl_mem larger = test_buffer(self->runtime, bytes);
        cl_mem part = test_part(larger, 0, bytes);
        test_array_of(self, &wrong, k)->buffer = larger;
        *place = (clprim_array){.buffer = larger, .offset = last};
        expect_refusal(self, &wrong, CLPRIM_INVALID_OVERLAP, "overlap", self->arrays[i].slot.member->name);
        place->buffer = part; /* the memory decides, not the buffer's handle */
        expect_refusal(self, &wrong, CLPRIM_INVALID_OVERLAP, "overlap", "of sub-buffers");
        test_array_of(self, &wrong, k)->offset = place->offset = 0; /* both begin at the same byte */
        if (self->arrays[i].slot.in_place_of != (int)k || size != other->size)
            expect_refusal(self, &wrong, CLPRIM_INVALID_OVERLAP, "overlap", "in one place");
        ASSERT_CL(clReleaseMemObject(part));
        ASSERT_CL(clReleaseMemObject(larger));
    }
}

/* The same on the host, by run: one array begins inside the other, or at the same place. */
static void refuse_overlaps_on_host(const test_call *self, size_t i)
{
    const test_array *out = &self->arrays[i];
    for (size_t k = 0; k < self->num_arrays; k++) {
        const test_array *other = &self->arrays[k];
        const bool may_be = out->slot.in_place_of == (int)k && out->size == other->size;
        if (k == i || !other->is_there || out->length * other->length < 2)
            continue;
        test_struct wrong = test_call_on_host(self);
        const clprim_array right = *test_array_of(self, &wrong, k);
        const size_t last = (other->length * other->size - 1) / out->size;
        const size_t bytes = (last + out->length + 1) * out->size + other->bytes;
        char *larger = test_allocate(bytes), *before = test_allocate(bytes);
        memset(before, 0x3c, bytes);
        memcpy(before, (char *)right.host + right.offset * other->size, other->length * other->size);
        memcpy(larger, before, bytes);
        test_array_of(self, &wrong, k)->host = larger;
        test_array_of(self, &wrong, k)->offset = 0;
        for (int is_within = may_be; is_within <= 1; is_within++) {
            *test_array_of(self, &wrong, i) = (clprim_array){.host = larger, .offset = is_within ? last : 0};
            test_expect_status(test_call_run(self, &wrong), CLPRIM_INVALID_OVERLAP, "overlap", out->slot.member->name);
            test_expect_same(before, larger, 1, bytes, "arrays of the host that overlap");
        }
        free(larger);
        free(before);
    }
}

/* More elements than any plan supports. */
static void refuse_counts(const test_call *self)
{
    for (const clprim_member *m = self->face->call_members; m->name != NULL; m++) {
        test_struct wrong = self->call;
        size_t size = 77;
        if (m->kind == CLPRIM_MEMBER_SIZE)
            memcpy(wrong.bytes + m->place, &(size_t){SIZE_MAX}, sizeof(size_t));
        if (self->plan->max_count == 0 || self->operation->count(wrong.bytes) <= self->plan->max_count)
            continue;
        expect_refusal(self, &wrong, CLPRIM_INVALID_RANGE, "max_count", m->name);
        ASSERT_STATUS(clprim_plan_scratch_size(&size, self->plan, wrong.bytes), CLPRIM_INVALID_RANGE);
        cr_assert_eq(size, 77);
    }
}

/* One element more than a plan was made for. */
static void refuse_one_more(const test_call *self)
{
    test_call small = *self;
    if (!test_put(&small.desc, self->face->desc_members, "max_count", self->operation->count(self->call.bytes) - 1))
        return;
    ASSERT_OK(self->face->create(&small.plan, self->runtime, small.desc.bytes));
    expect_refusal(&small, &self->call, CLPRIM_INVALID_RANGE, "max_count", "an element too many");
    clprim_plan_destroy(small.plan);
}

CONTRACT_TEST(contract_refusals, arrays, CONTRACT_SAMPLES, COUNT, 1)
{
    clprim_runtime *other = test_runtime(NULL);
    for (size_t i = 0; i < self->num_arrays; i++) {
        refuse_array(self, i, other);
        if (!self->arrays[i].is_output || !self->arrays[i].is_there)
            continue;
        refuse_overlaps(self, i);
        refuse_overlaps_on_host(self, i);
    }
    refuse_counts(self);
    refuse_one_more(self);
    test_call_check(self, "after all that was refused");
    clprim_runtime_destroy(other);
}

/* NULL, another operation's plan, another runtime's queue, invalid wait lists. */
CONTRACT_TEST(contract_refusals, arguments, CONTRACT_OPERATIONS, COUNT, 2)
{
    const clprim_status wrong = CLPRIM_INVALID_ARGUMENT;
    size_t size = 77;
    size_t count = 0;
    cl_event never = NULL;
    const cl_event none[1] = {NULL};
    const void *call = self->call.bytes;
    const clprim_operation *face = self->face;
    const clprim_operation *const *operations = clprim_operations(&count);
    clprim_plan *plan = self->plan;
    clprim_runtime *other = test_runtime(NULL);
    test_expect_status(face->create(NULL, self->runtime, self->desc.bytes), wrong, "create: out is NULL", self->name);
    test_expect_status(face->create(NULL, self->runtime, NULL), wrong, "create: out is NULL", self->name);
    test_expect_status(face->create(&self->plan, NULL, self->desc.bytes), wrong, "create: runtime is NULL", self->name);
    test_expect_status(face->create(&self->plan, NULL, NULL), wrong, "create: runtime is NULL", self->name);
    test_expect_status(face->enqueue(NULL, NULL, call, 0, NULL, &never), wrong, "enqueue: plan is NULL", self->name);
    test_expect_status(face->enqueue(plan, NULL, NULL, 0, NULL, &never), wrong, "enqueue: call is NULL", self->name);
    ASSERT_STATUS(face->enqueue(plan, clprim_runtime_queue(other), call, 0, NULL, &never), wrong);
    ASSERT_STATUS(face->enqueue(plan, NULL, call, 1, NULL, &never), wrong);
    ASSERT_STATUS(face->enqueue(plan, NULL, call, 0, none, &never), wrong);
    ASSERT_STATUS(face->enqueue(plan, NULL, call, 1, none, &never), wrong);
    test_expect_status(face->run(self->runtime, self->desc.bytes, NULL), wrong, "run: call is NULL", self->name);
    test_expect_status(face->run(NULL, NULL, NULL), wrong, "run: call is NULL", self->name);
    test_expect_status(clprim_plan_scratch_size(NULL, plan, call), wrong, "out is NULL", self->name);
    test_expect_status(clprim_plan_scratch_size(&size, NULL, call), wrong, "plan is NULL", self->name);
    test_expect_status(clprim_plan_scratch_size(&size, plan, NULL), wrong, "call is NULL", self->name);
    test_expect_status(clprim_plan_set_scratch(NULL, NULL), wrong, "plan is NULL", self->name);
    for (size_t i = 0; i < count; i++) {
        static const test_struct empty;
        if (operations[i] == face)
            continue;
        ASSERT_STATUS(operations[i]->enqueue(plan, NULL, empty.bytes, 0, NULL, &never), wrong);
        cr_assert_not_null(strstr(clprim_last_error(), face->name), "%s", clprim_last_error());
    }
    const cl_mem scratch[] = {test_buffer(other, 64),
                              buffer_like(self->runtime, &self->arrays[0], CL_MEM_READ_ONLY, 0)};
    for (size_t i = 0; i < 2; i++) {
        ASSERT_STATUS(clprim_plan_set_scratch(plan, scratch[i]), CLPRIM_INVALID_BUFFER);
        ASSERT_CL(clReleaseMemObject(scratch[i]));
    }
    cr_assert_null(never);
    cr_assert_eq(size, 77);
    cr_assert(self->plan == plan);
    test_call_expect_untouched(self, "wrong arguments");
    cr_assert(clprim_plan_operation(plan) == face && clprim_plan_operation(NULL) == NULL);
    cr_assert(clprim_plan_variant(plan)->id != 0 && clprim_plan_variant(NULL) == NULL);
    clprim_plan_destroy(NULL);
    clprim_runtime_destroy(other);
}

/* test_contract.refusals.c: whatever a call may have wrong is refused with the right status and a sentence that names
 * it; nothing is enqueued and no byte changes. */
#include <stdio.h>

#include "contract.h"

enum { COUNT = 300 };

/* What is tried with a call: wrong is a copy of the right one. */
static void expect_refusal(const test_call *self, const test_struct *wrong, clprim_status expected, const char *culprit,
                           const char *what)
{
    cl_event never = NULL;
    char text[256];
    (void)snprintf(text, sizeof text, "%s: %s", culprit, what);
    const clprim_status status = self->face->enqueue(self->plan, NULL, wrong->bytes, 0, NULL, &never);
    cr_assert_eq((int)status, (int)expected, "%s: %s: %s: %s", self->name, text, clprim_status_string(status),
                 clprim_last_error());
    cr_assert_not_null(strstr(clprim_last_error(), culprit), "%s: %s: %s", self->name, text, clprim_last_error());
    cr_assert_null(never, "%s: %s: an event of a call that was refused", self->name, text);
    test_call_expect_untouched(self, text);
}

static cl_mem buffer_like(const clprim_runtime *runtime, const test_array *array, cl_mem_flags flags, size_t less)
{
    cl_int code = CL_SUCCESS;
    const size_t bytes = (array->offset + array->length) * array->size - less;
    cl_mem buffer = clCreateBuffer(clprim_runtime_context(runtime), flags, bytes > 0 ? bytes : 1, NULL, &code);
    ASSERT_CL(code);
    return buffer;
}

/* The array i of a call as it must not be. */
static void refuse_array(const test_call *self, size_t i, clprim_runtime *other)
{
    const test_array *array = &self->arrays[i];
    const char *name = array->slot.member->name;
    test_struct wrong = self->call;
    clprim_array *place = test_array_of(self, &wrong, i);
    const clprim_array right = *place;
    if (!array->is_there) {
        place->buffer = self->arrays[0].memory;
        expect_refusal(self, &wrong, CLPRIM_INVALID_ARGUMENT, name, "there is none");
        *place = (clprim_array){.host = self->arrays[0].before};
        ASSERT_STATUS(test_call_run(self, &wrong), CLPRIM_INVALID_ARGUMENT);
        cr_assert_not_null(strstr(clprim_last_error(), name), "%s: %s", self->name, clprim_last_error());
        test_call_expect_untouched(self, "an array on the host that is not there");
        return;
    }
    place->host = array->before;
    expect_refusal(self, &wrong, CLPRIM_INVALID_ARGUMENT, name, "on the host");
    cr_assert_eq((int)test_call_run(self, &wrong), (int)CLPRIM_INVALID_ARGUMENT, "%s: %s twice", self->name, name);
    test_call_expect_untouched(self, "a buffer and an array on the host");
    *place = (clprim_array){.buffer = right.buffer, .offset = SIZE_MAX};
    expect_refusal(self, &wrong, CLPRIM_INVALID_RANGE, name, "an offset past the end");
    place->offset = array->size > 1 ? SIZE_MAX / array->size + 1 : SIZE_MAX; /* times the size it would wrap around */
    expect_refusal(self, &wrong, CLPRIM_INVALID_RANGE, name, "an offset that no size_t can express in bytes");
    place->offset = array->bytes / array->size - array->length + 1;
    expect_refusal(self, &wrong, CLPRIM_INVALID_RANGE, name, "an element past the end");
    const struct {
        clprim_status status;
        const char *what;
        cl_mem buffer;
    } rows[] = {
        {CLPRIM_INVALID_BUFFER, "of another context", buffer_like(other, array, CL_MEM_READ_WRITE, 0)},
        {CLPRIM_INVALID_BUFFER, "made for the other direction",
         buffer_like(self->runtime, array, array->is_output ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY, 0)},
        {CLPRIM_INVALID_RANGE, "a byte too small", buffer_like(self->runtime, array, CL_MEM_READ_WRITE, 1)},
        {CLPRIM_INVALID_BUFFER, "not to be read",
         array->is_output && self->operation->reads_outputs ? buffer_like(self->runtime, array, CL_MEM_WRITE_ONLY, 0)
                                                            : NULL},
    };
    const size_t more = (right.offset + array->length) * array->size == 1; /* no buffer has 0 bytes */
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (rows[k].buffer == NULL)
            continue;
        *place = (clprim_array){.buffer = rows[k].buffer, .offset = right.offset + more};
        expect_refusal(self, &wrong, rows[k].status, name, rows[k].what);
        ASSERT_CL(clReleaseMemObject(rows[k].buffer));
    }
    if (array->slot.member->is_optional || array->length == 0)
        return;
    *place = (clprim_array){.buffer = NULL};
    expect_refusal(self, &wrong, CLPRIM_INVALID_ARGUMENT, name, "NULL");
    cr_assert_eq((int)test_call_run(self, &wrong), (int)CLPRIM_INVALID_ARGUMENT, "%s: run without %s", self->name,
                 name);
}

/* All of a buffer, as a part of it. */
static cl_mem sub_buffer(cl_mem whole)
{
    cl_int code = CL_SUCCESS;
    cl_buffer_region region = {0, 0};
    ASSERT_CL(clGetMemObjectInfo(whole, CL_MEM_SIZE, sizeof region.size, &region.size, NULL));
    cl_mem part = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    ASSERT_CL(code);
    return part;
}

/* Output i where another array is: one that begins in the middle of it, and unless it may be there, in its place. */
static void refuse_overlaps(const test_call *self, size_t i)
{
    for (size_t k = 0; k < self->num_arrays; k++) {
        const test_array *other = &self->arrays[k];
        test_struct wrong = self->call;
        clprim_array *place = test_array_of(self, &wrong, i);
        const size_t size = self->arrays[i].size;
        if (k == i || !other->is_there || self->arrays[i].length * other->length < 2)
            continue;
        /* both end at most with the larger buffer; the last element of the other array is within the output */
        const size_t last = ((other->offset + other->length) * other->size - 1) / size;
        cl_mem larger = test_buffer(self->runtime, (last + self->arrays[i].length + 1) * size + other->bytes);
        cl_mem part = sub_buffer(larger);
        test_array_of(self, &wrong, k)->buffer = larger;
        *place = (clprim_array){.buffer = larger, .offset = last};
        expect_refusal(self, &wrong, CLPRIM_INVALID_OVERLAP, "overlap", self->arrays[i].slot.member->name);
        place->buffer = part; /* what lies where decides, not what it is called */
        expect_refusal(self, &wrong, CLPRIM_INVALID_OVERLAP, "overlap", "of sub-buffers");
        test_array_of(self, &wrong, k)->offset = place->offset = 0; /* both from the same byte on */
        if (self->arrays[i].slot.in_place_of != (int)k || size != other->size)
            expect_refusal(self, &wrong, CLPRIM_INVALID_OVERLAP, "overlap", "in one place");
        ASSERT_CL(clReleaseMemObject(part));
        ASSERT_CL(clReleaseMemObject(larger));
    }
}

/* More elements than a plan takes. */
static void refuse_counts(const test_call *self)
{
    for (const clprim_member *m = self->face->call_members; m->name != NULL; m++) {
        test_struct wrong = self->call;
        size_t size = 77;
        if (m->kind != CLPRIM_MEMBER_SIZE)
            continue;
        memcpy(wrong.bytes + m->place, &(size_t){SIZE_MAX}, sizeof(size_t));
        if (self->plan->max_count == 0 || self->operation->count(wrong.bytes) <= self->plan->max_count)
            continue;
        expect_refusal(self, &wrong, CLPRIM_INVALID_RANGE, "max_count", m->name);
        ASSERT_STATUS(clprim_plan_scratch_size(&size, self->plan, wrong.bytes), CLPRIM_INVALID_RANGE);
        ASSERT_STATUS(test_call_run(self, &wrong), CLPRIM_INVALID_RANGE);
        cr_assert_eq(size, 77);
    }
}

/* An element more than a plan was made for. */
static void refuse_one_more(test_call *self)
{
    test_struct desc;
    const size_t one_less = self->operation->count(self->call.bytes) - 1;
    desc = self->desc;
    for (const clprim_member *m = self->face->desc_members; m->name != NULL; m++) {
        if (strcmp(m->name, "max_count") != 0)
            continue;
        clprim_plan *own = self->plan;
        memcpy(desc.bytes + m->place, &one_less, sizeof one_less);
        ASSERT_OK(self->face->create(&self->plan, self->runtime, desc.bytes));
        expect_refusal(self, &self->call, CLPRIM_INVALID_RANGE, "max_count", "an element too many");
        clprim_plan_destroy(self->plan);
        self->plan = own;
    }
}

static bool refuse_arrays(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    test_call self;
    if (!contract_create(&self, runtime, subject, sample, variant, COUNT, 1))
        return false;
    clprim_runtime *other = test_runtime(NULL);
    for (size_t i = 0; i < self.num_arrays; i++) {
        refuse_array(&self, i, other);
        if (self.arrays[i].is_output && self.arrays[i].is_there)
            refuse_overlaps(&self, i);
    }
    refuse_counts(&self);
    refuse_one_more(&self);
    ASSERT_OK(test_call_enqueue(&self, &self.call));
    test_call_expect_right(&self, "after all that was refused");
    test_call_destroy(&self);
    clprim_runtime_destroy(other);
    return true;
}

Test(contract_refusals, arrays, .timeout = 600)
{
    contract_for_samples(refuse_arrays);
}

static void refuse_scratch(const test_call *self, cl_mem scratch)
{
    ASSERT_STATUS(clprim_plan_set_scratch(self->plan, scratch), CLPRIM_INVALID_BUFFER);
    ASSERT_CL(clReleaseMemObject(scratch));
}

/* NULL, another operation's plan, another runtime's queue, wait lists that are none. */
static bool refuse_arguments(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    test_call self;
    cl_event never = NULL;
    const cl_event none[1] = {NULL};
    size_t size = 77;
    const clprim_operation *face = subject->operation->face;
    if (!contract_create(&self, runtime, subject, sample, variant, COUNT, 2))
        return false;
    clprim_runtime *other = test_runtime(NULL);
    const void *call = self.call.bytes;
    ASSERT_STATUS(face->create(NULL, runtime, self.desc.bytes), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(face->create(&self.plan, NULL, self.desc.bytes), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(face->enqueue(NULL, NULL, call, 0, NULL, &never), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(face->enqueue(self.plan, NULL, NULL, 0, NULL, &never), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(face->enqueue(self.plan, clprim_runtime_queue(other), call, 0, NULL, &never),
                  CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(face->enqueue(self.plan, NULL, call, 1, NULL, &never), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(face->enqueue(self.plan, NULL, call, 0, none, &never), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(face->enqueue(self.plan, NULL, call, 1, none, &never), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(face->run(runtime, self.desc.bytes, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_plan_scratch_size(NULL, self.plan, call), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_plan_scratch_size(&size, NULL, call), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_plan_scratch_size(&size, self.plan, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_plan_set_scratch(NULL, NULL), CLPRIM_INVALID_ARGUMENT);
    refuse_scratch(&self, test_buffer(other, 64));
    refuse_scratch(&self, buffer_like(runtime, &self.arrays[0], CL_MEM_READ_ONLY, 0));
    cr_assert_null(never);
    cr_assert_eq(size, 77);
    test_call_expect_untouched(&self, "wrong arguments");
    cr_assert(clprim_plan_operation(self.plan) == face && clprim_plan_operation(NULL) == NULL);
    cr_assert(clprim_plan_variant(self.plan)->id != 0 && clprim_plan_variant(NULL) == NULL);
    clprim_plan_destroy(NULL);
    clprim_runtime_destroy(other);
    test_call_destroy(&self);
    return true;
}

Test(contract_refusals, arguments, .timeout = 600)
{
    contract_for_operations(refuse_arguments);
}

/* An operation whose plan is another's. */
Test(contract_refusals, plans_of_other_operations, .timeout = 600)
{
    size_t count = 0;
    const clprim__trial_subject *const *subjects = clprim__operation_subjects(&count);
    clprim_runtime *runtime = test_runtime(NULL);
    test_call self;
    cr_assert(contract_create(&self, runtime, subjects[0], 0, 0, COUNT, 3));
    for (size_t i = 1; i < count; i++) {
        static const test_struct empty;
        ASSERT_STATUS(subjects[i]->operation->face->enqueue(self.plan, NULL, empty.bytes, 0, NULL, NULL),
                      CLPRIM_INVALID_ARGUMENT);
        cr_assert_not_null(strstr(clprim_last_error(), self.face->name), "%s", clprim_last_error());
    }
    test_call_destroy(&self);
    clprim_runtime_destroy(runtime);
}

// SPDX-License-Identifier: MIT
/* test_contract.svm.c: arrays in shared virtual memory: each operation must do the same with them as with buffers, and
 * refuse errors. */
#define CL_TARGET_OPENCL_VERSION 200
#include "cases.h"
#include "contract.h"
#include "shared.h"

#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 700, FEW = 300, SUMS = 1000 };

static void skip_without_svm(const clprim_runtime *runtime)
{
    if (!test_has_svm(runtime, false))
        cr_skip_test("the device has no shared virtual memory");
}

/* By enqueue and by run. Memory on both sides of each array must not change. */
static void check_call(test_call *self, bool is_fine, bool is_mixed, const char *what)
{
    test_shared shared;
    for (int by_run = 0; by_run < 2; by_run++) {
        cl_event done = NULL;
        test_shared_create(&shared, self, is_fine, is_mixed);
        test_call_reset(self);
        test_shared_bring(&shared);
        if (by_run) {
            ASSERT_OK(test_call_run(self, &shared.call));
        } else {
            ASSERT_OK(self->face->enqueue(self->plan, NULL, shared.call.bytes, 0, NULL, &done));
            test_wait(done);
        }
        test_shared_return(&shared);
        test_call_expect_right(self, what);
        test_shared_destroy(&shared);
    }
}

/* Some arrays are in shared memory, the others on the host. */
static void check_with_host(const test_call *self)
{
    test_shared shared;
    test_struct call = test_call_on_host(self);
    test_shared_create(&shared, self, false, true);
    test_call_reset(self);
    test_shared_bring(&shared);
    call = test_call_on_host(self);
    for (size_t i = 0; i < self->num_arrays; i++)
        if (test_array_of(self, &shared.call, i)->svm != NULL)
            *test_array_of(self, &call, i) = *test_array_of(self, &shared.call, i);
    ASSERT_OK(test_call_run(self, &call));
    for (size_t i = 0; i < self->num_arrays; i++) {
        const clprim_array *array = test_array_of(self, &call, i);
        if (self->arrays[i].is_there && array->host != NULL)
            test_write(self->runtime, self->arrays[i].memory, array->host, self->arrays[i].bytes);
    }
    test_shared_return(&shared);
    test_call_expect_right(self, "on the host and in shared memory");
    test_shared_destroy(&shared);
}

/* With counts on the device, if the operation supports them. */
static bool create(test_call *out, clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample)
{
    const clprim_operation *face = subject->operation->face;
    test_struct desc = test_with(face, test_sample_of(subject, sample), "variant", 0);
    (void)test_put(&desc, face->desc_members, "count_at_type", sample % 2 == 0 ? CLPRIM_U32 : CLPRIM_U64);
    return test_call_create(out, runtime, face, desc.bytes);
}

static bool check_sample(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    test_call self;
    (void)variant;
    if (!create(&self, runtime, subject, sample))
        return false;
    for (int is_fine = 0; is_fine < 2; is_fine++) {
        if (!test_has_svm(runtime, is_fine))
            continue;
        self.replaced = 0;
        contract_fill(&self, COUNT, 40);
        check_call(&self, is_fine, false, is_fine ? "fine-grained" : "coarse-grained");
        contract_fill(&self, COUNT + 1, 41);
        check_call(&self, is_fine, true, "every other array");
        contract_fill(&self, 0, 42);
        check_call(&self, is_fine, false, "no elements");
        self.replaced = UINT64_MAX;
        contract_fill(&self, COUNT, 43);
        check_call(&self, is_fine, false, "in place");
    }
    self.replaced = 0;
    contract_fill(&self, COUNT, 44);
    check_with_host(&self);
    test_call_destroy(&self);
    return true;
}

Test(contract_svm, arrays, .timeout = 900)
{
    clprim_runtime *runtime = test_runtime(NULL);
    skip_without_svm(runtime);
    clprim_runtime_destroy(runtime);
    contract_for_each(CONTRACT_SAMPLES, check_sample);
}

/* By enqueue and by run. Buffers and shared memory must not change. */
static void refuse(const test_shared *shared, const test_struct *wrong, clprim_status expected, const char *culprit,
                   const char *what)
{
    const test_call *self = shared->self;
    cl_event never = NULL;
    char text[512];
    for (int by_run = 0; by_run < 2; by_run++) {
        (void)snprintf(text, sizeof text, "%s: %s: %s%s", self->name, culprit, what, by_run ? ", by run" : "");
        test_expect_status(by_run ? test_call_run(self, wrong)
                                  : self->face->enqueue(self->plan, NULL, wrong->bytes, 0, NULL, &never),
                           expected, culprit, text);
        cr_assert_null(never, "%s: an event of a call that was refused", text);
        test_shared_return(shared);
        test_call_expect_untouched(self, text);
    }
}

/* Errors in array i of a call. */
static void refuse_array(const test_shared *shared, size_t i, clprim_runtime *other)
{
    const test_call *self = shared->self;
    const test_array *array = &self->arrays[i];
    const char *name = array->slot.member->name;
    test_struct wrong = shared->call;
    clprim_array *place = test_array_of(self, &wrong, i);
    const clprim_array right = *place;
    if (!array->is_there) {
        place->svm = shared->places[0].pointer;
        refuse(shared, &wrong, CLPRIM_INVALID_ARGUMENT, name, array->slot.is_value ? "of one value" : "there is none");
        return;
    }
    const bool is_picky = !clprim_runtime_info(self->runtime)->has_system_svm;
    const size_t bytes = (right.offset + array->length) * array->size;
    if (bytes == 0)
        return;
    void *foreign = test_svm(other, bytes, false);
    void *small = test_svm(self->runtime, bytes - 1, false);
    void *plain = test_memory(0, bytes + 64);
    const struct {
        clprim_status status;
        const char *what;
        clprim_array is;
    } rows[] = {
        {CLPRIM_INVALID_ARGUMENT, "and a buffer", {array->memory, right.offset, NULL, 0, right.svm}},
        {CLPRIM_INVALID_ARGUMENT, "and on the host", {NULL, right.offset, array->before, 0, right.svm}},
        {CLPRIM_INVALID_RANGE, "an offset past the end", {NULL, array->bytes / array->size + 1, NULL, 0, right.svm}},
        {CLPRIM_INVALID_RANGE, "an offset that size_t cannot express in bytes", {NULL, SIZE_MAX, NULL, 0, right.svm}},
        {array->length > 1 && !clprim__may_be_short(&array->slot) ? CLPRIM_INVALID_RANGE : CLPRIM_SUCCESS,
         "too short a length",
         {NULL, right.offset, NULL, array->length - 1, right.svm}},
        {bytes > 1 ? CLPRIM_INVALID_RANGE : CLPRIM_SUCCESS, "a byte too small", {NULL, right.offset, NULL, 0, small}},
        {CLPRIM_INVALID_BUFFER, "not aligned", {NULL, right.offset, NULL, 0, (char *)right.svm + 8}},
        {is_picky ? CLPRIM_INVALID_BUFFER : CLPRIM_SUCCESS,
         "of another context",
         {NULL, right.offset, NULL, 0, foreign}},
        {is_picky ? CLPRIM_INVALID_BUFFER : CLPRIM_SUCCESS,
         "of the host",
         {NULL, right.offset, NULL, 0, (char *)plain + (64 - (uintptr_t)plain % 64)}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        *place = rows[k].is;
        if (rows[k].status != CLPRIM_SUCCESS && (array->slot.member->is_value == NULL || place->length == 0))
            refuse(shared, &wrong, rows[k].status, name, rows[k].what);
    }
    test_svm_free(other, foreign);
    test_svm_free(self->runtime, small);
}

/* Output i begins inside array k, with the same pointer and with another one. */
static void refuse_overlaps(const test_shared *shared, size_t i)
{
    const test_call *self = shared->self;
    for (size_t k = 0; k < self->num_arrays; k++) {
        const test_array *other = &self->arrays[k];
        const size_t size = self->arrays[i].size;
        test_struct wrong = shared->call;
        if (k == i || !other->is_there || self->arrays[i].length * other->length < 2)
            continue;
        const size_t end = (other->offset + other->length) * other->size;
        const size_t last = (end - 1) / size;
        char *larger = test_svm(self->runtime, (last + self->arrays[i].length + 1) * size + other->bytes, false);
        clprim_array *place = test_array_of(self, &wrong, i);
        test_array_of(self, &wrong, k)->svm = larger;
        *place = (clprim_array){.svm = larger, .offset = last};
        refuse(shared, &wrong, CLPRIM_INVALID_OVERLAP, "overlap", "in one allocation");
        *place = (clprim_array){.svm = larger + (end - 1) / 16 * 16};
        if (place->svm != larger)
            refuse(shared, &wrong, CLPRIM_INVALID_OVERLAP, "an .offset each", "by two pointers");
        test_svm_free(self->runtime, larger);
    }
}

CONTRACT_TEST(contract_svm, refusals, CONTRACT_SAMPLES, FEW, 45)
{
    test_shared shared;
    skip_without_svm(self->runtime);
    clprim_runtime *other = test_runtime(NULL);
    test_shared_create(&shared, self, false, false);
    test_shared_bring(&shared);
    for (size_t i = 0; i < self->num_arrays; i++) {
        refuse_array(&shared, i, other);
        if (self->arrays[i].is_there && self->arrays[i].is_output)
            refuse_overlaps(&shared, i);
    }
    ASSERT_OK(test_call_enqueue(self, &shared.call));
    test_shared_return(&shared);
    test_call_expect_right(self, "after all that was refused");
    test_shared_destroy(&shared);
    clprim_runtime_destroy(other);
}

/* On a device without such memory, the memory behind the pointer is not accessed. */
static void refuse_without(test_call *self)
{
    for (size_t i = 0; i < self->num_arrays; i++) {
        test_struct wrong = self->call;
        clprim_array *place = test_array_of(self, &wrong, i);
        if (!self->arrays[i].is_there)
            continue;
        *place = (clprim_array){.svm = self};
        test_expect_status(test_call_enqueue(self, &wrong), CLPRIM_UNSUPPORTED, "shared virtual memory", self->name);
        test_expect_status(test_call_run(self, &wrong), CLPRIM_UNSUPPORTED, "shared virtual memory", self->name);
    }
    test_call_expect_untouched(self, "no shared virtual memory");
}

Test(contract_svm, devices_without, .timeout = 900)
{
    test_without("svm");
    contract_for(CONTRACT_OPERATIONS, FEW, 46, refuse_without);
}

/* An argument that is an array, one that is a number, and an output, all in place. */
TEST_WITH_RUNTIME(contract_svm, arguments)
{
    const clprim_transform_desc desc = {
        .expressions = {"a * x[i]"},
        .types = {CLPRIM_U32},
        .text.parameters = {{.name = "a", .type = CLPRIM_U32}, {.name = "x", .type = CLPRIM_U32, .is_array = true}}};
    const cl_uint three = 3;
    cl_uint numbers[COUNT];
    clprim_plan *plan = NULL;
    skip_without_svm(runtime);
    for (cl_uint i = 0; i < COUNT; i++)
        numbers[i] = i;
    void *shared = test_svm(runtime, sizeof numbers, false);
    test_svm_write(runtime, shared, numbers, sizeof numbers);
    clprim_transform_call call = {.arguments = {{.host = (void *)(uintptr_t)&three}, {.svm = shared, .offset = 1}},
                                  .count = COUNT - 1,
                                  .out = {{.svm = shared, .offset = 1}}};
    ASSERT_OK(clprim_transform_create(&plan, runtime, &desc));
    ASSERT_OK(clprim_transform_enqueue(plan, NULL, &call, 0, NULL, NULL));
    test_svm_read(runtime, numbers, shared, sizeof numbers);
    for (cl_uint i = 0; i < COUNT; i++)
        cr_assert_eq(numbers[i], 3 * i);
    call.arguments[0] = (clprim_array){.svm = shared};
    ASSERT_REFUSED(clprim_transform_enqueue(plan, NULL, &call, 0, NULL, NULL), CLPRIM_INVALID_ARGUMENT, "only a .host");
    clprim_plan_destroy(plan);
    test_svm_free(runtime, shared);
}

/* A kernel of the caller that uses the pointer itself. */
static cl_kernel kernel_of(const clprim_runtime *runtime, const char *source, const char *name)
{
    cl_int code = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(clprim_runtime_context(runtime), 1, &source, NULL, &code);
    ASSERT_CL(code);
    ASSERT_CL(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, name, &code);
    ASSERT_CL(code);
    ASSERT_CL(clReleaseProgram(program));
    return kernel;
}

/* A kernel of the caller, a scan, another scan of the first one's output, and another kernel, all enqueued before the
 * first one begins, on the same shared memory. The plan is destroyed before that. */
static void check_chain(clprim_runtime *runtime, bool is_fine)
{
    static const char source[] = "__kernel void fill(__global uint *out) { out[get_global_id(0)] = 1; }\n"
                                 "__kernel void twice(__global uint *out) { out[get_global_id(0)] *= 2; }\n";
    const size_t count = SUMS;
    cl_uint numbers[SUMS + 8];
    clprim_plan *plan = NULL;
    cl_kernel kernels[2];
    cl_command_queue queue = test_queue(runtime, 0);
    cl_event gate = test_gate(runtime);
    cl_event done = NULL;
    void *in = test_svm(runtime, sizeof numbers, is_fine);
    void *out = test_svm(runtime, sizeof numbers, is_fine);
    for (int i = 0; i < 2; i++) {
        kernels[i] = kernel_of(runtime, source, i == 0 ? "fill" : "twice");
        ASSERT_CL(clSetKernelArgSVMPointer(kernels[i], 0, i == 0 ? in : out));
    }
    ASSERT_OK(clprim_scan_create(&plan, runtime, &(clprim_scan_desc){.type = CLPRIM_U32}));
    ASSERT_CL(clEnqueueNDRangeKernel(queue, kernels[0], 1, NULL, &count, NULL, 1, &gate, NULL));
    clprim_scan_call call = {.in = {.svm = in}, .count = SUMS, .out = {.svm = out, .offset = 8}};
    ASSERT_OK(clprim_scan_enqueue(plan, queue, &call, 0, NULL, NULL));
    call.in = call.out;
    call.out = (clprim_array){.svm = out};
    ASSERT_REFUSED(clprim_scan_enqueue(plan, queue, &call, 0, NULL, NULL), CLPRIM_INVALID_OVERLAP, "in and out");
    call.out = (clprim_array){.svm = in, .offset = 3};
    ASSERT_OK(clprim_scan_enqueue(plan, queue, &call, 0, NULL, NULL));
    call.in = call.out;
    call.out = (clprim_array){.svm = out};
    ASSERT_OK(clprim_scan_enqueue(plan, queue, &call, 0, NULL, NULL));
    ASSERT_CL(clEnqueueNDRangeKernel(queue, kernels[1], 1, NULL, &count, NULL, 0, NULL, &done));
    ASSERT_CL(clFlush(queue));
    clprim_plan_destroy(plan);
    test_gate_open(gate);
    test_wait(done);
    test_svm_read(runtime, numbers, out, sizeof numbers);
    for (cl_ulong i = 0; i < SUMS; i++)
        cr_assert_eq(numbers[i], (cl_uint)((i + 1) * (i + 2) * (i + 3) / 6 * 2), "element %u", (unsigned)i);
    for (int i = 0; i < 2; i++)
        ASSERT_CL(clReleaseKernel(kernels[i]));
    ASSERT_CL(clReleaseCommandQueue(queue));
    test_svm_free(runtime, in);
    test_svm_free(runtime, out);
}

TEST_WITH_RUNTIME(contract_svm, what_one_command_writes_the_next_one_reads)
{
    skip_without_svm(runtime);
    for (int is_fine = 0; is_fine < 2; is_fine++)
        if (test_has_svm(runtime, is_fine))
            check_chain(runtime, is_fine);
}

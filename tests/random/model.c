// SPDX-License-Identifier: MIT
/* model.c: makes calls and compares their results with what is expected. */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_call.h"

enum { MARGIN = 16384, LENT_BYTES = 2048, TRIES = 40, QUEUES = 3 };

struct model {
    clprim_runtime *runtime;
    clprim__trial owned;             /* memory and buffers, released with the model */
    cl_command_queue queues[QUEUES]; /* the runtime's queue, an in-order queue, an out-of-order queue */
    size_t largest, bytes;           /* elements of a call, bytes of a buffer */
    model_view views[MODEL_VIEWS];
    uint8_t *contents[MODEL_BUFFERS]; /* what each buffer must contain */
    uint8_t *copies[MODEL_BUFFERS];   /* for arrays on the host, and for reading buffers back */
    model_plan *plans;
    size_t num_plans;
    size_t *counts;
};

static bool wrong(const char *what, const char *name)
{
    (void)fprintf(stderr, "%s: %s (last error: %s)\n", name, what, clprim_last_error());
    return false;
}

/* The buffer, which is released with the model; NULL if it could not be made. */
static cl_mem own(model *self, cl_mem buffer)
{
    if (buffer == NULL || self->owned.num_buffers == CLPRIM__TRIAL_MAX_ARRAYS)
        self->owned.is_over = true;
    else
        self->owned.buffers[self->owned.num_buffers++] = buffer;
    return buffer;
}

static bool create_objects(model *self)
{
    static const cl_command_queue_properties properties[QUEUES] = {[2] = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};
    const cl_buffer_region part = {MARGIN / 4, MARGIN / 4}; /* a multiple of any device's alignment */
    const cl_context context = clprim_runtime_context(self->runtime);
    self->queues[0] = clprim_runtime_queue(self->runtime);
    for (size_t i = 1; i < QUEUES; i++)
        self->queues[i] =
            clCreateCommandQueue(context, clprim_runtime_info(self->runtime)->device, properties[i], NULL);
    for (size_t i = 0; i < MODEL_BUFFERS; i++) {
        const cl_mem_flags access = i == MODEL_READ_ONLY ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
        self->contents[i] = clprim__trial_memory(&self->owned, self->bytes);
        self->copies[i] = clprim__trial_memory(&self->owned, self->bytes);
        cl_mem buffer = clCreateBuffer(context, access | CL_MEM_COPY_HOST_PTR, self->bytes, self->contents[i], NULL);
        self->views[i] = (model_view){own(self, buffer), i, 0, self->bytes};
    }
    cl_mem inner = clCreateSubBuffer(self->views[0].memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, NULL);
    self->views[MODEL_PART] = (model_view){own(self, inner), 0, part.origin, part.size};
    return !self->owned.is_over && self->queues[1] != NULL && self->queues[2] != NULL;
}

/* Make the plan, or check that its description is refused as it must be. In that case of->plan stays NULL. */
static bool try_desc(model *self, model_plan *of)
{
    of->plan = NULL;
    of->is_lent = false;
    test_describe(of->name, of->face, &of->desc);
    const clprim_program_stats before = clprim_runtime_program_stats(self->runtime);
    const clprim_status status = of->face->create(&of->plan, self->runtime, of->desc.bytes);
    const clprim_program_stats after = clprim_runtime_program_stats(self->runtime);
    if (status == CLPRIM_SUCCESS) {
        self->counts[MODEL_PLANS]++;
        return true;
    }
    self->counts[MODEL_BAD_DESCS]++;
    if (status != CLPRIM_INVALID_ARGUMENT && status != CLPRIM_INVALID_OPERATOR && status != CLPRIM_UNSUPPORTED)
        return wrong("a description is refused with another status", of->name);
    if (of->plan != NULL || clprim_last_error()[0] == '\0')
        return wrong("a description is refused without a sentence, or *out is written", of->name);
    return status == CLPRIM_UNSUPPORTED || (before.built == after.built && before.from_disk == after.from_disk) ||
           wrong("a description is compiled, and refused", of->name);
}

/* Add a plan of the subject's first sample. With a source, use the first random description for which a plan can be
 * made. */
static bool add_plan(model *self, const clprim__trial_subject *subject, test_source *source)
{
    model_plan *of = &self->plans[self->num_plans];
    *of = (model_plan){.operation = subject->operation, .face = subject->operation->face};
    of->desc = test_with(of->face, subject->samples, "", 0);
    for (int i = 0; i < TRIES && of->plan == NULL; i++) {
        if (source != NULL) {
            test_random_desc(&of->desc, subject, source);
            test_random_give(&of->desc, subject, source);
        }
        if (!try_desc(self, of))
            return false;
    }
    if (of->plan == NULL)
        return true;
    self->num_plans++;
    of->lent = own(self, clCreateBuffer(clprim_runtime_context(self->runtime), 0, LENT_BYTES, NULL, NULL));
    return !self->owned.is_over;
}

model *model_create(clprim_runtime *runtime, size_t largest, size_t extra, uint64_t seed, size_t *counts)
{
    size_t count = 0;
    const clprim__trial_subject *const *subjects = clprim__operation_subjects(&count);
    test_source source = {.state = seed};
    model *self = calloc(1, sizeof *self);
    if (self == NULL)
        return NULL;
    *self = (model){.runtime = runtime, .largest = largest, .bytes = largest * 12 + MARGIN, .counts = counts};
    self->plans = clprim__trial_memory(&self->owned, (count + extra) * sizeof *self->plans);
    bool is_made = self->plans != NULL && create_objects(self);
    for (size_t i = 0; i < count + extra && is_made; i++)
        is_made = add_plan(self, subjects[i % count], i < count ? NULL : &source);
    if (is_made && self->num_plans > 0)
        return self;
    (void)wrong("it cannot be made", "the model");
    model_destroy(self);
    return NULL;
}

void model_destroy(model *self)
{
    if (self == NULL)
        return;
    for (size_t i = 0; i < self->num_plans; i++)
        clprim_plan_destroy(self->plans[i].plan);
    clprim__trial_clear(&self->owned);
    for (size_t i = 1; i < QUEUES; i++)
        if (self->queues[i] != NULL)
            (void)clReleaseCommandQueue(self->queues[i]);
    free(self);
}

/* Check that every byte on the device is as expected. */
static bool is_as_expected(const model *self, const char *name, const char *what)
{
    for (size_t i = 0; i < MODEL_BUFFERS; i++) {
        size_t at = 0;
        if (clEnqueueReadBuffer(self->queues[1], self->views[i].memory, CL_TRUE, 0, self->bytes, self->copies[i], 0,
                                NULL, NULL) != CL_SUCCESS)
            return wrong("a buffer cannot be read", name);
        if (memcmp(self->copies[i], self->contents[i], self->bytes) == 0)
            continue;
        while (self->copies[i][at] == self->contents[i][at])
            at++;
        (void)fprintf(stderr, "%s: %s: byte %zu of buffer %zu is %u, not %u\n", name, what, at, i, self->copies[i][at],
                      self->contents[i][at]);
        return false;
    }
    return true;
}

static bool write_buffer(const model *self, size_t buffer, size_t begin, size_t end, const uint8_t *from)
{
    return begin == end ||
           clEnqueueWriteBuffer(self->queues[1], self->views[buffer].memory, CL_TRUE, begin, end - begin, from + begin,
                                0, NULL, NULL) == CL_SUCCESS ||
           wrong("a buffer cannot be written", "the model");
}

static bool write_inputs(model *self, const model_call *call)
{
    for (size_t i = 0; i < call->of->plan->num_slots; i++) {
        const clprim__slot *slot = &call->of->plan->slots[i];
        const model_array *a = &call->arrays[i];
        if (slot->is_written || a->begin == a->end)
            continue;
        uint8_t *contents = self->contents[a->where->buffer];
        memcpy(contents + a->begin, clprim__array_of((void *)(uintptr_t)call->sample.bytes, slot)->host,
               a->end - a->begin);
        if (!write_buffer(self, a->where->buffer, a->begin, a->end, contents))
            return false;
    }
    return true;
}

/* Let the operation's reference write into the expected contents. */
static bool write_expected(model *self, model_call *call)
{
    uint64_t nothing[4] = {0}; /* for arrays without elements */
    for (size_t i = 0; i < call->of->plan->num_slots; i++) {
        const clprim__slot *slot = &call->of->plan->slots[i];
        const model_array *a = &call->arrays[i];
        clprim_array *out = clprim__array_of(call->sample.bytes, slot);
        if (slot->is_written && a->where != NULL)
            out->host = self->contents[a->where->buffer] + a->begin;
        else if (slot->is_written && slot->element_size > 0 && !slot->is_optional)
            out->host = nothing;
        else if (slot->is_written && slot->element_size > 0) /* the reference also writes what the call leaves out */
            out->host = clprim__trial_memory(&call->data, (model_call_length(call, i) + 1) * slot->element_size);
        else if (!slot->is_written && slot->member->is_optional && a->where == NULL)
            out->host = NULL; /* a count on the device that the call leaves out */
    }
    return clprim__plan_reference(call->of->operation, call->of->desc.bytes, call->sample.bytes) == CLPRIM_SUCCESS ||
           wrong("the reference fails", call->of->name);
}

/* Check the call after it completed or was refused. */
static bool is_right(model *self, model_call *call, model_verdict expected, clprim_status status)
{
    const bool is_refusal = expected == MODEL_SCRATCH_TOO_SMALL
                                ? status == CLPRIM_INVALID_SCRATCH
                                : status <= CLPRIM_INVALID_ARGUMENT && status >= CLPRIM_UNSUPPORTED;
    self->counts[expected == MODEL_RIGHT ? MODEL_CALLS : MODEL_REFUSALS]++;
    if (expected == MODEL_RIGHT && status == CLPRIM_SUCCESS)
        return write_expected(self, call) && is_as_expected(self, call->of->name, "after a call");
    if (expected == MODEL_RIGHT)
        return wrong("a right call fails", call->of->name);
    if (status == CLPRIM_SUCCESS)
        return wrong("a wrong call succeeds", call->of->name);
    if (!is_refusal || clprim_last_error()[0] == '\0')
        return wrong("it is refused with another status, or without a sentence", call->of->name);
    return is_as_expected(self, call->of->name, "after a refusal");
}

/* What the library must answer to enqueue, in addition to what the arrays require, because of scratch memory and wait
 * lists. An event is made for the wait lists. */
static model_verdict choose_waits(cl_uint *num_waits, const cl_event **waits, cl_event *gate, const model *self,
                                  const model_call *call, test_source *source)
{
    const size_t kind = test_below(source, 64);
    cl_int code = CL_SUCCESS;
    size_t needed = 0;
    if (kind < 8)
        *gate = clCreateUserEvent(clprim_runtime_context(self->runtime), &code);
    *num_waits = *gate != NULL || kind == 8;
    *waits = *gate != NULL || kind == 9 ? gate : NULL;
    if (kind == 8 || kind == 9)
        return MODEL_WRONG;
    return call->of->is_lent &&
                   (clprim_plan_scratch_size(&needed, call->of->plan, call->given.bytes) != CLPRIM_SUCCESS ||
                    needed > LENT_BYTES)
               ? MODEL_SCRATCH_TOO_SMALL
               : MODEL_RIGHT;
}

static bool enqueue(model *self, model_call *call, model_verdict expected, test_source *source)
{
    static const char untouched;
    const cl_event sentinel = (cl_event)(uintptr_t)&untouched;
    const cl_event *waits = NULL;
    cl_event gate = NULL;
    cl_event done = sentinel;
    cl_uint num_waits = 0;
    const cl_command_queue queue = self->queues[test_below(source, QUEUES)];
    const bool has_event = test_below(source, 2) == 0;
    const model_verdict besides = choose_waits(&num_waits, &waits, &gate, self, call, source);
    if (expected == MODEL_RIGHT)
        expected = besides;
    if (expected == MODEL_RIGHT && !write_inputs(self, call))
        return false;
    const clprim_status status = call->of->face->enqueue(call->of->plan, queue == self->queues[0] ? NULL : queue,
                                                         call->given.bytes, num_waits, waits, has_event ? &done : NULL);
    if (gate != NULL) {
        (void)clSetUserEventStatus(gate, CL_COMPLETE);
        (void)clReleaseEvent(gate);
    }
    if (has_event && (done == sentinel) == (status == CLPRIM_SUCCESS))
        return wrong("a refused call writes its event, or another one does not", call->of->name);
    if (status == CLPRIM_SUCCESS && (has_event ? clWaitForEvents(1, &done) : clFinish(queue)) != CL_SUCCESS)
        return wrong("the wait for it fails", call->of->name);
    if (done != sentinel)
        (void)clReleaseEvent(done);
    return is_right(self, call, expected, status);
}

/* Use the plan's run function, with some of the buffers on the host. */
static bool run(model *self, model_call *call, model_verdict expected, test_source *source)
{
    uint8_t *on_host[MODEL_BUFFERS] = {NULL};
    if (expected == MODEL_RIGHT && !write_inputs(self, call))
        return false;
    for (size_t i = 0; i < MODEL_BUFFERS && expected == MODEL_RIGHT; i++)
        if (test_below(source, 2) == 0)
            on_host[i] = memcpy(self->copies[i], self->contents[i], self->bytes);
    model_call_give(call, on_host);
    const clprim_status status = call->of->face->run(self->runtime, call->of->desc.bytes, call->given.bytes);
    self->counts[MODEL_HOST] += expected == MODEL_RIGHT;
    for (size_t i = 0; i < MODEL_BUFFERS; i++)
        if (on_host[i] != NULL && !write_buffer(self, i, 0, self->bytes, on_host[i]))
            return false;
    return is_right(self, call, expected, status);
}

static bool make_call(model *self, const model_plan *of, test_source *source)
{
    static uint8_t *const on_device[MODEL_BUFFERS];
    model_call call;
    bool is_well = true;
    if (!model_call_prepare(&call, of, self->views, self->largest, source))
        return true;
    if (test_below(source, 3) == 0)
        model_call_spoil(&call, self->views, source);
    const model_verdict expected = model_call_judge(&call);
    model_call_give(&call, on_device);
    if (expected != MODEL_UNKNOWN)
        is_well =
            test_below(source, 8) == 0 ? run(self, &call, expected, source) : enqueue(self, &call, expected, source);
    if (!is_well)
        model_call_print(&call);
    clprim__trial_clear(&call.data);
    return is_well;
}

static bool refuse_desc(model *self, const clprim__trial_subject *subject, test_source *source)
{
    model_plan of = {.operation = subject->operation, .face = subject->operation->face};
    test_wrong_desc(&of.desc, subject, source);
    if (!try_desc(self, &of))
        return false;
    clprim_plan_destroy(of.plan);
    return of.plan == NULL || wrong("a wrong description makes a plan", of.name);
}

static bool lend_scratch(model_plan *of)
{
    of->is_lent = !of->is_lent;
    return clprim_plan_set_scratch(of->plan, of->is_lent ? of->lent : NULL) == CLPRIM_SUCCESS ||
           wrong("scratch memory is refused", of->name);
}

static bool renew_plan(model *self, model_plan *of)
{
    clprim_plan_destroy(of->plan);
    return try_desc(self, of) && (of->plan != NULL || wrong("no plan the second time", of->name));
}

bool model_step(model *self, test_source *source)
{
    size_t count = 0;
    const clprim__trial_subject *const *subjects = clprim__operation_subjects(&count);
    const size_t kind = test_below(source, 32);
    const size_t which = test_below(source, self->num_plans);
    if (kind < 3)
        return refuse_desc(self, subjects[which % count], source);
    if (kind == 3)
        return lend_scratch(&self->plans[which]);
    return kind == 4 ? renew_plan(self, &self->plans[which]) : make_call(self, &self->plans[which], source);
}

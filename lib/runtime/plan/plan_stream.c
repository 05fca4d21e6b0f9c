// SPDX-License-Identifier: MIT
/* plan_stream.c: streams. Each batch is a piece of the whole: a few more pieces of the run in pieces (plan_pieces.h). */
#include <clprim/stream.h>
#include <stdlib.h>

#include "error.h"
#include "plan_host.h"
#include "plan_pieces.h"
#include "runtime_internal.h"
#include "sizes.h"

/* The elements on the device at a time, if the caller does not say. */
enum { USUAL_ELEMENTS = 1 << 22 };

struct clprim_stream {
    clprim_plan *plan;
    const void *desc;         /* the caller's */
    clprim__given call;       /* the call that was given to create */
    clprim__given all;        /* the batch's call, with the arrays of that call */
    clprim__cutting *cutting; /* NULL: there was no element yet */
    clprim_status status;     /* the stream has failed with it */
};

static size_t count_in(const clprim_plan *plan, const void *call)
{
    size_t count = 0;
    memcpy(&count, (const char *)call + plan->operation->pieces->count_place, sizeof count);
    return count;
}

static bool has_memory(const void *call, const clprim__slot *slot)
{
    const clprim_array *array = clprim__array_in(call, slot);
    return array->host != NULL || array->buffer != NULL || array->svm != NULL;
}

static const char *obstacle_of(const clprim_plan *plan, const void *desc)
{
    const clprim__pieces *pieces = plan->operation->pieces;
    const char *obstacle = clprim__pieces_obstacle(plan, desc);
    if (obstacle != NULL)
        return obstacle;
    const clprim__halo halo = pieces->halo != NULL ? pieces->halo(desc) : (clprim__halo){0};
    const char *reason = pieces->needs_all != NULL ? pieces->needs_all(desc) : NULL;
    return pieces->run != NULL                    ? "it needs all elements at the same time"
           : reason != NULL                       ? reason
           : halo.right > 0 && !halo.is_any_right ? "the last result of a batch depends on the next batch"
           : plan->counts.number > 0              ? "the numbers of elements of batches are not on the device"
                                                  : NULL;
}

clprim_status clprim_stream_create(clprim_stream **out, clprim_runtime *runtime, const clprim_operation *operation,
                                   const void *desc, const void *call)
{
    static const clprim__any_desc zeroed;
    clprim_status status = CLPRIM_SUCCESS;
    const char *obstacle = NULL;
    if (out == NULL || operation == NULL || call == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_stream_create: %s is NULL",
                            out == NULL         ? "out"
                            : operation == NULL ? "operation"
                                                : "call");
    clprim_stream *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a stream");
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime));
    CLPRIM__TRY(operation->create(&self->plan, runtime, desc));
    self->desc = desc != NULL ? desc : zeroed.bytes;
    memcpy(self->call.bytes, call, operation->call_size);
    obstacle = obstacle_of(self->plan, self->desc);
    if (obstacle != NULL) {
        status = clprim__fail(CLPRIM_UNSUPPORTED, "clprim_stream_create: %s cannot process batches: %s",
                              operation->name, obstacle);
        goto done;
    }
    *out = self;
    self = NULL;
done:
    clprim_stream_destroy(self);
    return status;
}

/* Write the stream's call with the batch's arrays and the number of its elements. */
static void complete(clprim_stream *self, const void *call)
{
    const clprim_plan *plan = self->plan;
    const size_t count = count_in(plan, call);
    self->all = self->call;
    memcpy(self->all.bytes + plan->operation->pieces->count_place, &count, sizeof count);
    for (size_t i = 0; i < plan->num_slots; i++)
        if (has_memory(call, &plan->slots[i]))
            *clprim__array_of(self->all.bytes, &plan->slots[i]) = *clprim__array_in(call, &plan->slots[i]);
}

/* An array whose default length is the number of elements of a call has no default in a stream. */
static clprim_status check_lengths(const clprim_stream *self)
{
    const clprim_plan *plan = self->plan;
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        if (slot->member->is_value != NULL && !slot->is_value && !self->cutting->cuts[i].is_cut &&
            clprim__array_in(self->call.bytes, slot)->length == 0 && has_memory(self->call.bytes, slot))
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s[%zu] of a stream needs a .length", slot->member->name,
                                slot->index);
    }
    return CLPRIM_SUCCESS;
}

static clprim_status check_on_host(const clprim_plan *plan, const void *call)
{
    for (size_t i = 0; i < plan->num_slots; i++)
        if (has_memory(call, &plan->slots[i]) && clprim__array_in(call, &plan->slots[i])->host == NULL)
            return clprim__fail(CLPRIM_UNSUPPORTED,
                                "clprim_stream_push: %s is not on the host: batches are on the host (.host)",
                                plan->slots[i].member->name);
    return CLPRIM_SUCCESS;
}

/* Check that each array comes from where it must come from. */
static clprim_status check_arrays(const clprim_stream *self, const void *call)
{
    const clprim_plan *plan = self->plan;
    size_t length = 0;
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        const bool is_cut = self->cutting->cuts[i].is_cut;
        if (is_cut != has_memory(call, slot) && !(clprim__is_counter(plan, slot) && !is_cut))
            return clprim__fail(
                CLPRIM_INVALID_ARGUMENT, "clprim_stream_push: %s[%zu] %s", slot->member->name, slot->index,
                is_cut ? "is missing: each batch has its own"
                       : "is no array of the batches: it is given to clprim_stream_create, or the first "
                         "batch had none");
        if (is_cut)
            CLPRIM__TRY(clprim__host_check(&length, plan, self->all.bytes, slot));
    }
done:
    return status;
}

/* Check that the stream may have so many elements more. */
static clprim_status check_count(const clprim_stream *self, size_t count)
{
    const clprim_plan *plan = self->plan;
    const size_t before = self->cutting != NULL ? self->cutting->first : 0;
    const size_t total = clprim__plus(before, count);
    clprim__given call = self->all;
    memcpy(call.bytes + plan->operation->pieces->count_place, &total, sizeof total);
    return total < SIZE_MAX && plan->operation->count(call.bytes) <= plan->max_count
               ? CLPRIM_SUCCESS
               : clprim__fail(
                     CLPRIM_INVALID_RANGE,
                     "clprim_stream_push: the stream would have %zu elements; with .max_count, it may have %zu", total,
                     plan->max_count);
}

static void end(clprim_stream *self, bool is_idle)
{
    if (self->cutting != NULL)
        clprim__cutting_end(self->cutting, is_idle);
    free(self->cutting);
    self->cutting = NULL;
}

/* The first batch shows which arrays batches have. */
static clprim_status begin(clprim_stream *self, const void *call)
{
    static const clprim__around around = {.is_open = true};
    clprim_status status = CLPRIM_SUCCESS;
    const size_t most = count_in(self->plan, self->call.bytes);
    self->cutting = calloc(1, sizeof *self->cutting);
    if (self->cutting == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a stream");
    CLPRIM__TRY(clprim__cutting_begin(self->cutting, self->plan, self->desc, self->all.bytes, &around,
                                      most != 0 ? most : USUAL_ELEMENTS));
    self->cutting->results = self->call.bytes;
    CLPRIM__TRY(check_lengths(self));
    status = check_arrays(self, call);
done:
    if (status != CLPRIM_SUCCESS)
        end(self, false);
    return status;
}

/* A stream that has failed half way does not continue, and no command uses the caller's arrays any more. */
static clprim_status after(clprim_stream *self, clprim_status status)
{
    self->status = status;
    if (status != CLPRIM_SUCCESS)
        end(self, false);
    return status;
}

/* Tell the caller how many elements were written for the batch. */
static void put_counts(const clprim_stream *self, const void *call, size_t count)
{
    const clprim_plan *plan = self->plan;
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        if (slot->counted_by < 0 || !clprim__is_on_host(call, &plan->slots[slot->counted_by]))
            continue;
        const size_t k = clprim__counter_of(plan, slot);
        const uint64_t wide = count > 0 ? self->cutting->appended[k] - self->cutting->appended_before[k] : 0;
        const uint32_t narrow = (uint32_t)wide;
        slot = &plan->slots[slot->counted_by];
        memcpy(clprim__host_data(call, slot), slot->element_size == sizeof wide ? (const void *)&wide : &narrow,
               slot->element_size);
    }
}

clprim_status clprim_stream_push(clprim_stream *stream, const void *call)
{
    clprim_status status = CLPRIM_SUCCESS;
    if (stream == NULL || call == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_stream_push: %s is NULL",
                            stream == NULL ? "stream" : "call");
    if (stream->status != CLPRIM_SUCCESS)
        return clprim__fail(stream->status, "clprim_stream_push: the stream has failed");
    const size_t count = count_in(stream->plan, call);
    complete(stream, call);
    CLPRIM__TRY(check_on_host(stream->plan, call));
    CLPRIM__TRY(clprim__plan_check_given(stream->plan, stream->all.bytes));
    CLPRIM__TRY(clprim__plan_check_places(stream->plan, stream->all.bytes));
    CLPRIM__TRY(check_count(stream, count));
    if (stream->cutting == NULL && count > 0)
        CLPRIM__TRY(begin(stream, call));
    else if (stream->cutting != NULL)
        CLPRIM__TRY(check_arrays(stream, call));
    if (count > 0)
        CLPRIM__TRY(after(stream, clprim__cutting_go_on(stream->cutting, stream->all.bytes, count)));
    put_counts(stream, call, count);
done:
    return status;
}

clprim_status clprim_stream_result(clprim_stream *stream)
{
    clprim__given none;
    const size_t zero = 0;
    if (stream == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_stream_result: stream is NULL");
    if (stream->status != CLPRIM_SUCCESS)
        return clprim__fail(stream->status, "clprim_stream_result: the stream has failed");
    if (stream->cutting != NULL)
        return after(stream, clprim__cutting_finish(stream->cutting));
    none = stream->call;
    memcpy(none.bytes + stream->plan->operation->pieces->count_place, &zero, sizeof zero);
    return stream->plan->operation->face->run(stream->plan->runtime, stream->desc, none.bytes);
}

uint64_t clprim_stream_count(const clprim_stream *stream)
{
    return stream != NULL && stream->cutting != NULL ? stream->cutting->first : 0;
}

void clprim_stream_destroy(clprim_stream *stream)
{
    if (stream == NULL)
        return;
    end(stream, true);
    clprim_plan_destroy(stream->plan);
    free(stream);
}

// SPDX-License-Identifier: MIT
/* segmented_reduce_pieces.c: segments of arrays that do not fit the device: a piece has whole segments. */
#include <stdlib.h>

#include "error.h"
#include "plan_host.h"
#include "plan_pieces.h"
#include "segmented_reduce_internal.h"
#include "segments.h"
#include "sizes.h"

typedef clprim_segmented_reduce_desc description;
typedef clprim_segmented_reduce_call segments_call;

/* A call, and the segment with which a piece begins. */
typedef struct pieces {
    clprim_plan *plan;
    const segments_call *call;
    const char *offsets; /* on the host */
    size_t offset_size;
    size_t first;
} pieces;

static const char *obstacle(const clprim_plan *plan, const void *desc)
{
    const description *d = desc;
    (void)plan;
    return d->input != NULL    ? "its elements are computed by .input, which may read its arguments anywhere"
           : d->output != NULL ? "with .output, i would count from the first segment of a piece"
                               : NULL;
}

static size_t offset_of(const pieces *self, size_t segment)
{
    return clprim__offset_at(self->offsets, self->offset_size, segment);
}

/* The call for so many segments from the first one on. */
static segments_call call_of(const pieces *self, size_t num_segments)
{
    const size_t begin = offset_of(self, self->first);
    segments_call call = *self->call;
    call.in.offset += begin;
    call.in.length = call.offsets.length = call.out.length = 0;
    call.count = offset_of(self, self->first + num_segments) - begin;
    call.segment_count = num_segments;
    call.out.offset += self->first;
    return call;
}

/* Device memory for so many segments; SIZE_MAX if a buffer is too large. */
static size_t bytes_of(const void *user, size_t num_segments)
{
    const pieces *self = user;
    const clprim_plan *plan = self->plan;
    const segments_call call = call_of(self, num_segments);
    size_t sum = clprim__segmented_reduce_scratch(plan, &call);
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        const size_t bytes = clprim__times(slot->member->length(plan->desc.bytes, &call), slot->element_size);
        if (bytes > clprim_runtime_info(plan->runtime)->max_allocation_size)
            return SIZE_MAX;
        sum = clprim__plus(sum, bytes);
    }
    return sum;
}

/* Run a piece. Its offsets count from its first element. */
static clprim_status run_piece(const pieces *self, size_t num_segments)
{
    segments_call call = call_of(self, num_segments);
    const size_t begin = offset_of(self, self->first);
    char *offsets = calloc(num_segments + 1, self->offset_size);
    if (offsets == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for the offsets of %zu segments", num_segments);
    for (size_t s = 0; s <= num_segments; s++) {
        const uint64_t offset =
            offset_of(self, self->first + s) - begin; /* little-endian, like all supported devices */
        memcpy(offsets + s * self->offset_size, &offset, self->offset_size);
    }
    call.offsets = (clprim_array){.host = offsets};
    const clprim_status status = clprim__plan_run_whole(self->plan, &call);
    free(offsets);
    return status;
}

/* Go through all pieces: only find them, so that a call that is refused has written nothing, or run them. */
static clprim_status go(pieces *self, bool runs)
{
    const size_t all = self->call->segment_count;
    const size_t limit = clprim__device_limit(self->plan->runtime);
    clprim_status status = CLPRIM_SUCCESS;
    for (self->first = 0; self->first < all;) {
        const size_t num_segments = clprim__most_that_fits(limit, bytes_of, self, all - self->first);
        if (num_segments == 0)
            return clprim__fail(CLPRIM_UNSUPPORTED,
                                "clprim_segmented_reduce_run: the call does not fit the device, and %zu bytes of its "
                                "memory are not enough for segment %zu: segments are not divided",
                                limit, self->first);
        if (runs)
            CLPRIM__TRY(run_piece(self, num_segments));
        self->first += num_segments;
        if (runs)
            CLPRIM__TRY(clprim__run_progress(self->plan,
                                             offset_of(self, self->first) - offset_of(self, 0) + self->first,
                                             offset_of(self, all) - offset_of(self, 0) + all));
    }
done:
    return status;
}

static clprim_status run(clprim_plan *plan, const void *desc, const void *given)
{
    const segments_call *call = given;
    const size_t size = ((const clprim__segmented_reduce_plan *)(const void *)plan)->offset_size;
    pieces self = {.plan = plan, .call = call, .offset_size = size};
    size_t length = 0;
    clprim_status status = CLPRIM_SUCCESS;
    (void)desc;
    for (size_t i = 0; i < plan->num_slots; i++)
        if (clprim__is_on_host(call, &plan->slots[i]))
            CLPRIM__TRY(clprim__host_check(&length, plan, call, &plan->slots[i]));
    if ((call->in.host == NULL && call->count > 0) || call->offsets.host == NULL)
        return clprim__fail(
            CLPRIM_UNSUPPORTED,
            "clprim_segmented_reduce_run: the call does not fit the device, and only elements and offsets "
            "on the host can be cut into pieces: %s has no .host",
            call->offsets.host == NULL ? "offsets" : "in");
    self.offsets = (const char *)call->offsets.host + call->offsets.offset * size;
    CLPRIM__TRY(go(&self, false));
    status = go(&self, true);
done:
    return status;
}

const clprim__pieces clprim__segmented_reduce_pieces = {.run = run, .obstacle = obstacle};

// SPDX-License-Identifier: MIT
/* nth_element_pieces.c: keys at given ranks of arrays that do not fit the device: each pass over the array counts a digit,
 * piece by piece. */
#include <stdlib.h>

#include "error.h"
#include "nth_element_digits.h"
#include "nth_element_internal.h"
#include "plan_host.h"
#include "plan_pieces.h"
#include "segments.h"
#include "sizes.h"

typedef clprim_nth_element_desc description;

enum { LEAST_BINS = 256, SHARE = 16 /* of the device memory, for counters */ };

static const char *obstacle(const clprim_plan *plan, const void *desc)
{
    const description *d = desc;
    (void)plan;
    return d->input != NULL ? "its keys are computed by .input, which may read its arguments anywhere" : NULL;
}

/* Copy the call's array of that name to *data, or from there. */
static clprim_status copy(const clprim_plan *plan, const void *call, const char *name, void *data, size_t count)
{
    return clprim__pieces_copy(plan, call, &plan->slots[clprim__slot_named(plan, name, 0)], data, count);
}

/* The lower one of the call's two counts. */
static clprim_status count_of(size_t *out, const clprim_plan *plan, const clprim_nth_element_call *call)
{
    const description *d = (const void *)plan->desc.bytes;
    uint64_t number = 0; /* little-endian, like all supported devices */
    *out = call->count;
    if (d->count_at_type == CLPRIM_TYPE_DEFAULT)
        return CLPRIM_SUCCESS;
    const clprim_status status = copy(plan, call, "count_at", &number, 1);
    *out = number < *out ? (size_t)number : *out;
    return status;
}

/* Read the ranks. They are less than the number of keys, which is not 0. */
static clprim_status ranks_of(uint64_t *ranks, const clprim_plan *plan, const clprim_nth_element_call *call,
                              size_t count)
{
    const clprim_status status = copy(plan, call, "ranks", ranks, call->rank_count);
    for (size_t i = call->rank_count; status == CLPRIM_SUCCESS && i-- > 0;) { /* from the end: they may become wider */
        const size_t rank = clprim__offset_at(ranks, plan->index_size, i);
        ranks[i] = rank < count ? rank : count - 1;
    }
    return status;
}

static clprim_status progress(void *user, size_t done, size_t total)
{
    return clprim__run_progress(user, done, total);
}

static clprim_status find(clprim_plan *plan, const clprim_nth_element_call *call)
{
    const description *d = (const void *)plan->desc.bytes;
    const clprim__slot *keys = &plan->slots[clprim__slot_named(plan, "keys_in", 0)];
    clprim_status status = CLPRIM_SUCCESS;
    size_t length = 0;
    clprim__digits digits = {.runtime = plan->runtime,
                             .order = {.key_type = d->key_type, .descending = d->descending, .nan_order = d->nan_order},
                             .bins = CLPRIM__DIGITS_BINS,
                             .progress = progress,
                             .user = plan};
    uint64_t *ranks = calloc(clprim__plus(call->rank_count, 1), sizeof *ranks);
    char *found = calloc(clprim__plus(call->rank_count, 1), keys->element_size);
    if (ranks == NULL || found == NULL) {
        status = clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for %zu ranks", call->rank_count);
        goto done;
    }
    clprim__state_clear(&plan->state); /* nothing is launched with the whole call's plan */
    for (size_t i = 0; i < plan->num_slots; i++)
        if (clprim__is_on_host(call, &plan->slots[i]))
            CLPRIM__TRY(clprim__host_check(&length, plan, call, &plan->slots[i]));
    CLPRIM__TRY(count_of(&digits.count, plan, call));
    if (digits.count == 0)
        goto done;
    CLPRIM__TRY(ranks_of(ranks, plan, call, digits.count));
    digits.keys = clprim__host_data(call, keys);
    while (digits.bins > LEAST_BINS && digits.bins * SHARE * sizeof(cl_uint) > clprim__device_limit(plan->runtime))
        digits.bins /= 2;
    CLPRIM__TRY(clprim__digits_select(found, &digits, ranks, call->rank_count));
    if (call->rank_count > 0)
        status = copy(plan, call, "keys_out", found, call->rank_count);
done:
    free(ranks);
    free(found);
    return status;
}

static clprim_status run(clprim_plan *plan, const void *desc, const void *call)
{
    (void)desc;
    return ((const clprim_nth_element_call *)call)->keys_in.host != NULL
               ? find(plan, call)
               : clprim__fail(CLPRIM_UNSUPPORTED,
                              "clprim_nth_element_run: the call does not fit the device, and only keys on the host can "
                              "be cut into pieces: keys_in has no .host");
}

const clprim__pieces clprim__nth_element_pieces = {.run = run, .obstacle = obstacle};

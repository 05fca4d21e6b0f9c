// SPDX-License-Identifier: MIT
/* merge_parts.c: merges of ranges that do not fit the device: the merged order is divided into pieces that fit. Where each
 * of them begins and ends in both ranges is found on the host, from few keys. */
#include "error.h"
#include "key_image.h"
#include "merge_internal.h"
#include "plan_host.h"
#include "plan_parts.h"
#include "sizes.h"

typedef clprim_merge_desc description;

enum { ROUND = 4096 };

static const char *obstacle(const clprim_plan *plan, const void *desc)
{
    const description *d = desc;
    (void)plan;
    return d->less != NULL              ? "pieces are found only in the order of a built-in type, but it has a .less"
           : d->key_type == CLPRIM_U128 ? "pieces are found only by keys of up to 64 bits"
           : d->count_at_type != CLPRIM_TYPE_DEFAULT ? "its counts are on the device"
                                                     : NULL;
}

/* Device memory for a piece of `count` elements: inputs, outputs and scratch memory. SIZE_MAX if a buffer is too
 * large. */
static size_t bytes_of(const clprim_plan *plan, const description *d, size_t key_size, size_t count)
{
    const clprim_merge_call call = {.a_count = count / 2, .b_count = count - count / 2};
    const size_t widest = clprim__times(clprim__larger(key_size, d->value_size), count);
    const size_t scratch = plan->operation->scratch != NULL ? plan->operation->scratch(plan, &call) : 0;
    return widest > clprim_runtime_info(plan->runtime)->max_allocation_size
               ? SIZE_MAX
               : clprim__plus(scratch, clprim__times(2 * (key_size + d->value_size), count));
}

/* The largest piece that fits; 0 if there is none. */
static size_t piece_of(const clprim_plan *plan, const description *d, size_t key_size, size_t total)
{
    const size_t limit = clprim__device_limit(plan->runtime);
    size_t least = 0;
    size_t most = total;
    while (most - least > 1) { /* invariant: `least` fits, `most` does not, because the whole call does not */
        const size_t middle = least + (most - least) / 2;
        if (bytes_of(plan, d, key_size, middle) <= limit)
            least = middle;
        else
            most = middle;
    }
    return least > ROUND ? least - least % ROUND : least;
}

static clprim_status check(const clprim_plan *plan, const clprim_merge_call *call)
{
    size_t length = 0;
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < plan->num_slots; i++)
        if (clprim__is_on_host(call, &plan->slots[i]))
            CLPRIM__TRY(clprim__host_check(&length, plan, call, &plan->slots[i]));
    if ((call->a_keys.host == NULL && call->a_count > 0) || (call->b_keys.host == NULL && call->b_count > 0))
        return clprim__fail(CLPRIM_UNSUPPORTED,
                            "clprim_merge_run: the call does not fit the device, and only keys on the host can be cut "
                            "into parts: %s_keys has no .host",
                            call->a_keys.host == NULL && call->a_count > 0 ? "a" : "b");
done:
    return status;
}

static clprim_array from(clprim_array array, size_t begin)
{
    if (array.host == NULL && array.buffer == NULL && array.svm == NULL) /* the call has no such array */
        return array;
    array.offset += begin;
    array.length = 0;
    return array;
}

static const void *keys_of(const clprim_array *array, size_t key_size)
{
    return array->host != NULL ? (const char *)array->host + array->offset * key_size : NULL;
}

/* Elements of both ranges from begin to end, which are written from begin[0] + begin[1] on. */
static clprim_merge_call piece_between(const clprim_merge_call *c, const size_t begin[2], const size_t end[2])
{
    const size_t at = begin[0] + begin[1];
    return (clprim_merge_call){.a_keys = from(c->a_keys, begin[0]),
                               .a_values = from(c->a_values, begin[0]),
                               .b_keys = from(c->b_keys, begin[1]),
                               .b_values = from(c->b_values, begin[1]),
                               .a_count = end[0] - begin[0],
                               .b_count = end[1] - begin[1],
                               .keys_out = from(c->keys_out, at),
                               .values_out = from(c->values_out, at)};
}

static clprim_status run(clprim_plan *plan, const void *desc, const void *call)
{
    const description *d = desc;
    const clprim_merge_call *c = call;
    const clprim_key_order order = {.key_type = d->key_type, .descending = d->descending, .nan_order = d->nan_order};
    const size_t total = c->a_count + c->b_count; /* plan_parts_of_run has found that the arrays have a size */
    clprim__key_image how;
    clprim_status status = CLPRIM_SUCCESS;
    size_t begin[2] = {0, 0};
    CLPRIM__TRY(clprim__key_image_of(&how, &order));
    CLPRIM__TRY(check(plan, c));
    const size_t piece = piece_of(plan, d, how.key_size, total);
    if (piece == 0)
        return clprim__fail(CLPRIM_UNSUPPORTED,
                            "clprim_merge_run: the call does not fit the device, and %zu bytes of its memory are not "
                            "enough for a piece of one element",
                            clprim__device_limit(plan->runtime));
    const clprim_sorted_run runs[] = {{.keys = keys_of(&c->a_keys, how.key_size), .count = c->a_count},
                                      {.keys = keys_of(&c->b_keys, how.key_size), .count = c->b_count}};
    for (size_t done = 0; done < total;) {
        size_t end[2];
        done = clprim__smaller(total - done, piece) + done;
        CLPRIM__TRY(clprim_runs_split(end, &order, runs, 2, done));
        const clprim_merge_call part = piece_between(c, begin, end);
        CLPRIM__TRY(plan->operation->face->run(plan->runtime, d, &part));
        CLPRIM__TRY(clprim__run_progress(plan, done, total));
        memcpy(begin, end, sizeof begin);
    }
done:
    return status;
}

const clprim__parts clprim__merge_parts = {.run = run, .obstacle = obstacle};

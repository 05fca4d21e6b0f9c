// SPDX-License-Identifier: MIT
/* plan_two.c: operations on two sorted arrays that do not fit the device, a_keys and b_keys with their values: their merged
 * order is divided into pieces that fit. Where each of them begins and ends in both arrays is found on the host, from few
 * keys. */
#include "error.h"
#include "key_image.h"
#include "plan_host.h"
#include "plan_pieces.h"
#include "plan_sort.h"
#include "sizes.h"

typedef struct two {
    clprim_plan *plan;
    const void *call;       /* the caller's */
    size_t count_places[2]; /* of the numbers of keys in the call struct */
    size_t counts[2];
    const void *keys[2];
    clprim_key_order order;
    clprim__key_image image;
    bool keeps_pairs; /* equal keys of both arrays depend on each other: the operation counts its results */
} two;

static const char *obstacle(const clprim_plan *plan, const void *desc)
{
    return clprim__sort_obstacle(plan, desc) != NULL
               ? "pieces are found only in the order of a built-in type, by keys of up to 64 bits"
           : plan->counts.number > 0 ? "its counts are on the device"
                                     : NULL;
}

static bool has_memory(const clprim_array *array)
{
    return array->host != NULL || array->buffer != NULL || array->svm != NULL;
}

/* Device memory for a piece of `count` keys: inputs, outputs and scratch memory. SIZE_MAX if a buffer is too large. */
static size_t bytes_of(const void *user, size_t count)
{
    const two *self = user;
    const clprim_plan *plan = self->plan;
    const size_t counts[2] = {count / 2, count - count / 2};
    clprim__given call;
    size_t sum = 0;
    memcpy(call.bytes, self->call, plan->operation->face->call_size);
    for (int k = 0; k < 2; k++)
        memcpy(call.bytes + self->count_places[k], &counts[k], sizeof counts[k]);
    sum = clprim__plan_scratch(plan, call.bytes);
    sum = clprim__plus(sum, plan->scratch_is_state ? 0 : plan->state.size);
    for (size_t i = 0; i < plan->num_slots; i++) {
        const size_t bytes = clprim__times(count, plan->slots[i].element_size);
        if (bytes > clprim_runtime_info(plan->runtime)->max_allocation_size)
            return SIZE_MAX;
        if (plan->slots[i].member->name[0] != 'b') /* keys of b take the place of keys of a */
            sum = clprim__plus(sum, bytes);
    }
    return sum;
}

static clprim_status take(two *self, const char *name, int k)
{
    const clprim_plan *plan = self->plan;
    const clprim__slot *slot = &plan->slots[clprim__slot_named(plan, k == 0 ? "a_keys" : "b_keys", 0)];
    for (const clprim_member *m = plan->operation->face->call_members; m->name != NULL; m++)
        if (strcmp(m->name, name) == 0)
            self->count_places[k] = m->place;
    memcpy(&self->counts[k], (const char *)self->call + self->count_places[k], sizeof self->counts[k]);
    if (self->counts[k] == 0)
        return CLPRIM_SUCCESS;
    if (!clprim__is_on_host(self->call, slot))
        return clprim__fail(
            CLPRIM_UNSUPPORTED,
            "clprim_%s_run: the call does not fit the device, and only keys on the host can be cut into "
            "pieces: %s has no .host",
            plan->operation->face->name, slot->member->name);
    self->keys[k] = clprim__host_data(self->call, slot);
    return CLPRIM_SUCCESS;
}

static clprim_status check(two *self, const void *desc)
{
    const clprim_plan *plan = self->plan;
    size_t length = 0;
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < plan->num_slots; i++) {
        self->keeps_pairs = self->keeps_pairs || plan->slots[i].counted_by >= 0;
        if (clprim__is_on_host(self->call, &plan->slots[i]))
            CLPRIM__TRY(clprim__host_check(&length, plan, self->call, &plan->slots[i]));
    }
    CLPRIM__TRY(take(self, "a_count", 0));
    CLPRIM__TRY(take(self, "b_count", 1));
    self->order = clprim__sort_order(plan, desc);
    status = clprim__key_image_of(&self->image, &self->order);
done:
    return status;
}

/* If the cut is among equal keys, let as many of a as of b come before it, or all of the array that has fewer of them:
 * then the piece finds the same pairs as the whole call. */
static void keep_pairs(size_t end[2], const two *self, const size_t begin[2])
{
    uint64_t before = 0, after = UINT64_MAX;
    size_t first[2], behind[2];
    for (int k = 0; k < 2; k++) {
        const uint64_t low = end[k] > begin[k] ? clprim__image_at(&self->image, self->keys[k], end[k] - 1) : 0;
        const uint64_t high =
            end[k] < self->counts[k] ? clprim__image_at(&self->image, self->keys[k], end[k]) : UINT64_MAX;
        before = low > before ? low : before;
        after = high < after ? high : after;
    }
    if (before != after)
        return;
    for (int k = 0; k < 2; k++) {
        first[k] = clprim__images_below(&self->image, self->keys[k], begin[k], end[k], after);
        behind[k] = after == UINT64_MAX
                        ? self->counts[k]
                        : clprim__images_below(&self->image, self->keys[k], end[k], self->counts[k], after + 1);
    }
    const size_t equal[2] = {behind[0] - first[0], behind[1] - first[1]};
    const size_t fewer = clprim__smaller(equal[0], equal[1]);
    const size_t taken = end[0] - first[0] + end[1] - first[1];
    const size_t pairs = clprim__smaller(fewer, taken / 2);
    for (int k = 0; k < 2; k++)
        end[k] = first[k] + pairs;
    if (pairs == fewer)
        end[equal[0] > equal[1] ? 0 : 1] += taken - 2 * pairs;
}

/* Write the call for the keys from begin to end of both arrays. Results go behind the `written` ones. */
static void describe(clprim__given *out, const two *self, const size_t begin[2], const size_t end[2], size_t written,
                     uint64_t *found)
{
    const clprim_plan *plan = self->plan;
    memcpy(out->bytes, self->call, plan->operation->face->call_size);
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        clprim_array *array = clprim__array_of(out->bytes, slot);
        if (!has_memory(array))
            continue;
        if (clprim__is_counter(plan, slot)) {
            *array = (clprim_array){.host = found};
            continue;
        }
        array->offset += slot->is_written ? written : begin[slot->member->name[0] == 'b'];
        array->length = 0;
    }
    for (int k = 0; k < 2; k++) {
        const size_t count = end[k] - begin[k];
        memcpy(out->bytes + self->count_places[k], &count, sizeof count);
    }
}

static clprim_status put_count(const two *self, uint64_t number)
{
    const clprim_plan *plan = self->plan;
    for (size_t i = 0; i < plan->num_slots; i++)
        if (clprim__is_counter(plan, &plan->slots[i]))
            return clprim__pieces_copy(plan, self->call, &plan->slots[i], &number, 1);
    return CLPRIM_SUCCESS;
}

static clprim_status run_pieces(two *self, size_t piece)
{
    const clprim_sorted_run runs[] = {{.keys = self->keys[0], .count = self->counts[0]},
                                      {.keys = self->keys[1], .count = self->counts[1]}};
    const size_t total =
        self->counts[0] + self->counts[1]; /* plan_pieces_of_run has found that the arrays have a size */
    size_t begin[2] = {0, 0};
    size_t done = 0, written = 0;
    clprim_status status = CLPRIM_SUCCESS;
    while (done < total) {
        clprim__given call;
        size_t end[2];
        uint64_t found = 0; /* little-endian, like all supported devices */
        CLPRIM__TRY(clprim_runs_split(end, &self->order, runs, 2, done + clprim__smaller(total - done, piece)));
        if (self->keeps_pairs)
            keep_pairs(end, self, begin);
        describe(&call, self, begin, end, written, &found);
        CLPRIM__TRY(clprim__plan_run_whole(self->plan, call.bytes));
        done = end[0] + end[1];
        written = self->keeps_pairs ? written + (size_t)found : done;
        CLPRIM__TRY(clprim__run_progress(self->plan, done, total));
        memcpy(begin, end, sizeof begin);
    }
    status = put_count(self, written);
done:
    return status;
}

static clprim_status run(clprim_plan *plan, const void *desc, const void *call)
{
    enum { LEAST = 2 /* a pair */ };
    two self = {.plan = plan, .call = call};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check(&self, desc));
    const size_t piece =
        clprim__most_that_fits(clprim__device_limit(plan->runtime), bytes_of, &self, self.counts[0] + self.counts[1]);
    if (piece < LEAST)
        return clprim__fail(CLPRIM_UNSUPPORTED,
                            "clprim_%s_run: the call does not fit the device, and %zu bytes of its memory are not "
                            "enough for a piece of two elements",
                            plan->operation->face->name, clprim__device_limit(plan->runtime));
    status = run_pieces(&self, piece);
done:
    return status;
}

const clprim__pieces clprim__two_pieces = {.run = run, .obstacle = obstacle};

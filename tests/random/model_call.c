// SPDX-License-Identifier: MIT
/* model_call.c: calls, right and wrong ones, generated from an operation's table. */
#include "model_call.h"

#include <stdio.h>
#include <string.h>

#define BEYOND (UINT64_C(1) << 32) /* the least number of elements that 32 bits cannot count */

static size_t max_count_of(const model_plan *of)
{
    const size_t max_count = (size_t)test_get(&of->desc, of->face->desc_members, "max_count");
    return max_count != 0 ? max_count : UINT32_MAX;
}

static size_t any_count(size_t largest, test_source *source)
{
    const size_t kind = test_below(source, 16);
    return kind == 0   ? 0
           : kind == 1 ? 1 + test_below(source, 3)
                       : test_below(source, kind < 12 ? largest / 16 : largest);
}

/* 0 if there is no such array. */
size_t model_call_length(const model_call *self, size_t i)
{
    const clprim__slot *slot = &self->of->plan->slots[i];
    return slot->element_size > 0 ? slot->member->length(self->of->desc.bytes, self->given.bytes) : 0;
}

/* Whether output i may be in the place of array k. */
static bool may_replace(const clprim_plan *plan, size_t i, size_t k)
{
    const clprim__slot *slot = &plan->slots[i];
    const bool is_argument = plan->slots[k].member->is_value != NULL;
    return slot->is_written && slot->element_size == plan->slots[k].element_size &&
           (slot->in_place_of == (int)k || (is_argument && (plan->replaced >> plan->slots[k].index & 1) != 0));
}

/* The array whose place output i takes if it is put in place; NULL if there is none. */
static const model_array *replaced_by(const model_call *self, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (may_replace(self->of->plan, i, k) && self->arrays[k].where != NULL &&
            self->arrays[k].where->buffer != MODEL_READ_ONLY)
            return &self->arrays[k];
    return NULL;
}

/* Lay out the arrays one after another, with an occasional output in place. False if there is too little room. */
static bool lay_out(model_call *self, const model_view views[MODEL_VIEWS], test_source *source)
{
    size_t used[MODEL_VIEWS] = {[0] = views[MODEL_PART].origin + views[MODEL_PART].size};
    for (size_t i = 0; i < self->of->plan->num_slots; i++) {
        const clprim__slot *slot = &self->of->plan->slots[i];
        const model_array *input = replaced_by(self, i);
        const size_t size = slot->element_size;
        const size_t length = model_call_length(self, i);
        model_array *a = &self->arrays[i];
        *a = (model_array){.where = NULL};
        if (size == 0 || ((slot->is_optional || length == 0) && test_below(source, 4) == 0))
            continue;
        if (input != NULL && test_below(source, 2) == 0) {
            *a = *input;
            continue;
        }
        const size_t gap = test_below(source, 2) == 0 ? 0 : test_below(source, 64);
        const size_t kind = test_below(source, 16);
        const size_t view = kind == 0 && (length + gap + 1) * size <= views[MODEL_PART].size - used[MODEL_PART]
                                ? MODEL_PART
                            : kind == 1 && !slot->is_written ? MODEL_READ_ONLY
                                                             : kind % 2;
        a->where = &views[view];
        a->offset = (used[view] + size - 1) / size + gap;
        used[view] = (a->offset + length) * size;
        if (used[view] > views[view].size)
            return false;
    }
    return true;
}

bool model_call_prepare(model_call *out, const model_plan *of, const model_view views[MODEL_VIEWS], size_t largest,
                        test_source *source)
{
    for (size_t count = any_count(largest, source);; count /= 4) {
        *out = (model_call){.of = of, .data = {.pattern = test_number(source) % 4, .random = test_number(source)}};
        clprim__plan_sample(&out->data, of->operation, of->desc.bytes, out->sample.bytes,
                            clprim__trial_count(count, max_count_of(of)));
        out->given = out->sample;
        if (out->data.status == CLPRIM_SUCCESS && lay_out(out, views, source))
            return true;
        clprim__trial_clear(&out->data);
        if (count == 0)
            return false;
    }
}

static void spoil_count(model_call *self, test_source *source)
{
    const size_t most = max_count_of(self->of);
    const size_t counts[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 4 + 1,
                             SIZE_MAX > UINT32_MAX ? (size_t)BEYOND : SIZE_MAX, most < SIZE_MAX ? most + 1 : SIZE_MAX};
    const clprim_member *members = self->of->face->call_members;
    size_t left = test_below(source, 4);
    for (size_t i = 0;; i = members[i + 1].name != NULL ? i + 1 : 0) /* each call has a count */
        if (members[i].kind == CLPRIM_MEMBER_SIZE && left-- == 0) {
            test_set_member(&self->given, &members[i], 0, counts[test_below(source, sizeof counts / sizeof *counts)]);
            self->has_other_count = true;
            return;
        }
}

void model_call_spoil(model_call *self, const model_view views[MODEL_VIEWS], test_source *source)
{
    static const size_t offsets[] = {SIZE_MAX, SIZE_MAX / 4, SIZE_MAX / 4 + 1, SIZE_MAX / 2 + 1, 4096};
    const clprim__slot *slots = self->of->plan->slots;
    const size_t count = self->of->plan->num_slots;
    const size_t kind = test_below(source, 8);
    const size_t other = test_below(source, count);
    size_t which = test_below(source, count);
    for (size_t i = 0; kind > 0 && slots[which].element_size == 0 && i < count; i++) /* one that is in use */
        which = (which + 1) % count;
    const size_t size = slots[which].element_size > 0 ? slots[which].element_size : 1;
    const size_t begin = self->arrays[other].offset * slots[other].element_size;
    const size_t end = begin + model_call_length(self, other) * slots[other].element_size;
    model_array *a = &self->arrays[which];
    switch (kind) {
    case 0:
    case 1: a->where = &views[test_below(source, MODEL_VIEWS)]; break;
    case 2: a->where = NULL; break;
    case 3: a->offset = offsets[test_below(source, sizeof offsets / sizeof *offsets)]; break;
    case 4: a->is_on_host = a->where != NULL; break;
    case 5: spoil_count(self, source); break;
    case 6: /* to the end of the buffer, or further */
        a->offset =
            (a->where != NULL ? a->where->size : 0) / size - model_call_length(self, which) + test_below(source, 2);
        break;
    default: /* to where another array begins or ends */
        a->where = self->arrays[other].where;
        a->offset = (test_below(source, 2) == 0 ? begin : end) / size + test_below(source, 3) - 1;
        break;
    }
}

/* Check whether the array is of an allowed kind. If so, also find its place. */
static bool find_place(model_call *self, size_t i)
{
    const clprim__slot *slot = &self->of->plan->slots[i];
    const size_t length = model_call_length(self, i);
    model_array *a = &self->arrays[i];
    a->begin = a->end = 0;
    if (a->is_on_host)
        return false;
    if (slot->element_size == 0)
        return a->where == NULL;
    if (a->where == NULL)
        return length == 0 || slot->is_optional;
    const size_t room = a->where->size / slot->element_size;
    if (a->offset > room || length > room - a->offset || (slot->is_written && a->where->buffer == MODEL_READ_ONLY))
        return false;
    a->begin = a->where->origin + a->offset * slot->element_size;
    a->end = a->begin + length * slot->element_size;
    return true;
}

/* Arrays without elements overlap nothing. */
static bool overlap(const model_array *a, const model_array *b)
{
    return a->where != NULL && b->where != NULL && a->where->buffer == b->where->buffer && a->begin < b->end &&
           b->begin < a->end && a->begin < a->end && b->begin < b->end;
}

model_verdict model_call_judge(model_call *self)
{
    const clprim_plan *plan = self->of->plan;
    model_verdict verdict = self->has_other_count ? MODEL_UNKNOWN : MODEL_RIGHT;
    if (self->of->operation->count(self->given.bytes) > max_count_of(self->of))
        return MODEL_WRONG;
    for (size_t i = 0; i < plan->num_slots; i++)
        if (!find_place(self, i))
            return MODEL_WRONG;
    for (size_t i = 0; i < plan->num_slots; i++)
        for (size_t k = 0; k < i; k++) {
            const clprim__slot *slot = &plan->slots[i];
            const bool is_in_place = may_replace(plan, i, k) && self->arrays[i].begin == self->arrays[k].begin;
            if (is_in_place || !overlap(&self->arrays[i], &self->arrays[k]))
                continue;
            if (slot->is_written)
                return MODEL_WRONG;
            verdict = MODEL_UNKNOWN; /* inputs may overlap, but their data then conflict */
        }
    return verdict;
}

void model_call_give(model_call *self, uint8_t *const on_host[MODEL_BUFFERS])
{
    for (size_t i = 0; i < self->of->plan->num_slots; i++) {
        const model_array *a = &self->arrays[i];
        clprim_array *out = clprim__array_of(self->given.bytes, &self->of->plan->slots[i]);
        *out = (clprim_array){.host = a->is_on_host ? self : NULL};
        if (a->where == NULL)
            continue;
        out->offset = a->offset;
        if (on_host[a->where->buffer] != NULL)
            out->host = on_host[a->where->buffer] + a->where->origin;
        else
            out->buffer = a->where->memory;
    }
}

void model_call_print(const model_call *self)
{
    for (size_t i = 0; i < self->of->plan->num_slots; i++) {
        const clprim__slot *slot = &self->of->plan->slots[i];
        const model_array *a = &self->arrays[i];
        if (slot->element_size > 0 || a->where != NULL)
            (void)fprintf(stderr, "    %s[%zu]: %zu elements of %zu bytes, buffer %d, bytes %zu to %zu\n",
                          slot->member->name, slot->index, model_call_length(self, i), slot->element_size,
                          a->where != NULL ? (int)a->where->buffer : -1, a->begin, a->end);
    }
}

// SPDX-License-Identifier: MIT
/* partials.c: the result of each rank's piece, and the combination of these results. */
#include "partials.h"

#include <stdlib.h>
#include <string.h>

clprim_status clprim__partials_make(clprim__partials *self, size_t num_records, size_t size)
{
    clprim_status status = CLPRIM_SUCCESS;
    self->size = size;
    self->stride = (size + 2 * sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
    CLPRIM__TRY(clprim__team_memory((void **)&self->records, num_records, self->stride));
    CLPRIM__TRY(clprim__team_memory((void **)&self->mine, 1, self->stride));
    memset(self->mine, 0, self->stride);
done:
    return status;
}

void clprim__partials_free(clprim__partials *self)
{
    free(self->records);
    free(self->mine);
}

clprim_status clprim__partials_fold(clprim__partials *self, const clprim_array *in, size_t count)
{
    static const uint64_t yes = 1;
    clprim_reduce_call call = {.in = *in, .count = count, .out = {.host = self->mine + sizeof(uint64_t)}};
    if (count == 0)
        return CLPRIM_SUCCESS;
    memcpy(call.arguments, self->arguments, sizeof call.arguments);
    memcpy(self->mine, &yes, sizeof yes);
    return clprim_reduce_run(self->runtime, &self->desc, &call);
}

static bool is_indexed(const clprim_reduce_desc *desc)
{
    return desc->custom == NULL && (desc->op == CLPRIM_ARGMIN || desc->op == CLPRIM_ARGMAX);
}

/* A description for folding results, which are now the elements. */
static clprim_reduce_desc combining(const clprim__partials *self, const clprim_reduce_desc *last)
{
    const clprim_reduce_desc *by = &self->desc;
    clprim_reduce_desc desc = {
        .type = by->type, .op = by->op, .custom = by->custom, .text = by->text, .nan_order = by->nan_order};
    if (by->custom == NULL && by->accumulator_type != CLPRIM_TYPE_DEFAULT)
        desc.type = by->accumulator_type;
    if (last == NULL)
        return desc;
    desc.initial = last->initial;
    desc.output = last->output;
    desc.output_type = last->output_type;
    desc.output_type_name = last->output_type_name;
    desc.output_type_size = last->output_type_size;
    return desc;
}

/* Collect the results that exist, one after another; for indexed results, only the values. *count is their number. */
static clprim_status gather(const clprim__partials *self, void **out, size_t *count, size_t size, size_t begin,
                            size_t end)
{
    const size_t place = is_indexed(&self->desc) ? offsetof(clprim_indexed, value) : 0;
    clprim_status status = clprim__team_memory(out, end - begin, size);
    for (size_t r = begin; status == CLPRIM_SUCCESS && r < end; r++) {
        const char *record = self->records + r * self->stride;
        if (clprim__has_partial(record))
            memcpy((char *)*out + (*count)++ * size, record + sizeof(uint64_t) + place, size);
    }
    return status;
}

/* Find the index that belongs to the best value. */
static void take_winner(const clprim__partials *self, clprim_indexed *out, size_t begin, size_t end)
{
    uint64_t place = out->index;
    for (size_t r = begin; r < end; r++) {
        const char *record = self->records + r * self->stride;
        if (clprim__has_partial(record) && place-- == 0)
            memcpy(&out->index, record + sizeof(uint64_t), sizeof out->index);
    }
}

clprim_status clprim__partials_combine(const clprim__partials *self, void *out, const clprim_reduce_desc *last,
                                       size_t begin, size_t end)
{
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_reduce_desc desc = combining(self, last);
    const bool indexed = is_indexed(&self->desc);
    const size_t size =
        indexed ? clprim_type_size(desc.type != CLPRIM_TYPE_DEFAULT ? desc.type : CLPRIM_I32) : self->size;
    void *results = NULL;
    clprim_reduce_call call = {.count = 0};
    memcpy(call.arguments, self->arguments, sizeof call.arguments);
    CLPRIM__TRY(gather(self, &results, &call.count, size, begin, end));
    call.in = (clprim_array){.host = results};
    call.out = (clprim_array){.host = out};
    CLPRIM__TRY(clprim_reduce_run(self->runtime, &desc, &call));
    if (indexed && call.count > 0)
        take_winner(self, out, begin, end);
done:
    free(results);
    return status;
}

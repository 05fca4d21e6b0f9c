// SPDX-License-Identifier: MIT
/* distributed_sort.c: sorts of keys, with values, indices or several arrays.
 *
 * Each rank sorts its piece, cuts it at exact splitters, and sends the slices to their ranks. Each rank receives slices
 * in the order of the ranks. So a second, stable sort gives the order by key, then rank, then position. If the ranks
 * can read each other's memory, no elements are sent (distributed_sort_shared.c). */
#include "distributed_sort.h"

#include <stdlib.h>
#include <string.h>

#include "sizes.h"

static clprim_status allocate(clprim__sort_job *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < self->num_rows; i++) {
        clprim__sort_row *at = &self->rows[i];
        CLPRIM__TRY(clprim__team_memory(&at->sorted, self->task->count, at->size));
        if (at->out == NULL || clprim__sort_overlaps_inputs(self, at))
            CLPRIM__TRY(clprim__team_memory(&at->own, self->task->room, at->size));
        at->received = at->own != NULL ? at->own : at->out;
    }
    CLPRIM__TRY(clprim__team_memory(&self->memory, self->team.comm->size, CLPRIM__SPLIT_SIZE));
    self->cuts = self->team.numbers + self->team.comm->size;
done:
    return status;
}

/* Convert indices within this rank's piece to indices within the whole array. */
static void move_indices(void *indices, size_t size, size_t count, uint64_t first)
{
    uint32_t *narrow = indices;
    uint64_t *wide = indices;
    for (size_t i = 0; i < count; i++)
        if (size == sizeof *wide)
            wide[i] += first;
        else
            narrow[i] += (uint32_t)first;
}

/* Sort the caller's piece into .sorted. */
static clprim_status sort_piece(const clprim__sort_job *self)
{
    const clprim__task *task = self->task;
    clprim__any_desc desc;
    clprim__given call;
    void *in[CLPRIM__SORT_MAX_ROWS];
    void *out[CLPRIM__SORT_MAX_ROWS];
    if (task->count == 0)
        return CLPRIM_SUCCESS;
    for (size_t i = 0; i < self->num_rows; i++) {
        in[i] = self->rows[i].in;
        out[i] = self->rows[i].sorted;
    }
    self->describe(self, true, &desc, &call, in, out, task->count);
    const clprim_status status = task->operation->run(task->runtime, desc.bytes, call.bytes);
    for (size_t i = 0; i < self->num_rows && status == CLPRIM_SUCCESS; i++)
        if (in[i] == NULL)
            move_indices(out[i], self->rows[i].size, task->count, self->team.first_count);
    return status;
}

/* Sort .received in place. */
static clprim_status sort_share(const clprim__sort_job *self)
{
    const clprim__task *task = self->task;
    clprim__any_desc desc;
    clprim__given call;
    void *rows[CLPRIM__SORT_MAX_ROWS];
    if (task->room == 0)
        return CLPRIM_SUCCESS;
    for (size_t i = 0; i < self->num_rows; i++)
        rows[i] = self->rows[i].received;
    self->describe(self, false, &desc, &call, rows, rows, task->room);
    return task->operation->run(task->runtime, desc.bytes, call.bytes);
}

/* Send each rank its slice. */
static clprim_status exchange(clprim__sort_job *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    uint64_t *out = self->memory; /* reuse the splitters' memory: they are not needed any more */
    uint64_t *in = out + self->team.comm->size;
    CLPRIM__TRY(clprim__split_lengths(&self->team, out, in, self->cuts));
    for (size_t i = 0; i < self->num_rows; i++) {
        clprim__sort_row *at = &self->rows[i];
        CLPRIM__TRY(clprim__split_exchange(&self->team, at->sorted, at->received, at->size, out, in));
        free(at->sorted);
        at->sorted = NULL;
    }
done:
    return status;
}

/* Copy to the caller's arrays what is in the sort's own memory. */
static void bring_own(const clprim__sort_job *self)
{
    for (size_t i = 0; i < self->num_rows; i++)
        if (self->rows[i].out != NULL && self->rows[i].own != NULL && self->task->room > 0)
            memcpy(self->rows[i].out, self->rows[i].own, self->task->room * self->rows[i].size);
}

static clprim_status sort_sent(clprim__sort_job *self)
{
    clprim_status status = allocate(self);
    if (status == CLPRIM_SUCCESS)
        status = sort_piece(self);
    CLPRIM__TRY(clprim__team_agree(&self->team, status));
    const clprim__sorted sorted = {
        .image = self->image, .num_arrays = 1, .keys = {self->rows[0].sorted}, .counts = {self->task->count}};
    CLPRIM__TRY(clprim__split(&self->team, &self->cuts, &sorted, self->memory));
    CLPRIM__TRY(exchange(self));
    status = clprim__team_agree(&self->team, sort_share(self));
done:
    return status;
}

static clprim_status sort_prepared(clprim__sort_job *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    const clprim__task *task = self->task;
    bool took = false;
    if (self->team.comm->size == 1)
        return task->operation->run(task->runtime, task->desc, task->call);
    if (self->team.all_read)
        CLPRIM__TRY(clprim__sort_shared(self, &took));
    if (!took)
        CLPRIM__TRY(sort_sent(self));
    bring_own(self);
done:
    return status;
}

static clprim_status sort(clprim__sort_job *self, const clprim__task *task, const clprim_key_order *order,
                          bool (*is_too_long)(const clprim__sort_job *), clprim_distributed_part *part)
{
    clprim_status status = CLPRIM_SUCCESS;
    self->task = task;
    CLPRIM__TRY(clprim__team_open(&self->team, task));
    CLPRIM__TRY(clprim__team_check_room(&self->team));
    self->set_rows(self);
    if (is_too_long != NULL && is_too_long(self))
        CLPRIM__TRY(clprim__fail(CLPRIM_INVALID_RANGE,
                                 "clprim_distributed_%s: index_type U32 cannot hold the indices of %llu elements",
                                 self->team.name, (unsigned long long)self->team.total_count));
    CLPRIM__TRY(clprim__key_image_of(&self->image, order));
    CLPRIM__TRY(sort_prepared(self));
    clprim__team_tell_room(part, &self->team);
done:
    for (size_t i = 0; i < self->num_rows; i++) {
        free(self->rows[i].sorted);
        free(self->rows[i].own);
    }
    free(self->memory);
    clprim__team_close(&self->team);
    return status;
}

static size_t key_size_of(clprim_type type)
{
    return clprim_type_size(type != CLPRIM_TYPE_DEFAULT ? type : CLPRIM_U32);
}

static clprim__sort_row row_of(size_t size, const clprim_array *in, const clprim_array *out)
{
    return (clprim__sort_row){.size = size, .in = clprim__host_of(in, size), .out = clprim__host_of(out, size)};
}

static void set_pairs(clprim__sort_job *self)
{
    const clprim_radix_sort_desc *desc = self->task->desc;
    const clprim_radix_sort_call *call = self->task->call;
    const size_t value_size = desc->argsort ? (desc->index_type == CLPRIM_U64 ? 8 : 4) : desc->value_size;
    self->rows[self->num_rows++] = row_of(key_size_of(desc->key_type), &call->keys_in, &call->keys_out);
    if (value_size > 0)
        self->rows[self->num_rows++] = row_of(value_size, &call->values_in, &call->values_out);
}

static void describe_pairs(const clprim__sort_job *self, bool is_first, clprim__any_desc *desc, clprim__given *call,
                           void *const *in, void *const *out, size_t count)
{
    clprim_radix_sort_desc d = *(const clprim_radix_sort_desc *)self->task->desc;
    clprim_radix_sort_call c = *(const clprim_radix_sort_call *)self->task->call;
    c.keys_in = (clprim_array){.host = in[0]};
    c.keys_out = (clprim_array){.host = out[0]};
    c.count = count;
    d.max_count = clprim__max_count_for(d.max_count, count);
    if (!is_first && d.argsort) { /* after the first sort, indices are ordinary values */
        d.argsort = false;
        d.index_type = CLPRIM_TYPE_DEFAULT;
        d.value_size = self->rows[1].size;
    }
    if (self->num_rows > 1) {
        c.values_in = (clprim_array){.host = in[1]};
        c.values_out = (clprim_array){.host = out[1]};
    }
    memcpy(desc->bytes, &d, sizeof d);
    memcpy(call->bytes, &c, sizeof c);
}

static bool indices_are_too_long(const clprim__sort_job *self)
{
    const clprim_radix_sort_desc *desc = self->task->desc;
    return desc->argsort && desc->index_type != CLPRIM_U64 && self->team.total_count > (uint64_t)UINT32_MAX + 1;
}

/* The name of a feature that the sort's description asks for and that is not supported; NULL: none. */
static const char *unsupported(const char *input, const clprim_sort_keys *then, const char *less,
                               clprim_type count_at_type)
{
    return input != NULL                          ? ".input"
           : less != NULL                         ? ".less"
           : then->inputs[0] != NULL              ? ".then"
           : count_at_type != CLPRIM_TYPE_DEFAULT ? ".count_at_type"
                                                  : NULL;
}

#define KEY_ORDER                                                                                                      \
    {                                                                                                                  \
        .key_type = desc->key_type, .descending = desc->descending, .nan_order = desc->nan_order,                      \
        .bit_range = desc->bit_range, .begin_bit = desc->begin_bit, .end_bit = desc->end_bit                           \
    }

clprim_status clprim_distributed_radix_sort(const clprim_comm *comm, clprim_runtime *runtime,
                                            const clprim_radix_sort_desc *desc, const clprim_radix_sort_call *call,
                                            const size_t *room, clprim_distributed_part *part)
{
    CLPRIM__BEGIN(radix_sort, call->count);
    clprim__sort_job self = {.set_rows = set_pairs, .describe = describe_pairs};
    const clprim__task task =
        CLPRIM__TASK(radix_sort, CLPRIM__ROOM, unsupported(desc->input, &desc->then, NULL, desc->count_at_type));
    const clprim_key_order order = KEY_ORDER;
    return sort(&self, &task, &order, indices_are_too_long, part);
}

static void set_arrays(clprim__sort_job *self)
{
    const clprim_sort_by_key_desc *desc = self->task->desc;
    const clprim_sort_by_key_call *call = self->task->call;
    const size_t num_arrays = desc->num_arrays != 0 ? desc->num_arrays : 1;
    self->rows[self->num_rows++] = row_of(key_size_of(desc->key_type), &call->keys_in, &call->keys_out);
    for (size_t i = 0; i < num_arrays; i++) {
        const size_t size = desc->element_sizes[i] != 0 ? desc->element_sizes[i] : 4;
        self->rows[self->num_rows++] = row_of(size, &call->arrays_in[i], &call->arrays_out[i]);
    }
}

static void describe_arrays(const clprim__sort_job *self, bool is_first, clprim__any_desc *desc, clprim__given *call,
                            void *const *in, void *const *out, size_t count)
{
    clprim_sort_by_key_desc d = *(const clprim_sort_by_key_desc *)self->task->desc;
    clprim_sort_by_key_call c = *(const clprim_sort_by_key_call *)self->task->call;
    c.keys_in = (clprim_array){.host = in[0]};
    c.count = count;
    d.max_count = clprim__max_count_for(d.max_count, count);
    d.values_only = d.values_only && !is_first; /* the first sort needs the keys, to cut its result */
    c.keys_out = (clprim_array){.host = d.values_only ? NULL : out[0]};
    for (size_t i = 1; i < self->num_rows; i++) {
        c.arrays_in[i - 1] = (clprim_array){.host = in[i]};
        c.arrays_out[i - 1] = (clprim_array){.host = out[i]};
    }
    memcpy(desc->bytes, &d, sizeof d);
    memcpy(call->bytes, &c, sizeof c);
}

clprim_status clprim_distributed_sort_by_key(const clprim_comm *comm, clprim_runtime *runtime,
                                             const clprim_sort_by_key_desc *desc, const clprim_sort_by_key_call *call,
                                             const size_t *room, clprim_distributed_part *part)
{
    CLPRIM__BEGIN(sort_by_key, call->count);
    clprim__sort_job self = {.set_rows = set_arrays, .describe = describe_arrays};
    const clprim__task task =
        CLPRIM__TASK(sort_by_key, CLPRIM__ROOM, unsupported(desc->input, &desc->then, desc->less, desc->count_at_type));
    const clprim_key_order order = KEY_ORDER;
    return sort(&self, &task, &order, NULL, part);
}

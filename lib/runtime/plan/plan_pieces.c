// SPDX-License-Identifier: MIT
/* plan_pieces.c: run a call in pieces. */
#include "plan_pieces.h"

#include <stdlib.h>

#include "error.h"
#include "host.h"
#include "pipeline.h"
#include "plan_host.h"
#include "runtime_internal.h"

/* The piece itself, after its halo, begins at an address where loads and transfers are fast. */
enum { MARGIN = CLPRIM__PIECE_MARGIN };

static size_t lane_of(size_t piece)
{
    return piece % CLPRIM__PIECE_LANES;
}

static size_t begin_of(const clprim__cutting *self, size_t piece)
{
    return piece * self->piece_size;
}

static size_t count_of(const clprim__cutting *self, size_t piece)
{
    const size_t left = self->total - begin_of(self, piece);
    return left < self->piece_size ? left : self->piece_size;
}

static size_t left_of(const clprim__cutting *self, size_t piece)
{
    return self->pieces_before + piece > 0 ? self->halo.left : 0;
}

static bool is_last(const clprim__cutting *self, size_t piece)
{
    return piece + 1 == self->num_pieces && !self->is_open;
}

static size_t right_of(const clprim__cutting *self, size_t piece)
{
    return is_last(self, piece) ? 0 : self->halo.right;
}

static clprim_status send(const clprim__cutting *self, cl_mem to, size_t at, const void *data, size_t count,
                          size_t size)
{
    return count == 0 ? CLPRIM_SUCCESS : clprim__host_up(to, at * size, self->runtime, self->up, data, count * size);
}

/* Send a piece of an input to the device. The last element of the piece before goes in front of it, from a copy: if an
 * output overwrites the input, that element may already be overwritten by a result. */
static clprim_status send_input(clprim__cutting *self, size_t i, size_t piece)
{
    const clprim__slot *slot = &self->plan->slots[i];
    const clprim__cut *cut = &self->cuts[i];
    const size_t size = slot->element_size;
    const size_t left = left_of(self, piece);
    const cl_mem to = cut->lanes[lane_of(piece)];
    const char *data = (const char *)clprim__host_data(self->given, slot) + begin_of(self, piece) * cut->per * size;
    const size_t right = right_of(self, piece);
    const bool is_next_given = piece + 1 < self->num_pieces; /* the element after the piece */
    const size_t count = (count_of(self, piece) + (is_next_given ? right : 0)) * cut->per;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(send(self, to, MARGIN - left, cut->last, left, size));
    CLPRIM__TRY(send(self, to, MARGIN, data, count, size));
    if (!is_next_given && right > 0)
        CLPRIM__TRY(send(self, to, MARGIN + count, cut->next != NULL ? cut->next : data + (count - 1) * size, 1, size));
    if (self->halo.left > 0 && count_of(self, piece) > 0)
        memcpy(cut->last, data + (count_of(self, piece) - 1) * size, size);
done:
    return status;
}

static clprim_status go_up(void *user, size_t piece)
{
    clprim__cutting *self = user;
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < self->plan->num_slots && !__atomic_load_n(&self->is_over, __ATOMIC_ACQUIRE); i++)
        if (self->cuts[i].is_cut && !self->plan->slots[i].is_written)
            CLPRIM__TRY(send_input(self, i, piece));
done:
    return status;
}

static const clprim_member *arguments_of(const clprim_plan *plan)
{
    const clprim_member *m = plan->operation->face->call_members;
    while (m->name != NULL && m->is_value == NULL)
        m++;
    return m;
}

/* If expressions use `i` for more than reading arrays at `i`, their last argument is the index of the piece's first
 * element. */
static void add_first_index(const clprim__cutting *self, clprim__given *call, cl_ulong *first)
{
    const clprim_member *m = arguments_of(self->plan);
    clprim__given until = self->call;
    const size_t begin = self->begin - self->left;
    if (!self->reading.uses_index)
        return;
    memcpy(until.bytes + self->count_place, &begin, sizeof begin);
    *first = m->length(self->plan->desc.bytes, until.bytes);
    ((clprim_array *)(void *)(call->bytes + m->place))[self->reading.parameters] = (clprim_array){.host = first};
}

/* Write the piece's call. */
static void describe_call(const clprim__cutting *self, clprim__given *call, cl_ulong *first, size_t lane)
{
    const size_t count = self->left + self->count + self->right;
    *call = self->call;
    add_first_index(self, call, first);
    memcpy(call->bytes + self->count_place, &count, sizeof count);
    for (size_t i = 0; i < self->plan->num_slots; i++) {
        const clprim__slot *slot = &self->plan->slots[i];
        if (self->cuts[i].is_cut)
            *clprim__array_of(call->bytes, slot) = (clprim_array){
                .buffer = self->cuts[i].lanes[lane],
                .offset = slot->is_written ? 0 : MARGIN - self->left,
            };
    }
}

/* How many elements the piece wrote to outputs that other outputs count. Elements of its halo are skipped. */
static clprim_status count_results(clprim__cutting *self, const void *call, clprim__landing *landing)
{
    const clprim_plan *plan = self->plan;
    clprim_status status = CLPRIM_SUCCESS;
    size_t k = 0;
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        size_t count = 0;
        if (!clprim__is_counter(plan, slot))
            continue;
        CLPRIM__TRY(clprim__host_number(&count, self->runtime, clprim__array_in(call, slot), slot->element_size, NULL));
        landing[k] = (clprim__landing){.skip = self->left, .at = self->appended[k]};
        landing[k].count = count > self->left ? count - self->left : 0;
        k++;
    }
done:
    return status;
}

/* Lend the scratch memory to the first piece's plan, and then to the other pieces' plan. */
static clprim_status lend_scratch(clprim__cutting *self, size_t piece)
{
    clprim_status status = CLPRIM_SUCCESS;
    if (self->scratch == NULL || piece > 1 || (piece == 1 && self->plans[0] == self->plans[1]))
        return CLPRIM_SUCCESS;
    if (piece == 1 && self->plans[0] != NULL)
        CLPRIM__TRY(clprim_plan_set_scratch(self->plans[0], NULL));
    status = clprim_plan_set_scratch(self->plans[piece], self->scratch);
done:
    return status;
}

static clprim_status launch(void *user, size_t piece)
{
    clprim__cutting *self = user;
    clprim_plan *plan = self->plans[self->pieces_before + piece > 0];
    clprim__landing *landing = self->landings[lane_of(piece)];
    clprim_status status = CLPRIM_SUCCESS;
    clprim__given call;
    cl_ulong first_index = 0;
    cl_event done = NULL;
    memset(landing, 0, sizeof self->landings[0]);
    if (self->is_over)
        return CLPRIM_SUCCESS;
    self->piece = self->pieces_before + piece;
    self->begin = self->first + begin_of(self, piece);
    self->is_last = is_last(self, piece);
    self->count = count_of(self, piece);
    self->left = left_of(self, piece);
    self->right = right_of(self, piece);
    describe_call(self, &call, &first_index, lane_of(piece));
    if (self->pieces->prepare != NULL)
        CLPRIM__TRY(self->pieces->prepare(self, call.bytes));
    CLPRIM__TRY(lend_scratch(self, self->piece));
    CLPRIM__TRY(clprim__plan_enqueue(plan, plan->operation, NULL, call.bytes, 0, NULL, &done));
    CLPRIM__TRY(clprim__cl(clWaitForEvents(1, &done), "clWaitForEvents"));
    CLPRIM__TRY(count_results(self, call.bytes, landing));
    if (self->pieces->launched != NULL)
        CLPRIM__TRY(self->pieces->launched(self, call.bytes, landing));
    for (size_t k = 0; k < CLPRIM__PIECE_COUNTERS; k++)
        self->appended[k] = landing[k].at + landing[k].count;
done:
    if (done != NULL)
        (void)clReleaseEvent(done);
    return status;
}

/* Where a piece's elements are in the buffer of an output, and where they go in the given output: one range, or several.
 * Returns their number. */
static size_t landings_of(clprim__landing *out, const clprim__cutting *self, const clprim__slot *slot, size_t piece)
{
    const clprim__landing *landings = self->landings[lane_of(piece)];
    const size_t left = left_of(self, piece);
    const size_t per = self->cuts[slot - self->plan->slots].per;
    const size_t begin = begin_of(self, piece);
    if (slot->counted_by >= 0) {
        const size_t k = clprim__counter_of(self->plan, slot);
        *out = landings[k];
        out->at -= self->appended_before[k];
    } else if (self->is_spread) {
        memcpy(out, landings, sizeof self->landings[0]);
        return CLPRIM__PIECE_COUNTERS;
    } else if (self->halo.is_of_pairs) {
        *out = (clprim__landing){.at = begin - left + (self->pieces_before > 0 ? 1 : 0),
                                 .count = clprim__cut_length(self, slot, left + count_of(self, piece))};
    } else {
        *out = (clprim__landing){.skip = left * per, .at = begin * per, .count = count_of(self, piece) * per};
    }
    return 1;
}

/* If an output may be short, copy back only what fits. */
static void keep_what_fits(clprim__landing *to, const clprim__cutting *self, const clprim__slot *slot)
{
    if (!clprim__may_be_short(slot))
        return;
    const size_t length = clprim__length_of(slot, self->plan->desc.bytes, self->given);
    const size_t room = to->at < length ? length - to->at : 0;
    to->count = to->count < room ? to->count : room;
}

static clprim_status come_down(void *user, size_t piece)
{
    clprim__cutting *self = user;
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < self->plan->num_slots; i++) {
        const clprim__slot *slot = &self->plan->slots[i];
        const size_t size = slot->element_size;
        clprim__landing to[CLPRIM__PIECE_COUNTERS];
        if (!self->cuts[i].is_cut || !slot->is_written || self->pass + 1 < self->num_passes)
            continue;
        const size_t ranges = landings_of(to, self, slot, piece);
        for (size_t k = 0; k < ranges; k++) {
            keep_what_fits(&to[k], self, slot);
            if (to[k].count > 0)
                CLPRIM__TRY(clprim__host_down((char *)clprim__host_data(self->given, slot) + to[k].at * size,
                                              self->runtime, self->down, self->cuts[i].lanes[lane_of(piece)],
                                              to[k].skip * size, to[k].count * size));
        }
    }
    status = clprim__run_progress(self->plan, self->pass * self->total + begin_of(self, piece) + count_of(self, piece),
                                  self->num_passes * self->total);
done:
    return status;
}

/* Read the counts that are on the device. They limit the counts on the host; the lower ones are used from now on. */
static clprim_status take_counts(clprim__cutting *self)
{
    const clprim_plan *plan = self->plan;
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        clprim_array *at = clprim__array_of(self->call.bytes, slot);
        size_t limit = 0, given = 0;
        if (!clprim__is_count_at(slot->member) || slot->element_size == 0 || at->buffer == NULL)
            continue;
        char *count = self->call.bytes + slot->member[1].place; /* the count on the host that it limits */
        CLPRIM__TRY(clprim__host_number(&limit, self->runtime, at, slot->element_size, NULL));
        memcpy(&given, count, sizeof given);
        given = limit < given ? limit : given;
        memcpy(count, &given, sizeof given);
        *at = (clprim_array){0};
    }
    for (const clprim_member *m = plan->operation->face->desc_members; m->name != NULL; m++)
        if (strcmp(m->name, "count_at_type") == 0)
            memset(self->desc.bytes + m->place, 0, m->size);
    memcpy(&self->total, self->call.bytes + self->count_place, sizeof self->total);
done:
    return status;
}

/* Check the whole call as enqueue would, and create buffers for arrays that are not cut. */
static clprim_status bring_whole(clprim__cutting *self)
{
    const clprim_plan *plan = self->plan;
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        clprim_array *array = clprim__array_of(self->call.bytes, slot);
        size_t length = 0;
        if (slot->is_value || (array->host == NULL && (slot->element_size == 0 || slot->is_optional)))
            continue;
        if (array->host != NULL)
            CLPRIM__TRY(clprim__host_check(&length, plan, self->given, slot));
        if (self->cuts[i].is_cut)
            continue;
        if (array->host != NULL) {
            CLPRIM__TRY(clprim__host_bring(&self->cuts[i].whole, plan, self->given, slot,
                                           clprim__cut_whole_length(self, slot)));
            *array = (clprim_array){.buffer = self->cuts[i].whole};
        }
        array->length = clprim__cut_whole_length(self, slot);
        clprim__range range = {.name = slot->member->name,
                               .memory = array->buffer,
                               .offset = array->offset,
                               .count = array->length,
                               .element_size = slot->element_size};
        if (range.count > 0)
            CLPRIM__TRY(
                clprim__check_range(&range, self->runtime->context,
                                    (slot->is_read ? CLPRIM__READ : 0) | (slot->is_written ? CLPRIM__WRITE : 0)));
    }
done:
    return status;
}

/* Copy outputs that are not cut to the host. An output that counts elements receives the total of all pieces. */
static clprim_status bring_results(clprim__cutting *self)
{
    const clprim_plan *plan = self->plan;
    clprim__given counted;
    clprim_status status = CLPRIM_SUCCESS;
    memcpy(counted.bytes, self->results, plan->operation->face->call_size);
    memcpy(counted.bytes + self->count_place, &self->first, sizeof self->first);
    for (size_t i = 0; i < plan->num_slots; i++)
        if (plan->slots[i].counted_by >= 0)
            CLPRIM__TRY(clprim__cutting_put_number(self, plan->slots[plan->slots[i].counted_by].member->name,
                                                   self->appended[clprim__counter_of(plan, &plan->slots[i])]));
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        if (slot->is_written && self->cuts[i].whole != NULL && clprim__is_on_host(self->results, slot))
            CLPRIM__TRY(
                clprim__cutting_read(self, clprim__host_data(self->results, slot), self->cuts[i].whole, 0,
                                     clprim__length_of(slot, plan->desc.bytes, counted.bytes) * slot->element_size));
    }
done:
    return status;
}

/* Copy the arguments that are values: results of the first pieces may overwrite the caller's memory that holds them. */
static clprim_status keep_values(clprim__cutting *self)
{
    size_t at = 0;
    for (int writes = 1; writes >= 0 && !self->values.failed; writes--)
        for (size_t i = 0; i < self->plan->num_slots; i++) {
            const clprim__slot *slot = &self->plan->slots[i];
            clprim_array *array = clprim__array_of(self->call.bytes, slot);
            if (!slot->is_value || array->host == NULL)
                continue;
            if (writes != 0) {
                clprim__text_append(&self->values, clprim__host_data(self->given, slot), slot->element_size);
                continue;
            }
            *array = (clprim_array){.host = self->values.data + at};
            at += slot->element_size;
        }
    return clprim__text_status(&self->values);
}

/* The elements before and after the given ones. */
static void take_neighbours(clprim__cutting *self, const clprim__around *around)
{
    for (size_t i = 0; i < self->plan->num_slots; i++) {
        clprim__cut *cut = &self->cuts[i];
        if (!cut->is_cut || self->plan->slots[i].is_written)
            continue;
        cut->next = around->right[i];
        if (around->left[i] != NULL)
            memcpy(cut->last, around->left[i], self->plan->slots[i].element_size);
    }
}

static size_t num_pieces_of(const clprim__cutting *self)
{
    return self->total == 0 ? 1 : (self->total - 1) / self->piece_size + 1;
}

clprim_status clprim__cutting_begin(clprim__cutting *self, clprim_plan *plan, const void *desc, const void *call,
                                    const clprim__around *around, size_t expected)
{
    static const clprim__any_desc zeroed;
    static const clprim__around whole;
    const clprim__operation *operation = plan->operation;
    clprim_status status = CLPRIM_SUCCESS;
    around = around != NULL ? around : &whole;
    self->plan = plan;
    self->pieces = operation->pieces;
    self->runtime = plan->runtime;
    self->given = self->results = call;
    self->count_place = self->pieces->count_place;
    self->first = around->first;
    self->pieces_before = around->first > 0;
    self->is_open = around->is_open;
    memcpy(self->desc.bytes, desc != NULL ? desc : zeroed.bytes, operation->face->desc_size);
    memcpy(self->call.bytes, call, operation->face->call_size);
    if (self->pieces->halo != NULL)
        self->halo = self->pieces->halo(self->desc.bytes);
    memcpy(&self->total, self->call.bytes + self->count_place, sizeof self->total);
    CLPRIM__TRY(keep_values(self));
    CLPRIM__TRY(clprim__svm_begin(&self->svm, plan, self->call.bytes));
    CLPRIM__TRY(clprim__cut_read_texts(self));
    CLPRIM__TRY(clprim__cut_lay_out(self, expected != 0 ? expected : self->total));
    CLPRIM__TRY(clprim__cut_use_index(self));
    CLPRIM__TRY(bring_whole(self));
    CLPRIM__TRY(take_counts(self));
    self->num_pieces = num_pieces_of(self);
    if (self->pieces->begin != NULL)
        CLPRIM__TRY(self->pieces->begin(self));
    CLPRIM__TRY(clprim__cut_make_plans(self));
    CLPRIM__TRY(clprim__cut_make_memory(self));
    take_neighbours(self, around);
done:
    return status;
}

/* A single piece needs no threads. */
static clprim_status run_one(clprim__cutting *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(go_up(self, 0));
    CLPRIM__TRY(launch(self, 0));
    status = come_down(self, 0);
done:
    return status;
}

clprim_status clprim__cutting_go_on(clprim__cutting *self, const void *given, size_t count)
{
    self->given = given;
    self->total = count;
    self->num_pieces = num_pieces_of(self);
    self->num_passes =
        self->num_pieces > 1 && self->pieces->counts_first != NULL && self->pieces->counts_first(self->desc.bytes) ? 2
                                                                                                                   : 1;
    memcpy(self->appended_before, self->appended, sizeof self->appended);
    const clprim__pipeline pipeline = {.num_pieces = self->num_pieces,
                                       .num_lanes = CLPRIM__PIECE_LANES,
                                       .is_split = true,
                                       .user = self,
                                       .up = go_up,
                                       .launch = launch,
                                       .down = come_down};
    clprim_status status = CLPRIM_SUCCESS;
    for (self->pass = 0; self->pass < self->num_passes && status == CLPRIM_SUCCESS; self->pass++)
        status = self->num_pieces == 1 ? run_one(self) : clprim__pipeline_run(&pipeline);
    self->first += self->total;
    self->pieces_before += self->num_pieces;
    return status;
}

clprim_status clprim__cutting_finish(clprim__cutting *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    if (self->pieces->finish != NULL)
        CLPRIM__TRY(self->pieces->finish(self, self->desc.bytes));
    status = bring_results(self);
done:
    return status;
}

void clprim__cutting_end(clprim__cutting *self, bool is_idle)
{
    clprim__cut_clear(self, is_idle);
    clprim__svm_end(&self->svm);
    clprim__text_free(&self->values);
}

clprim_status clprim__pieces_run_around(clprim_plan *plan, const void *desc, const void *call,
                                        const clprim__around *around)
{
    clprim_status status = CLPRIM_SUCCESS;
    clprim__cutting *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a run in pieces");
    CLPRIM__TRY(clprim__cutting_begin(self, plan, desc, call, around, 0));
    CLPRIM__TRY(clprim__cutting_go_on(self, call, self->total));
    clprim__cut_release_lanes(self);
    status = clprim__cutting_finish(self);
done:
    clprim__cutting_end(self, status == CLPRIM_SUCCESS);
    free(self);
    return status;
}

clprim_status clprim__pieces_run(clprim_plan *plan, const void *desc, const void *call)
{
    static const clprim__any_desc zeroed;
    const clprim__pieces *pieces = plan->operation->pieces;
    return pieces->run != NULL ? pieces->run(plan, desc != NULL ? desc : zeroed.bytes, call)
                               : clprim__pieces_run_around(plan, desc, call, NULL);
}

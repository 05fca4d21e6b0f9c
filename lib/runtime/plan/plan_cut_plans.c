// SPDX-License-Identifier: MIT
/* plan_cut_plans.c: create the plans of a call that is cut into pieces, and adapt the caller's expressions for them. */
#include "error.h"
#include "plan_pieces.h"
#include "runtime_internal.h"

/* Write the description of the first piece's plan, or of the other pieces' plan. */
static void describe_plan(clprim__any_desc *out, const clprim__cutting *self, bool is_first)
{
    const size_t elements = self->piece_size + self->halo.left + self->halo.right;
    clprim__given call = self->call;
    memcpy(call.bytes + self->count_place, &elements, sizeof elements);
    const size_t most = self->plan->operation->count(call.bytes);
    *out = self->desc;
    for (const clprim_member *m = self->plan->operation->face->desc_members; m->name != NULL; m++)
        if (strcmp(m->name, "max_count") == 0)
            memcpy(out->bytes + m->place, &most, sizeof most);
    if (self->pieces->describe != NULL)
        self->pieces->describe(out->bytes, self->plan, is_first);
}

/* Arrays that are only read at `i` are cut. If `i` is used in another way, expressions get the index of the piece's first
 * element. */
clprim_status clprim__cut_read_texts(clprim__cutting *self)
{
    const clprim_operation *face = self->plan->operation->face;
    clprim__any_desc first;
    describe_plan(&first, self, true);
    self->reading = clprim__texts_read(face, self->desc.bytes, self->pieces->texts);
    const clprim__reading of_first = clprim__texts_read(face, first.bytes, self->pieces->texts);
    self->reading.uses_index = of_first.uses_index;
    if (self->reading.failed || of_first.failed)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for the texts of a run in pieces");
    return CLPRIM_SUCCESS;
}

clprim_status clprim__cut_use_index(clprim__cutting *self)
{
    const clprim_operation *face = self->plan->operation->face;
    for (size_t i = 0; i < self->plan->num_slots; i++) {
        const clprim__slot *slot = &self->plan->slots[i];
        if (slot->member->is_value != NULL && !slot->is_value && !self->cuts[i].is_cut)
            self->reading.uses_index = self->reading.uses_index || (self->reading.at_index & 1U << slot->index) != 0;
    }
    if (self->reading.uses_index && self->reading.parameters == CLPRIM_MAX_PARAMETERS)
        return clprim__fail(CLPRIM_UNSUPPORTED,
                            "clprim_%s_run: the call does not fit the device, and it cannot be cut into pieces: its "
                            "texts use i, and all %d parameters are taken",
                            face->name, CLPRIM_MAX_PARAMETERS);
    return CLPRIM_SUCCESS;
}

/* For expressions that use `i` in another way: add that index as the last parameter, and let expressions read the cut
 * arrays without it. */
static clprim_status add_index(clprim__any_desc *desc, clprim__text *memory, const clprim__cutting *self)
{
    const clprim_operation *face = self->plan->operation->face;
    const clprim_parameter index = {.name = clprim__first_index, .type = CLPRIM_U64};
    const clprim_parameter *parameters = clprim__texts_parameters(face, desc->bytes);
    unsigned cut = 0;
    for (size_t i = 0; i < self->plan->num_slots; i++)
        if (self->cuts[i].is_cut && self->plan->slots[i].member->is_value != NULL)
            cut |= 1U << self->plan->slots[i].index;
    const clprim_status status = clprim__texts_cut(desc->bytes, memory, face, self->pieces->texts, cut);
    memcpy(desc->bytes + ((const char *)(parameters + self->reading.parameters) - desc->bytes), &index, sizeof index);
    return status;
}

/* Create the plans of the first piece and of the others. If their descriptions are the same, it is one plan. */
clprim_status clprim__cut_make_plans(clprim__cutting *self)
{
    clprim__any_desc descs[2];
    clprim_status status = CLPRIM_SUCCESS;
    for (int k = 0; k < 2; k++)
        describe_plan(&descs[k], self, k == 0);
    const bool is_one = memcmp(descs[0].bytes, descs[1].bytes, self->plan->operation->face->desc_size) == 0;
    for (int k = 0; k < (is_one ? 1 : 2) && status == CLPRIM_SUCCESS; k++) {
        const bool is_needed =
            k == 0 ? is_one || self->first == 0 : self->is_open || self->first > 0 || self->num_pieces > 1;
        clprim__text texts = {0};
        if (!is_needed)
            continue;
        if (self->reading.uses_index)
            status = add_index(&descs[k], &texts, self);
        if (status == CLPRIM_SUCCESS)
            status = clprim__plan_create(&self->plans[k], self->runtime, self->plan->subject, descs[k].bytes);
        clprim__text_free(&texts);
    }
    if (is_one)
        self->plans[1] = self->plans[0];
    return status;
}

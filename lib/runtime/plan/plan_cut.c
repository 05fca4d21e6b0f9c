// SPDX-License-Identifier: MIT
/* plan_cut.c: decide whether a call of run fits the device, and if not, how its arrays are cut into pieces. */
#include "error.h"
#include "plan_host.h"
#include "plan_pieces.h"
#include "runtime_internal.h"
#include "sizes.h"

/* The size of a piece of the widest array, in bytes. It is an eighth of the array, because during the first upload
 * nothing else runs. It is at least so large that the start of each piece costs little, and at most as large as brings a
 * gain (H200: docs/notebook/run.md). */
static const size_t SMALL_PIECE = (size_t)32 << 20, LARGE_PIECE = (size_t)128 << 20;
enum { ENOUGH_PIECES = 8 };

/* If each direction transfers at least this many bytes, pieces are faster even if the call fits the device. */
static const size_t WORTH_BOTH_WAYS = (size_t)256 << 20;

enum { ROUND = 4096, MARGIN = 64 /* elements in front of a piece, with room for its halo */ };

/* The total size of the call's arrays on the host, in bytes, and whether one of them is larger than a buffer may be. */
static size_t bytes_of(bool *is_too_large, const clprim_plan *plan, const void *call)
{
    size_t sum = 0;
    *is_too_large = false;
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        if (!clprim__is_on_host(call, slot) || slot->element_size == 0)
            continue;
        const size_t bytes = clprim__times(clprim__length_of(slot, plan->desc.bytes, call), slot->element_size);
        *is_too_large = *is_too_large || bytes > plan->runtime->info.max_allocation_size;
        sum = clprim__plus(sum, bytes);
    }
    return sum;
}

const char *clprim__pieces_obstacle(const clprim_plan *plan, const void *desc)
{
    const clprim__pieces *pieces = plan->operation->pieces;
    return pieces == NULL             ? "the operation needs its arrays as a whole"
           : pieces->obstacle != NULL ? pieces->obstacle(plan, desc)
                                      : NULL;
}

/* Whether the list contains the slot's array. Such arrays are never cut. */
static bool is_named(const char *const *names, const clprim__slot *slot)
{
    while (names != NULL && *names != NULL && strcmp(*names, slot->member->name) != 0)
        names++;
    return names != NULL && *names != NULL;
}

/* Whether pieces are faster although the call fits. If much is transferred in both directions, transferring both ways at
 * once halves the time. */
static bool is_faster_in_pieces(const clprim_plan *plan, const void *call)
{
    size_t up = 0;
    size_t down = 0;
    const clprim__pieces *pieces = plan->operation->pieces;
    if (plan->runtime->info.is_unified_memory || pieces == NULL ||
        pieces->run != NULL || /* operations with .run transfer the data twice, and so do those that count first */
        (pieces->counts_first != NULL && pieces->counts_first(plan->desc.bytes)))
        return false;
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        const clprim_array *array = clprim__array_in(call, slot);
        if (array->buffer != NULL || array->svm != NULL)
            return false;
        if (!clprim__is_on_host(call, slot) || slot->element_size == 0 || is_named(pieces->whole, slot))
            continue;
        size_t *way = slot->is_written ? &down : &up;
        *way = clprim__plus(*way, clprim__times(clprim__length_of(slot, plan->desc.bytes, call), slot->element_size));
    }
    return up >= WORTH_BOTH_WAYS && down >= WORTH_BOTH_WAYS;
}

clprim_status clprim__pieces_of_run(clprim__pieces_need *out, const clprim_plan *plan, const void *desc,
                                    const void *call)
{
    static const char zeroed[CLPRIM__MAX_DESC];
    const size_t limit = clprim__device_limit(plan->runtime);
    bool is_too_large = false;
    *out = CLPRIM__PIECES_NOT;
    const clprim_status status = clprim__plan_check_given(plan, call);
    if (status != CLPRIM_SUCCESS)
        return status;
    const size_t arrays = bytes_of(&is_too_large, plan, call);
    const size_t state = plan->scratch_is_state ? 0 : plan->state.size; /* which the plan has already */
    const size_t bytes = arrays > 0 ? clprim__plus(arrays, clprim__plus(state, clprim__plan_scratch(plan, call))) : 0;
    const bool fits = bytes <= limit && !is_too_large;
    const bool is_possible = arrays < SIZE_MAX; /* if not, run reports the error when it checks the arrays */
    if (!is_possible || (fits && !is_faster_in_pieces(plan, call)))
        return CLPRIM_SUCCESS;
    const char *obstacle = clprim__pieces_obstacle(plan, desc != NULL ? desc : (const void *)zeroed);
    if (obstacle == NULL)
        *out = fits ? CLPRIM__PIECES_MAY : CLPRIM__PIECES_MUST;
    if (fits || obstacle == NULL || (!is_too_large && plan->runtime->limits.device_memory == 0))
        return CLPRIM_SUCCESS;
    return clprim__fail(CLPRIM_UNSUPPORTED,
                        "clprim_%s_run: the call does not fit the device: it takes %zu bytes of device memory; run may "
                        "use %zu, and %zu in a buffer. It cannot be cut into pieces: %s",
                        plan->operation->face->name, bytes, limit, plan->runtime->info.max_allocation_size, obstacle);
}

/* The same call with `count` elements. */
static const void *call_of(clprim__given *out, const clprim__cutting *self, size_t count)
{
    *out = self->call;
    memcpy(out->bytes + self->count_place, &count, sizeof count);
    return out->bytes;
}

size_t clprim__cut_length(const clprim__cutting *self, const clprim__slot *slot, size_t count)
{
    clprim__given call;
    return slot->member->length(self->plan->desc.bytes, call_of(&call, self, count));
}

/* Device memory of the pieces: scratch memory, and two buffers for each array that is cut, because two pieces are in
 * progress at a time. */
static size_t bytes_of_pieces(const void *user, size_t count)
{
    const clprim__cutting *self = user;
    const clprim_plan *plan = self->plan;
    const size_t largest = plan->runtime->info.max_allocation_size;
    clprim__given call;
    size_t sum = clprim__plan_scratch(plan, call_of(&call, self, count + self->halo.left + self->halo.right));
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        if (!self->cuts[i].is_cut)
            continue;
        const size_t bytes =
            clprim__times(clprim__plus(clprim__cut_length(self, slot, count), clprim__times(MARGIN, self->cuts[i].per)),
                          slot->element_size);
        sum = bytes > largest ? SIZE_MAX : clprim__plus(sum, clprim__times(bytes, CLPRIM__PIECE_LANES));
    }
    return sum;
}

/* The size of a piece in elements: as large as memory allows, but no larger than brings a gain. */
static size_t piece_size_of(const clprim__cutting *self, size_t room, size_t expected)
{
    size_t widest = 1;
    for (size_t i = 0; i < self->plan->num_slots; i++)
        if (self->cuts[i].is_cut)
            widest = clprim__larger(widest, clprim__times(self->cuts[i].per, self->plan->slots[i].element_size));
    const size_t share = clprim__larger(expected / ENOUGH_PIECES, SMALL_PIECE / widest);
    const size_t most = clprim__larger(clprim__smaller(clprim__smaller(share, LARGE_PIECE / widest), expected), 1);
    const size_t size = clprim__most_that_fits(room, bytes_of_pieces, self, most);
    return size > ROUND ? size - size % ROUND : size;
}

/* Whether the length of the slot's array is proportional to the number of elements of the call. */
static bool is_by_element(const clprim__cutting *self, const clprim__slot *slot)
{
    const bool is_array = slot->element_size > 0 && !slot->is_value;
    if (slot->member->is_value != NULL) { /* for an argument, it depends on how the expressions read it */
        const size_t given = clprim__array_in(self->given, slot)->length;
        return is_array && (self->reading.at_index & 1U << slot->index) != 0 &&
               (given == 0 || given >= clprim__cut_length(self, slot, self->total)) &&
               clprim__is_on_host(self->given, slot);
    }
    return is_array && !is_named(self->pieces->whole, slot) &&
           clprim__cut_length(self, slot, 2) != clprim__cut_length(self, slot, 3);
}

static clprim_status choose_cuts(clprim__cutting *self)
{
    const clprim_plan *plan = self->plan;
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        const clprim_array *array = clprim__array_in(self->given, slot);
        if (!is_by_element(self, slot))
            continue;
        self->cuts[i].per = clprim__cut_length(self, slot, 3) - clprim__cut_length(self, slot, 2);
        self->cuts[i].is_cut = array->host != NULL;
        const bool is_elsewhere = array->buffer != NULL || array->svm != NULL;
        if (array->host == NULL && !is_elsewhere && !slot->is_optional)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is NULL", slot->member->name);
        if (array->host == NULL && is_elsewhere)
            return clprim__fail(CLPRIM_UNSUPPORTED,
                                "clprim_%s_run: the call does not fit the device, and only arrays on the host can be "
                                "cut into pieces: %s has no .host",
                                plan->operation->face->name, slot->member->name);
    }
    return CLPRIM_SUCCESS;
}

bool clprim__is_counter(const clprim_plan *plan, const clprim__slot *slot)
{
    size_t i = 0;
    while (i < plan->num_slots && plan->slots[i].counted_by != (int)(slot - plan->slots))
        i++;
    return i < plan->num_slots;
}

size_t clprim__counter_of(const clprim_plan *plan, const clprim__slot *slot)
{
    size_t number = 0;
    for (int i = 0; i < slot->counted_by; i++)
        number += clprim__is_counter(plan, &plan->slots[i]);
    return number;
}

/* In a stream, the number of elements is not known in advance: an output gets room for the results of all of them. */
size_t clprim__cut_whole_length(const clprim__cutting *self, const clprim__slot *slot)
{
    const clprim_plan *plan = self->plan;
    clprim__given most;
    if (!self->is_open || !slot->is_written)
        return clprim__length_of(slot, plan->desc.bytes, self->given);
    memcpy(most.bytes, self->given, plan->operation->face->call_size);
    memcpy(most.bytes + self->count_place, &plan->max_count, sizeof plan->max_count);
    return clprim__length_of(slot, plan->desc.bytes, most.bytes);
}

clprim_status clprim__cut_lay_out(clprim__cutting *self, size_t expected)
{
    const clprim_plan *plan = self->plan;
    const size_t limit = clprim__device_limit(plan->runtime);
    size_t whole = self->pieces->carry != NULL ? self->pieces->carry(plan, self->desc.bytes) : 0;
    const clprim_status status = choose_cuts(self);
    if (status != CLPRIM_SUCCESS)
        return status;
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        if (!self->cuts[i].is_cut && slot->element_size > 0 && clprim__is_on_host(self->given, slot))
            whole = clprim__plus(whole, clprim__times(clprim__cut_whole_length(self, slot), slot->element_size));
    }
    self->piece_size = whole < limit ? piece_size_of(self, limit - whole, expected) : 0;
    if (self->piece_size == 0)
        return clprim__fail(CLPRIM_UNSUPPORTED,
                            "clprim_%s_run: the call does not fit the device, and %zu bytes of its memory are not "
                            "enough for a piece of one element; arrays that cannot be cut take %zu bytes",
                            plan->operation->face->name, limit, whole);
    return CLPRIM_SUCCESS;
}

void clprim__cutting_rest(clprim__given *out, const clprim__cutting *self)
{
    *out = self->call;
    for (size_t i = 0; i < self->plan->num_slots; i++)
        if (self->cuts[i].is_cut)
            *clprim__array_of(out->bytes, &self->plan->slots[i]) = (clprim_array){0};
}

// SPDX-License-Identifier: MIT
/* folds.c: reductions of the pieces that are sent to the device. */
#include "folds.h"

#include <math.h>
#include <string.h>

#include "number.h"
#include "ranks.h"

cli_result folds_begin(folds *out, const cli_device *device, const clprim_reduce_desc *descs,
                       const size_t *result_sizes, size_t count)
{
    cli_result result = CLI_OK;
    *out = (folds){.device = device, .count = count};
    for (size_t i = 0; i < count; i++) {
        out->each[i].result_size = result_sizes[i];
        CLI_CALL(clprim_reduce_create(&out->each[i].plan, device->runtime, &descs[i]));
        for (size_t j = 0; j < STREAM_MOST_SLOTS; j++) {
            size_t capacity = 0;
            CLI_TRY(cli_device_reserve(&out->each[i].out[j], &capacity, device, sizeof(clprim_indexed)));
        }
    }
done:
    return result;
}

cli_result folds_begin_equal(folds *out, const cli_device *device, clprim_type type, const void *number)
{
    const clprim_reduce_desc desc = {
        .type = CLPRIM_U64,
        .op = CLPRIM_SUM,
        .input = type == CLPRIM_F16 ? "vload_half(i, x) == number" : "x[i] == number",
        .text.parameters = {{.name = "x", .type = type, .is_array = true}, {.name = "number", .type = type}}};
    const size_t size = sizeof(uint64_t);
    const cli_result result = folds_begin(out, device, &desc, &size, 1);
    out->each[0].number = number;
    return result;
}

void folds_end(folds *self)
{
    for (size_t i = 0; i < self->count; i++) {
        clprim_plan_destroy(self->each[i].plan);
        for (size_t j = 0; j < STREAM_MOST_SLOTS; j++)
            cli_device_release(self->each[i].out[j]);
    }
    *self = (folds){0};
}

cli_result folds_launch(folds *self, const stream_slot *slot, cl_event *done)
{
    cli_result result = CLI_OK;
    for (size_t i = 0; i < self->count; i++) {
        struct fold *fold = &self->each[i];
        cl_command_queue queue = self->device->queue;
        cl_mem out = fold->out[slot->number];
        clprim_reduce_call call = {.in = {slot->in}, .count = slot->count, .out = {out}};
        if (fold->number != NULL) {
            call.in = (clprim_array){0};
            call.arguments[0] = (clprim_array){slot->in, .length = slot->count};
            call.arguments[1] = (clprim_array){.host = (void *)(uintptr_t)fold->number};
        }
        CLI_CALL(clprim_reduce_enqueue(fold->plan, queue, &call, 0, NULL, NULL));
        CLI_CALL(clEnqueueReadBuffer(queue, out, CL_FALSE, 0, fold->result_size, &fold->results[slot->number], 0, NULL,
                                     i + 1 == self->count ? done : NULL));
    }
done:
    return result;
}

typedef struct extremes {
    folds folds;
    clprim_type type;
    clprim_key_order order; /* the total order. With CLPRIM_NAN_LAST, NaNs are handled before it is used */
    clprim_nan_order nan;
    bool finite;
    size_t first; /* index of this rank's first element */
    size_t count;
    clprim_indexed least, greatest;
} extremes;

static cli_result launch_extremes(void *user, stream_slot *slot)
{
    extremes *self = user;
    return folds_launch(&self->folds, slot, &slot->done);
}

/* Whether `next`, which comes after `before` in the array, replaces it as an extreme value. */
static bool replaces(const extremes *self, const clprim_indexed *next, const clprim_indexed *before, bool is_greatest)
{
    const uint64_t place = number_place(&self->order, &next->value);
    const uint64_t place_before = number_place(&self->order, &before->value);
    if (self->nan == CLPRIM_NAN_LAST && isnan(number_to_double(self->type, &before->value)))
        return false;
    if (self->nan == CLPRIM_NAN_LAST && isnan(number_to_double(self->type, &next->value)))
        return true;
    return is_greatest ? place > place_before : place < place_before;
}

static void take(extremes *self, const clprim_indexed *low, const clprim_indexed *high, size_t first)
{
    if (self->count == 0 || replaces(self, low, &self->least, false))
        self->least = (clprim_indexed){.index = first + low->index, .value = low->value};
    if (self->count == 0 || replaces(self, high, &self->greatest, true))
        self->greatest = (clprim_indexed){.index = first + high->index, .value = high->value};
}

/* Process elements one by one, for pieces that contain infinities or NaNs. */
static void take_finite(extremes *self, const stream_slot *slot)
{
    const size_t size = clprim_type_size(self->type);
    for (size_t i = 0; i < slot->count; i++) {
        clprim_indexed one = {.index = i};
        memcpy(&one.value, (const char *)slot->host + i * size, size);
        if (!isfinite(number_to_double(self->type, &one.value)))
            continue;
        take(self, &one, &one, self->first + slot->first);
        self->count++;
    }
}

static cli_result fold_extremes(void *user, stream_slot *slot)
{
    extremes *self = user;
    const clprim_indexed *low = &self->folds.each[0].results[slot->number];
    const clprim_indexed *high = &self->folds.each[1].results[slot->number];
    const bool is_finite =
        isfinite(number_to_double(self->type, &low->value)) && isfinite(number_to_double(self->type, &high->value));
    if (self->finite && !is_finite) {
        take_finite(self, slot);
        return CLI_OK;
    }
    take(self, low, high, self->first + slot->first);
    self->count += slot->count;
    return CLI_OK;
}

static cli_result run(extremes *self, const cli_device *device, source *from)
{
    const clprim_reduce_desc descs[] = {{.type = from->type, .op = CLPRIM_ARGMIN, .nan_order = self->nan},
                                        {.type = from->type, .op = CLPRIM_ARGMAX, .nan_order = self->nan}};
    const size_t sizes[] = {sizeof(clprim_indexed), sizeof(clprim_indexed)};
    const size_t most = cli_device_piece(device, 2 * from->size, from->size);
    const size_t usual = STREAM_PIECE_BYTES / from->size;
    cli_result result = CLI_OK;
    CLI_TRY(folds_begin(&self->folds, device, descs, sizes, 2));
    CLI_TRY(stream_run(device, from, "extremes",
                       &(stream_work){.piece = most < usual ? most : usual,
                                      .num_slots = STREAM_MOST_SLOTS,
                                      .launch = launch_extremes,
                                      .fold = fold_extremes,
                                      .user = self}));
done:
    return result;
}

/* Combine the extremes of all ranks, in the order of the ranks. */
static void take_ranks(extremes *self)
{
    const clprim_indexed mine[] = {self->least, self->greatest};
    const size_t count = self->count;
    self->count = 0;
    for (unsigned rank = 0; rank < ranks_size(); rank++) {
        clprim_indexed part[] = {mine[0], mine[1]};
        size_t part_count = count;
        ranks_broadcast(rank, part, sizeof part);
        ranks_broadcast(rank, &part_count, sizeof part_count);
        if (part_count > 0)
            take(self, &part[0], &part[1], 0);
        self->count += part_count;
    }
}

cli_result folds_extremes(clprim_indexed *least, clprim_indexed *greatest, size_t *count, const cli_device *device,
                          source *from, clprim_nan_order nan, bool finite)
{
    extremes self = {.type = from->type, .nan = nan, .finite = finite, .first = from->first};
    cli_result result = CLI_OK;
    self.order = (clprim_key_order){.key_type = from->type};
    CLI_TRY(ranks_agree(run(&self, device, from)));
    take_ranks(&self);
    *least = self.least;
    *greatest = self.greatest;
    *count = self.count;
done:
    folds_end(&self.folds);
    return result;
}

// SPDX-License-Identifier: MIT
/* scan.c: `clprim scan`: running sums. Results have 64 bits for integers, F32 for halves, and otherwise the elements'
 * type. Sums of floats are computed in double precision if the device has it, and rounded on the host. Each piece
 * begins with the sum of the pieces before it. For 64-bit integers, the extremes of a piece show whether its sums may
 * not fit 64 bits. If so, the sums are also computed on the host, element by element, unless they may wrap. */
#include <clprim/scan.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "folds.h"
#include "number.h"

typedef struct scan {
    array_job job;
    clprim_type sum_type;    /* the type of the device's sums */
    clprim_type result_type; /* the type of the output, which is not larger */
    size_t sum_size;
    bool is_float, is_signed, exclusive;
    wide whole;     /* the current sum, for integers */
    double real;    /* the current sum, for floats: a value of the sums' type */
    folds extremes; /* for 64-bit integers */
    cl_mem out;
    size_t out_size;
    void *sums;
    size_t capacity; /* of these buffers, in elements */
} scan;

static clprim_type result_type(clprim_type type)
{
    if (!number_is_float(type))
        return number_is_signed(type) ? CLPRIM_I64 : CLPRIM_U64;
    return type == CLPRIM_F16 ? CLPRIM_F32 : type;
}

static void round_sums(const scan *self, size_t count)
{
    if (self->sum_type == self->result_type)
        return;
    for (size_t i = 0; i < count; i++) {
        double sum = 0;
        memcpy(&sum, (const char *)self->sums + i * sizeof sum, sizeof sum);
        const float rounded = (float)sum;
        memcpy((char *)self->sums + i * sizeof rounded, &rounded, sizeof rounded);
    }
}

static cli_result launch(void *user, stream_slot *slot)
{
    scan *self = user;
    const cli_device *device = &self->job.device;
    const float single = (float)self->real;
    const void *real = self->sum_type == CLPRIM_F32 ? (const void *)&single : &self->real;
    const clprim_scan_desc desc = {.type = self->job.from.type,
                                   .op = CLPRIM_SUM,
                                   .accumulator_type = self->sum_type,
                                   .exclusive = self->exclusive,
                                   .initial = self->is_float ? real : &self->whole.low,
                                   .reproducible = self->is_float};
    const size_t bytes = slot->count * self->sum_size;
    clprim_plan *plan = NULL; /* one plan per piece; after the first one, the kernels are compiled already */
    cli_result result = CLI_OK;
    if (slot->count > self->capacity) {
        free(self->sums);
        self->sums = malloc(bytes);
        self->capacity = self->sums != NULL ? slot->count : 0;
        if (self->sums == NULL) {
            result = cli_refuse(self->job.from.name, "out of memory; give a smaller --memory");
            goto done;
        }
    }
    CLI_TRY(cli_device_reserve(&self->out, &self->out_size, device, bytes));
    CLI_CALL(clprim_scan_create(&plan, device->runtime, &desc));
    CLI_CALL(clprim_scan_enqueue(plan, device->queue,
                                 &(clprim_scan_call){.in = {slot->in}, .count = slot->count, .out = {self->out}}, 0,
                                 NULL, NULL));
    CLI_TRY(folds_launch(&self->extremes, slot, NULL));
    CLI_CALL(clEnqueueReadBuffer(device->queue, self->out, CL_FALSE, 0, bytes, self->sums, 0, NULL, &slot->done));
done:
    clprim_plan_destroy(plan);
    return result;
}

static bool may_leave(const scan *self, const stream_slot *slot)
{
    const clprim_type type = self->job.from.type;
    uint64_t least = 0;
    uint64_t greatest = 0;
    number_limits(type, &least, &greatest);
    if (self->extremes.count > 0) {
        least = number_to_bits(type, &self->extremes.each[0].results[slot->number]);
        greatest = number_to_bits(type, &self->extremes.each[1].results[slot->number]);
    }
    return wide_may_leave(&self->whole, self->is_signed, slot->count, least, greatest);
}

/* Check that every sum that is written fits 64 bits. */
static cli_result follow(scan *self, const stream_slot *slot)
{
    const source *from = &self->job.from;
    for (size_t i = 0; i < slot->count; i++) {
        const wide before = self->whole;
        wide_add(&self->whole, self->is_signed, number_to_bits(from->type, (const char *)slot->host + i * from->size));
        if (!wide_fits(self->exclusive ? &before : &self->whole, self->is_signed))
            return cli_fail(from->name,
                            "the sum at index %zu does not fit the 64 bits of %s; with --wrap sums are modulo 2^64",
                            slot->first + i, clprim_type_name(self->result_type));
    }
    return CLI_OK;
}

static void carry(scan *self, const stream_slot *slot)
{
    const source *from = &self->job.from;
    const char *last = (const char *)slot->host + (slot->count - 1) * from->size;
    const char *last_sum = (const char *)self->sums + (slot->count - 1) * self->sum_size;
    if (self->is_float) {
        self->real = number_to_double(self->sum_type, last_sum);
        if (self->exclusive)
            self->real += number_to_double(from->type, last);
        return;
    }
    self->whole = (wide){0, 0};
    wide_add(&self->whole, self->is_signed, number_to_bits(self->sum_type, last_sum));
    if (self->exclusive)
        wide_add(&self->whole, self->is_signed, number_to_bits(from->type, last));
}

static cli_result fold(void *user, stream_slot *slot)
{
    scan *self = user;
    cli_result result = CLI_OK;
    if (!self->is_float && !self->job.options->wrap && may_leave(self, slot))
        CLI_TRY(follow(self, slot));
    else
        carry(self, slot);
    round_sums(self, slot->count);
    CLI_TRY(sink_write(&self->job.to, self->sums, NULL, slot->count));
done:
    return result;
}

static cli_result run(scan *self)
{
    const source *from = &self->job.from;
    const clprim_reduce_desc descs[] = {{.type = from->type, .op = CLPRIM_MIN}, {.type = from->type, .op = CLPRIM_MAX}};
    const size_t sizes[] = {from->size, from->size};
    const size_t most = cli_device_piece(&self->job.device, from->size + 2 * self->sum_size, self->sum_size);
    const size_t usual = STREAM_PIECE_BYTES / self->sum_size;
    cli_result result = CLI_OK;
    if (!self->is_float && !self->job.options->wrap && from->size == 8)
        CLI_TRY(folds_begin(&self->extremes, &self->job.device, descs, sizes, 2));
    CLI_TRY(stream_run(
        &self->job.device, &self->job.from, "scan",
        &(stream_work){
            .piece = most < usual ? most : usual, .num_slots = 1, .launch = launch, .fold = fold, .user = self}));
done:
    return result;
}

cli_result cli_scan(const cli_options *options)
{
    scan self = {.exclusive = options->exclusive};
    cli_result result = CLI_OK;
    CLI_TRY(array_begin(&self.job, options));
    CLI_TRY(source_needs_order(&self.job.from));
    self.is_float = number_is_float(self.job.from.type);
    self.is_signed = number_is_signed(self.job.from.type);
    self.result_type = self.sum_type = result_type(self.job.from.type);
    if (self.is_float && clprim_runtime_info(self.job.device.runtime)->has_fp64)
        self.sum_type = CLPRIM_F64;
    self.sum_size = clprim_type_size(self.sum_type);
    CLI_TRY(array_open_sink(&self.job, self.result_type, self.job.from.count, NULL));
    CLI_TRY(run(&self));
    CLI_TRY(array_finish(&self.job));
done:
    folds_end(&self.extremes);
    cli_device_release(self.out);
    free(self.sums);
    array_end(&self.job);
    return result;
}

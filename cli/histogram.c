// SPDX-License-Identifier: MIT
/* histogram.c: `clprim histogram`: bins of equal width over a given range, or over all finite values. In the second
 * case, a first pass over the data finds the range. */
#include "histogram.h"

#include <clprim/histogram.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "folds.h"
#include "number.h"
#include "ranks.h"

enum { USUAL_BINS = 20 };

typedef struct histogram {
    array_job job;
    size_t bins;
    double low, high;
    double begin, end; /* low and high as the device gets them */
    clprim_plan *plan;
    cl_mem out, outside;
    uint64_t *counts;
    uint64_t num_outside;
    size_t num_finite; /* number of finite elements, if the range is not given */
    folds at_end;      /* if the range is given: counts the elements equal to its end, which the device counts as
                        * outside */
    uint64_t at;       /* the end of the range as an element */
    uint64_t num_at_end;
} histogram;

/* The range of integers from the least one up to, but not including, the greatest one + 1. If doubles cannot represent
 * these numbers exactly, the range is slightly larger. */
static void integer_range(histogram *self, clprim_type type, double least, double greatest)
{
    const bool is_unsigned = type == CLPRIM_U64;
    const double exact = 0x1p53;
    self->low = fabs(least) < exact ? least : fmax(nextafter(least, -(double)INFINITY), is_unsigned ? 0 : -0x1p63);
    self->high = fabs(greatest) < exact ? greatest + 1
                                        : fmin(nextafter(greatest, (double)INFINITY), is_unsigned ? 0x1p64 : 0x1p63);
}

/* The range of floats from the least to the greatest one, limited to the type's range. take_greatest adds the greatest
 * one to the last bin. */
static void float_range(histogram *self, clprim_type type, double least, double greatest)
{
    const double most = type == CLPRIM_F64 ? DBL_MAX : (double)FLT_MAX;
    const double half = least == greatest ? fmax(0.5, fabs(least) * 0x1p-20) : 0;
    self->low = fmax(least - half, -most);
    self->high = fmin(greatest + half, most);
}

/* The range does not include the greatest float. So the device counted it as outside, together with infinities and
 * NaNs. Move it to the last bin. */
static void take_greatest(histogram *self)
{
    const uint64_t others = self->job.from.count + self->job.from.elsewhere - self->num_finite;
    self->counts[self->bins - 1] += self->num_outside - others;
    self->num_outside = others;
}

/* Round the ends of a range of floats to the elements' type, if the range does not become empty. So elements that are
 * printed as 0.1 are in a range that ends at 0.1. */
static void round_range(histogram *self, clprim_type type)
{
    uint64_t ends[] = {0, 0};
    self->begin = self->low;
    self->end = self->high;
    if (!number_is_float(type) || !self->job.options->range.is_given)
        return;
    (void)number_from_double(&ends[0], type, self->low);
    (void)number_from_double(&ends[1], type, self->high);
    const double low = number_to_double(type, &ends[0]);
    const double high = number_to_double(type, &ends[1]);
    if (isfinite(low) && isfinite(high) && low < high) {
        self->begin = low;
        self->end = high;
    }
}

/* Elements that are equal to the end of the range belong to the last bin. */
static cli_result begin_end(histogram *self)
{
    const clprim_type type = self->job.from.type;
    if (!number_from_double(&self->at, type, self->end) || number_to_double(type, &self->at) != self->end)
        return CLI_OK;
    return folds_begin_equal(&self->at_end, &self->job.device, type, &self->at);
}

static cli_result find_range(histogram *self)
{
    source *from = &self->job.from;
    clprim_indexed least;
    clprim_indexed greatest;
    cli_result result = CLI_OK;
    CLI_TRY(ranks_agree(source_keep(from)));
    CLI_TRY(folds_extremes(&least, &greatest, &self->num_finite, &self->job.device, from, CLPRIM_NAN_TOTAL, true));
    CLI_TRY(ranks_agree(source_rewind(from)));
    self->low = 0;
    self->high = 1; /* if there are no finite elements, any range will do */
    if (self->num_finite == 0)
        goto done;
    const double low = number_to_double(from->type, &least.value);
    const double high = number_to_double(from->type, &greatest.value);
    if (number_is_float(from->type))
        float_range(self, from->type, low, high);
    else
        integer_range(self, from->type, low, high);
done:
    return result;
}

static cli_result launch(void *user, stream_slot *slot)
{
    histogram *self = user;
    cli_result result = CLI_OK;
    CLI_CALL(clprim_histogram_enqueue(
        self->plan, self->job.device.queue,
        &(clprim_histogram_call){
            .in = {slot->in}, .count = slot->count, .out = {self->out}, .outside_out = {self->outside}},
        0, NULL, self->at_end.count == 0 ? &slot->done : NULL));
    if (self->at_end.count > 0)
        CLI_TRY(folds_launch(&self->at_end, slot, &slot->done));
done:
    return result;
}

/* The bins stay on the device, where later pieces are added to them. */
static cli_result fold(void *user, stream_slot *slot)
{
    histogram *self = user;
    uint64_t count = 0;
    if (self->at_end.count > 0)
        memcpy(&count, &self->at_end.each[0].results[slot->number], sizeof count);
    self->num_at_end += count;
    return CLI_OK;
}

/* Errors in the plan come from the command line. */
static cli_result make_plan(histogram *self)
{
    const clprim_histogram_desc desc = {.type = self->job.from.type,
                                        .mapping = CLPRIM_HISTOGRAM_EVEN,
                                        .bins = self->bins,
                                        .low = self->begin,
                                        .high = self->end,
                                        .counter_type = CLPRIM_U64,
                                        .accumulate = true};
    const clprim_status status = clprim_histogram_create(&self->plan, self->job.device.runtime, &desc);
    if (status == CLPRIM_INVALID_ARGUMENT)
        return cli_refuse(self->job.from.name, "%s", clprim_last_error());
    return status == CLPRIM_SUCCESS ? CLI_OK : cli_device_failed("clprim_histogram_create(", status);
}

static cli_result run(histogram *self)
{
    const cli_device *device = &self->job.device;
    const size_t size = self->job.from.size;
    const size_t bytes = self->bins * sizeof(cl_ulong);
    const cl_ulong zero = 0;
    const size_t most = cli_device_piece(device, 2 * size, size);
    size_t capacity = 0;
    cli_result result = CLI_OK;
    self->counts = calloc(self->bins, sizeof *self->counts);
    if (self->counts == NULL)
        return cli_refuse(self->job.from.name, "out of memory for %zu bins", self->bins);
    CLI_TRY(make_plan(self));
    if (self->job.options->range.is_given)
        CLI_TRY(begin_end(self));
    CLI_TRY(cli_device_reserve(&self->out, &capacity, device, bytes));
    CLI_TRY(cli_device_reserve(&self->outside, &capacity, device, sizeof zero));
    CLI_CALL(clEnqueueFillBuffer(device->queue, self->out, &zero, sizeof zero, 0, bytes, 0, NULL, NULL));
    CLI_CALL(clEnqueueFillBuffer(device->queue, self->outside, &zero, sizeof zero, 0, sizeof zero, 0, NULL, NULL));
    CLI_TRY(stream_run(device, &self->job.from, "histogram",
                       &(stream_work){.piece = most < STREAM_PIECE_BYTES / size ? most : STREAM_PIECE_BYTES / size,
                                      .num_slots = STREAM_MOST_SLOTS,
                                      .launch = launch,
                                      .fold = fold,
                                      .user = self}));
    CLI_CALL(clEnqueueReadBuffer(device->queue, self->out, CL_TRUE, 0, bytes, self->counts, 0, NULL, NULL));
    CLI_CALL(
        clEnqueueReadBuffer(device->queue, self->outside, CL_TRUE, 0, sizeof zero, &self->num_outside, 0, NULL, NULL));
    self->counts[self->bins - 1] += self->num_at_end;
    self->num_outside -= self->num_at_end;
done:
    return result;
}

static void print_edges(json *object, const axis *edges)
{
    char text[AXIS_LABEL_SIZE];
    axis_exact(text, edges, 0);
    json_key(object, "low");
    printf("%s", text);
    axis_exact(text, edges, edges->bins);
    json_key(object, "high");
    printf("%s", text);
    json_key(object, "edges");
    for (size_t i = 0; i <= edges->bins; i++) {
        axis_exact(text, edges, i);
        printf("%s%s", i > 0 ? ", " : "[", text);
    }
    (void)putchar(']');
}

/* Write the result where the options say; by default, draw a picture on standard output. */
static cli_result show(histogram *self)
{
    const cli_options *options = self->job.options;
    const histogram_picture picture = {
        cli_input_name(options->file), self->counts,
        axis_of(!number_is_float(self->job.from.type), self->bins, self->low, self->high), self->num_outside};
    cli_result result = CLI_OK;
    cli_progress_end();
    if (options->svg != NULL)
        CLI_TRY(histogram_write_svg(&picture, options->svg));
    if (options->output == NULL && !options->json) {
        histogram_print(&picture);
        return CLI_OK;
    }
    array_begin_object(&self->job, CLPRIM_U64);
    if (options->json) {
        print_edges(&self->job.object, &picture.axis);
        json_member_count(&self->job.object, "outside", self->num_outside);
    }
    CLI_TRY(array_open_sink(&self->job, CLPRIM_U64, self->bins, NULL));
    CLI_TRY(sink_write(&self->job.to, self->counts, NULL, self->bins));
    CLI_TRY(array_finish(&self->job));
done:
    return result;
}

cli_result cli_histogram(const cli_options *options)
{
    histogram self = {.bins = options->bins, .low = options->range.low, .high = options->range.high};
    cli_result result = CLI_OK;
    CLI_TRY(array_begin(&self.job, options));
    if (!options->range.is_given)
        CLI_TRY(find_range(&self));
    round_range(&self, self.job.from.type);
    if (self.bins == 0) {
        const bool is_narrow = !number_is_float(self.job.from.type) && self.high - self.low < (double)USUAL_BINS;
        self.bins = is_narrow ? (size_t)(self.high - self.low) : USUAL_BINS;
        self.bins = self.bins > 0 ? self.bins : 1;
    }
    CLI_TRY(ranks_agree(run(&self)));
    ranks_add(self.counts, self.bins);
    ranks_add(&self.num_outside, 1);
    if (!options->range.is_given && number_is_float(self.job.from.type))
        take_greatest(&self);
    if (ranks_rank() == 0)
        CLI_TRY(show(&self));
done:
    folds_end(&self.at_end);
    free(self.counts);
    cli_device_release(self.out);
    cli_device_release(self.outside);
    clprim_plan_destroy(self.plan);
    array_end(&self.job);
    return result;
}

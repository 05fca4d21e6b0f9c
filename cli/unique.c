/* unique.c: `clprim unique`: chunks are sorted and their runs of equal elements counted on the device; what is left of
 * more than one is merged here. */
#include <clprim/radix_sort.h>
#include <clprim/run_length_encode.h>
#include <stdlib.h>

#include "array.h"
#include "runs.h"
#include "stream.h"

typedef struct unique {
    array_job job;
    sink counts_to; /* with --counts */
    clprim_plan *sort;
    clprim_plan *encode;
    cl_mem values, lengths, number; /* of a chunk */
    size_t values_size, lengths_size, number_size;
    cl_uint num_values;
    uint32_t *host_lengths;
    uint64_t *host_counts;
    size_t capacity; /* of both on the host */
    runs runs;
    bool has_runs;
} unique;

static cli_result launch(void *user, stream_slot *slot)
{
    unique *self = user;
    const cli_device *device = &self->job.device;
    const size_t n = slot->count;
    cli_result result = CLI_OK;
    CLI_TRY(cli_device_reserve(&self->values, &self->values_size, device, n * self->job.from.size));
    CLI_TRY(cli_device_reserve(&self->lengths, &self->lengths_size, device, n * sizeof(cl_uint)));
    CLI_TRY(cli_device_reserve(&self->number, &self->number_size, device, sizeof(cl_uint)));
    CLI_CALL(clprim_radix_sort_enqueue(
        self->sort, device->queue, &(clprim_radix_sort_call){.keys_in = {slot->in}, .count = n, .keys_out = {slot->in}},
        0, NULL, NULL));
    CLI_CALL(clprim_run_length_encode_enqueue(self->encode, device->queue,
                                              &(clprim_run_length_encode_call){.in = {slot->in},
                                                                               .count = n,
                                                                               .out = {self->values},
                                                                               .lengths_out = {self->lengths},
                                                                               .out_count = {self->number}},
                                              0, NULL, NULL));
    CLI_CALL(clEnqueueReadBuffer(device->queue, self->number, CL_FALSE, 0, sizeof self->num_values, &self->num_values,
                                 0, NULL, &slot->done));
done:
    return result;
}

static cli_result write_out(void *user, const void *values, const uint64_t *counts, size_t count)
{
    unique *self = user;
    cli_result result = CLI_OK;
    CLI_TRY(sink_write(&self->job.to, values, counts, count));
    if (self->job.options->counts != NULL)
        CLI_TRY(sink_write(&self->counts_to, counts, NULL, count));
done:
    return result;
}

/* As many values and counts as there are; the values go where the elements were. */
static cli_result fetch(unique *self, stream_slot *slot, size_t count)
{
    cl_command_queue queue = self->job.device.queue;
    cli_result result = CLI_OK;
    if (count > self->capacity) {
        free(self->host_lengths);
        free(self->host_counts);
        self->host_lengths = malloc(count * sizeof *self->host_lengths);
        self->host_counts = malloc(count * sizeof *self->host_counts);
        self->capacity = self->host_lengths != NULL && self->host_counts != NULL ? count : 0;
        if (self->capacity == 0) {
            result = cli_refuse(self->job.from.name, "out of memory; give a smaller --memory");
            goto done;
        }
    }
    CLI_CALL(
        clEnqueueReadBuffer(queue, self->values, CL_TRUE, 0, count * self->job.from.size, slot->host, 0, NULL, NULL));
    CLI_CALL(clEnqueueReadBuffer(queue, self->lengths, CL_TRUE, 0, count * sizeof(cl_uint), self->host_lengths, 0, NULL,
                                 NULL));
    for (size_t i = 0; i < count; i++)
        self->host_counts[i] = self->host_lengths[i];
done:
    return result;
}

static cli_result fold(void *user, stream_slot *slot)
{
    unique *self = user;
    const size_t count = (size_t)self->num_values;
    cli_result result = CLI_OK;
    CLI_TRY(fetch(self, slot, count));
    if (slot->is_last && !self->has_runs)
        return write_out(self, slot->host, self->host_counts, count);
    if (!self->has_runs) {
        self->has_runs = true;
        CLI_TRY(runs_begin(&self->runs, self->job.from.type, self->job.options->nan, false, true, true));
    }
    CLI_TRY(runs_add(&self->runs, slot->host, self->host_counts, count));
done:
    return result;
}

static cli_result run(unique *self)
{
    const source *from = &self->job.from;
    const clprim_radix_sort_desc sort_of = {.key_type = from->type, .nan_order = self->job.options->nan};
    const clprim_run_length_encode_desc runs_of = {.type = from->type};
    const size_t bytes = 3 * from->size + 2 * sizeof(cl_uint) + 1; /* elements, the sort's memory, values, lengths */
    const size_t widest = from->size > sizeof(cl_uint) ? from->size : sizeof(cl_uint);
    cli_result result = CLI_OK;
    CLI_CALL(clprim_radix_sort_create(&self->sort, self->job.device.runtime, &sort_of));
    CLI_CALL(clprim_run_length_encode_create(&self->encode, self->job.device.runtime, &runs_of));
    CLI_TRY(stream_run(&self->job.device, &self->job.from, "unique",
                       &(stream_work){.chunk = cli_device_chunk(&self->job.device, bytes, widest),
                                      .num_slots = 1,
                                      .launch = launch,
                                      .fold = fold,
                                      .user = self}));
    if (self->has_runs)
        CLI_TRY(runs_merge(&self->runs, self->job.device.memory, write_out, self));
done:
    return result;
}

cli_result cli_unique(const cli_options *options)
{
    unique self = {.counts_to = SINK_NONE};
    cli_result result = CLI_OK;
    CLI_TRY(array_begin(&self.job, options));
    if (options->counts != NULL)
        CLI_TRY(sink_open_file(&self.counts_to, options, options->counts, CLPRIM_U64, false, SIZE_MAX));
    CLI_TRY(array_open_sink(&self.job, self.job.from.type, SIZE_MAX, options->with_counts ? "count" : NULL));
    CLI_TRY(run(&self));
    if (options->counts != NULL)
        CLI_TRY(sink_finish(&self.counts_to));
    CLI_TRY(array_finish(&self.job));
done:
    runs_end(&self.runs);
    free(self.host_lengths);
    free(self.host_counts);
    cli_device_release(self.values);
    cli_device_release(self.lengths);
    cli_device_release(self.number);
    clprim_plan_destroy(self.encode);
    clprim_plan_destroy(self.sort);
    sink_abandon(&self.counts_to);
    array_end(&self.job);
    return result;
}

/* sort.c: `clprim sort`: each chunk by a radix sort on the device; where there is more than one, these are runs that
 * are merged here. */
#include <clprim/radix_sort.h>
#include <stdlib.h>

#include "array.h"
#include "runs.h"
#include "stream.h"

typedef struct sort {
    array_job job;
    bool indices;
    clprim_plan *plan;
    cl_mem places; /* the indices in a chunk */
    size_t places_size;
    uint32_t *host_places;
    uint64_t *host_indices;
    size_t capacity; /* of both on the host */
    runs runs;
    bool has_runs;
} sort;

static cli_result give_indices(sort *self, size_t count)
{
    if (count <= self->capacity)
        return CLI_OK;
    free(self->host_places);
    free(self->host_indices);
    self->host_places = malloc(count * sizeof *self->host_places);
    self->host_indices = malloc(count * sizeof *self->host_indices);
    self->capacity = self->host_places != NULL && self->host_indices != NULL ? count : 0;
    return self->capacity > 0 ? CLI_OK : cli_refuse(self->job.from.name, "out of memory; give a smaller --memory");
}

static cli_result launch(void *user, stream_slot *slot)
{
    sort *self = user;
    const cli_device *device = &self->job.device;
    const size_t n = slot->count;
    cli_result result = CLI_OK;
    if (self->indices) {
        CLI_TRY(give_indices(self, n));
        CLI_TRY(cli_device_reserve(&self->places, &self->places_size, device, n * sizeof(cl_uint)));
        CLI_CALL(clprim_radix_sort_enqueue(
            self->plan, device->queue,
            &(clprim_radix_sort_call){
                .keys_in = {slot->in}, .count = n, .keys_out = {slot->in}, .values_out = {self->places}},
            0, NULL, NULL));
        CLI_CALL(clEnqueueReadBuffer(device->queue, self->places, CL_FALSE, 0, n * sizeof(cl_uint), self->host_places,
                                     0, NULL, NULL));
    } else {
        CLI_CALL(clprim_radix_sort_enqueue(
            self->plan, device->queue,
            &(clprim_radix_sort_call){.keys_in = {slot->in}, .count = n, .keys_out = {slot->in}}, 0, NULL, NULL));
    }
    CLI_CALL(clEnqueueReadBuffer(device->queue, slot->in, CL_FALSE, 0, n * self->job.from.size, slot->host, 0, NULL,
                                 &slot->done));
done:
    return result;
}

static cli_result write_out(void *user, const void *keys, const uint64_t *indices, size_t count)
{
    sort *self = user;
    return sink_write(&self->job.to, self->indices ? (const void *)indices : keys, NULL, count);
}

static cli_result fold(void *user, stream_slot *slot)
{
    sort *self = user;
    cli_result result = CLI_OK;
    if (self->indices)
        for (size_t i = 0; i < slot->count; i++)
            self->host_indices[i] = slot->first + self->host_places[i];
    if (slot->is_last && !self->has_runs)
        return write_out(self, slot->host, self->host_indices, slot->count);
    if (!self->has_runs) {
        self->has_runs = true;
        CLI_TRY(runs_begin(&self->runs, self->job.from.type, self->job.options->nan, self->job.options->descending,
                           self->indices, false));
    }
    CLI_TRY(runs_add(&self->runs, slot->host, self->host_indices, slot->count));
done:
    return result;
}

static cli_result run(sort *self)
{
    const source *from = &self->job.from;
    const clprim_radix_sort_desc desc = {.key_type = from->type,
                                         .argsort = self->indices,
                                         .descending = self->job.options->descending,
                                         .nan_order = self->job.options->nan};
    /* Where they are, and the sort's memory: room for all once more and some per cent. */
    const size_t bytes = 2 * (from->size + (self->indices ? sizeof(cl_uint) : 0));
    const size_t widest = from->size > sizeof(cl_uint) ? from->size : sizeof(cl_uint);
    cli_result result = CLI_OK;
    CLI_CALL(clprim_radix_sort_create(&self->plan, self->job.device.runtime, &desc));
    CLI_TRY(stream_run(&self->job.device, &self->job.from, "sort",
                       &(stream_work){.chunk = cli_device_chunk(&self->job.device, bytes + bytes / 8 + 1, widest),
                                      .num_slots = 1,
                                      .launch = launch,
                                      .fold = fold,
                                      .user = self}));
    if (self->has_runs)
        CLI_TRY(runs_merge(&self->runs, self->job.device.memory, write_out, self));
done:
    return result;
}

cli_result cli_sort(const cli_options *options)
{
    sort self = {.indices = options->indices};
    cli_result result = CLI_OK;
    CLI_TRY(array_begin(&self.job, options));
    if (self.indices)
        CLI_TRY(source_needs_order(&self.job.from));
    CLI_TRY(array_open_sink(&self.job, self.indices ? CLPRIM_U64 : self.job.from.type, self.job.from.count, NULL));
    CLI_TRY(run(&self));
    CLI_TRY(array_finish(&self.job));
done:
    runs_end(&self.runs);
    free(self.host_places);
    free(self.host_indices);
    cli_device_release(self.places);
    clprim_plan_destroy(self.plan);
    array_end(&self.job);
    return result;
}

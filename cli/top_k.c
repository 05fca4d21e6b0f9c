// SPDX-License-Identifier: MIT
/* top_k.c: `clprim top-k`: the device finds the first k elements of each piece; the host merges them with the first k
 * of the pieces before. */
#include <clprim/top_k.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "number.h"
#include "stream.h"

/* Elements in order, with their indices. */
typedef struct list {
    unsigned char *keys;
    uint64_t *indices;
    size_t count;
} list;

typedef struct top_k {
    array_job job;
    clprim_key_order order;
    size_t k;     /* of the whole array */
    size_t share; /* the largest k of a piece */
    clprim_plan *plan;
    cl_mem keys[STREAM_MOST_SLOTS];
    cl_mem places[STREAM_MOST_SLOTS];
    unsigned char *host_keys[STREAM_MOST_SLOTS];
    uint32_t *host_places[STREAM_MOST_SLOTS];
    list best;
} top_k;

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static cli_result launch(void *user, stream_slot *slot)
{
    top_k *self = user;
    cl_command_queue queue = self->job.device.queue;
    const unsigned at = slot->number;
    const size_t count = smaller(self->share, slot->count);
    cli_result result = CLI_OK;
    CLI_CALL(clprim_top_k_enqueue(self->plan, queue,
                                  &(clprim_top_k_call){.keys_in = {slot->in},
                                                       .count = slot->count,
                                                       .keys_out = {self->keys[at]},
                                                       .values_out = {self->places[at]}},
                                  0, NULL, NULL));
    CLI_CALL(clEnqueueReadBuffer(queue, self->keys[at], CL_FALSE, 0, count * self->job.from.size, self->host_keys[at],
                                 0, NULL, NULL));
    CLI_CALL(clEnqueueReadBuffer(queue, self->places[at], CL_FALSE, 0, count * sizeof(cl_uint), self->host_places[at],
                                 0, NULL, &slot->done));
done:
    return result;
}

/* Merge the first k elements so far with those of the piece. Among equal elements, those of the piece come after the
 * earlier ones. */
static cli_result fold(void *user, stream_slot *slot)
{
    top_k *self = user;
    const size_t size = self->job.from.size;
    const unsigned char *keys = self->host_keys[slot->number];
    const uint32_t *places = self->host_places[slot->number];
    const size_t theirs = smaller(self->share, slot->count);
    list *best = &self->best;
    list merged = {.count = smaller(self->k, best->count + theirs)};
    merged.keys = malloc(merged.count * size);
    merged.indices = malloc(merged.count * sizeof *merged.indices);
    if (merged.keys == NULL || merged.indices == NULL) {
        free(merged.keys);
        free(merged.indices);
        return cli_refuse(self->job.from.name, "out of memory for %zu elements", merged.count);
    }
    for (size_t i = 0, a = 0, b = 0; i < merged.count; i++) {
        const bool is_ours = b == theirs || (a < best->count && number_place(&self->order, best->keys + a * size) <=
                                                                    number_place(&self->order, keys + b * size));
        memcpy(merged.keys + i * size, is_ours ? best->keys + a * size : keys + b * size, size);
        merged.indices[i] = is_ours ? best->indices[a] : slot->first + places[b];
        a += is_ours ? 1 : 0;
        b += is_ours ? 0 : 1;
    }
    free(best->keys);
    free(best->indices);
    *best = merged;
    return CLI_OK;
}

static cli_result run(top_k *self, size_t piece)
{
    const cli_device *device = &self->job.device;
    const size_t size = self->job.from.size;
    const clprim_top_k_desc desc = {.key_type = self->job.from.type,
                                    .k = self->share,
                                    .smallest = self->job.options->smallest,
                                    .nan_order = self->job.options->nan,
                                    .indices = true};
    cli_result result = CLI_OK;
    CLI_CALL(clprim_top_k_create(&self->plan, device->runtime, &desc));
    for (size_t i = 0; i < STREAM_MOST_SLOTS; i++) {
        size_t capacity = 0;
        CLI_TRY(cli_device_reserve(&self->keys[i], &capacity, device, self->share * size));
        capacity = 0;
        CLI_TRY(cli_device_reserve(&self->places[i], &capacity, device, self->share * sizeof(cl_uint)));
        self->host_keys[i] = malloc(self->share * size);
        self->host_places[i] = malloc(self->share * sizeof *self->host_places[i]);
        if (self->host_keys[i] == NULL || self->host_places[i] == NULL) {
            result = cli_refuse(self->job.from.name, "out of memory for %zu elements", self->share);
            goto done;
        }
    }
    CLI_TRY(stream_run(
        device, &self->job.from, "top-k",
        &(stream_work){.piece = piece, .num_slots = STREAM_MOST_SLOTS, .launch = launch, .fold = fold, .user = self}));
done:
    return result;
}

static void end(top_k *self)
{
    for (size_t i = 0; i < STREAM_MOST_SLOTS; i++) {
        cli_device_release(self->keys[i]);
        cli_device_release(self->places[i]);
        free(self->host_keys[i]);
        free(self->host_places[i]);
    }
    clprim_plan_destroy(self->plan);
    free(self->best.keys);
    free(self->best.indices);
    array_end(&self->job);
}

cli_result cli_top_k(const cli_options *options)
{
    top_k self = {.k = options->k};
    const source *from = &self.job.from;
    const bool indices = options->indices;
    cli_result result = CLI_OK;
    CLI_TRY(array_begin(&self.job, options));
    CLI_TRY(source_needs_order(from));
    /* Each slot needs memory for a piece and, if k is large, twice the same again for the elements that are found. */
    const size_t piece = smaller(cli_device_piece(&self.job.device, 5 * (from->size + sizeof(cl_uint)), 8),
                                 STREAM_PIECE_BYTES / from->size);
    self.share = smaller(smaller(self.k, piece), from->count > 0 ? from->count : 1);
    self.order =
        (clprim_key_order){.key_type = from->type, .descending = !options->smallest, .nan_order = options->nan};
    CLI_TRY(run(&self, piece));
    CLI_TRY(array_open_sink(&self.job, indices ? CLPRIM_U64 : from->type, self.best.count, indices ? NULL : "index"));
    CLI_TRY(sink_write(&self.job.to, indices ? (const void *)self.best.indices : self.best.keys, self.best.indices,
                       self.best.count));
    CLI_TRY(array_finish(&self.job));
done:
    end(&self);
    return result;
}

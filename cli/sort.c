// SPDX-License-Identifier: MIT
/* sort.c: `clprim sort`: a radix sort of the whole file. The library runs it in pieces if the file does not fit the
 * device. Several ranks (ranks.h) sort a file together. */
#include <clprim/distributed.h>
#include <string.h>

#include "array.h"
#include "ranks.h"

typedef struct sort {
    array_job job;
    storage memory;
    const void *keys;
    void *out;
    size_t room;    /* elements of the result that this rank gets; with a single rank, all */
    void *unwanted; /* memory for the sorted keys, if only their indices are wanted */
} sort;

static cli_result take_memory(sort *self)
{
    source *from = &self->job.from;
    sink *to = &self->job.to;
    cli_result result = CLI_OK;
    CLI_TRY(source_take(from, &self->memory, &self->keys));
    self->room = from->count; /* even for a pipe, the count is known now */
    CLI_TRY(to->is_part ? sink_take_part(to, &self->room, &self->out)
                        : sink_take(to, &self->memory, self->room, &self->out));
    if (self->job.options->indices) {
        self->unwanted = storage_take(&self->memory, self->room * from->size);
        result = self->unwanted != NULL ? CLI_OK : CLI_REFUSED;
    }
done:
    return result;
}

static cli_result run(sort *self)
{
    const cli_options *options = self->job.options;
    const source *from = &self->job.from;
    clprim_runtime *runtime = self->job.device.runtime;
    clprim_radix_sort_desc desc = {.key_type = from->type,
                                   .descending = options->descending,
                                   .nan_order = options->nan,
                                   .max_count = from->count > UINT32_MAX ? from->count : 0};
    clprim_radix_sort_call call = {.count = from->count};
    call.keys_in.host = (void *)(uintptr_t)self->keys; /* run does not write to it */
    call.keys_out.host = self->out;
    if (options->indices) {
        desc.argsort = true;
        desc.index_type = CLPRIM_U64;
        call.keys_out.host = self->unwanted;
        call.values_out.host = self->out;
    }
    const bool is_alone = ranks_size() == 1;
    const clprim_status status =
        is_alone ? clprim_radix_sort_run(runtime, &desc, &call)
                 : clprim_distributed_radix_sort(ranks_comm(), runtime, &desc, &call, &self->room, NULL);
    if (status == CLPRIM_SUCCESS)
        return sink_give(&self->job.to, NULL, self->room);
    return storage_failed(&self->memory, is_alone ? "clprim_radix_sort_run" : "clprim_distributed_radix_sort", status);
}

/* Check that several ranks can write the output: each writes its piece of one file. */
static cli_result check_output(const cli_options *options)
{
    if (options->output == NULL || strcmp(options->output, "-") == 0)
        return cli_refuse(NULL, "sort: several ranks write a file, not standard output: give --output FILE");
    if (options->text && !npy_is_name(options->output))
        return cli_refuse(NULL, "sort: several ranks write .npy and raw files, not text");
    return CLI_OK;
}

static cli_result prepare(sort *self)
{
    const bool is_order_wanted = self->job.options->indices;
    cli_result result = CLI_OK;
    CLI_TRY(storage_begin(&self->memory, &self->job.device));
    if (is_order_wanted)
        CLI_TRY(source_needs_order(&self->job.from));
    CLI_TRY(array_open_sink(&self->job, is_order_wanted ? CLPRIM_U64 : self->job.from.type,
                            self->job.from.count + self->job.from.elsewhere, NULL));
done:
    return result;
}

cli_result cli_sort(const cli_options *options)
{
    sort self = {.job = {.from = {.fd = -1, .copy = -1}, .to = SINK_NONE}};
    cli_result result = CLI_OK;
    if (ranks_size() > 1)
        CLI_TRY(check_output(options));
    CLI_TRY(array_begin(&self.job, options));
    CLI_TRY(ranks_agree(prepare(&self)));
    if (ranks_size() > 1)
        CLI_TRY(sink_share(&self.job.to));
    CLI_TRY(ranks_agree(take_memory(&self)));
    CLI_TRY(ranks_agree(run(&self)));
    CLI_TRY(array_finish(&self.job));
done:
    storage_give(&self.memory, self.unwanted, self.room * self.job.from.size);
    array_end(&self.job);
    return result;
}

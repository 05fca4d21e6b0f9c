/* sort.c: `clprim sort`: a radix sort of the whole file, which the library takes through the device in parts where it
 * does not fit. */
#include <clprim/radix_sort.h>

#include "array.h"

typedef struct sort {
    array_job job;
    storage memory;
    void *unwanted; /* sorted keys, where their indices are wanted */
} sort;

static cli_result run(sort *self)
{
    const cli_options *options = self->job.options;
    const source *from = &self->job.from;
    clprim_radix_sort_desc desc = {
        .key_type = from->type, .descending = options->descending, .nan_order = options->nan};
    clprim_radix_sort_call call = {.count = from->count};
    const void *keys = NULL;
    void *out = NULL;
    cli_result result = CLI_OK;
    CLI_TRY(source_take(&self->job.from, &self->memory, &keys));
    CLI_TRY(sink_take(&self->job.to, &self->memory, from->count, &out));
    desc.max_count = from->count > UINT32_MAX ? from->count : 0;
    call.count = from->count;
    call.keys_in.host = (void *)(uintptr_t)keys; /* which run does not write */
    call.keys_out.host = out;
    if (options->indices) {
        self->unwanted = storage_take(&self->memory, from->count * from->size);
        if (self->unwanted == NULL)
            return CLI_REFUSED;
        desc.argsort = true;
        desc.index_type = CLPRIM_U64;
        call.keys_out.host = self->unwanted;
        call.values_out.host = out;
    }
    const clprim_status status = clprim_radix_sort_run(self->job.device.runtime, &desc, &call);
    if (status != CLPRIM_SUCCESS)
        return storage_failed(&self->memory, "clprim_radix_sort_run", status);
    result = sink_give(&self->job.to, NULL, from->count);
done:
    return result;
}

cli_result cli_sort(const cli_options *options)
{
    sort self = {0};
    cli_result result = CLI_OK;
    CLI_TRY(array_begin(&self.job, options));
    CLI_TRY(storage_begin(&self.memory, &self.job.device));
    if (options->indices)
        CLI_TRY(source_needs_order(&self.job.from));
    CLI_TRY(array_open_sink(&self.job, options->indices ? CLPRIM_U64 : self.job.from.type, self.job.from.count, NULL));
    CLI_TRY(run(&self));
    CLI_TRY(array_finish(&self.job));
done:
    storage_give(&self.memory, self.unwanted, self.job.from.count * self.job.from.size);
    array_end(&self.job);
    return result;
}

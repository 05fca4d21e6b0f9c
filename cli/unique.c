// SPDX-License-Identifier: MIT
/* unique.c: `clprim unique`: sort the file, then keep one element of each run of equal elements. */
#include <clprim/radix_sort.h>
#include <clprim/run_length_encode.h>
#include <clprim/unique.h>

#include "array.h"

typedef struct unique {
    array_job job;
    sink counts_to; /* used with --counts */
    storage memory;
    void *sorted;
    void *counts; /* memory for the counts, if they are needed but not written as a separate array */
} unique;

/* The description's max_count, if the count does not fit its default of 32 bits. */
static size_t max_count_of(size_t count)
{
    return count > UINT32_MAX ? count : 0;
}

static cli_result sort(unique *self)
{
    const source *from = &self->job.from;
    const void *keys = NULL;
    cli_result result = CLI_OK;
    CLI_TRY(source_take(&self->job.from, &self->memory, &keys));
    self->sorted = storage_take(&self->memory, from->count * from->size);
    if (self->sorted == NULL)
        return CLI_REFUSED;
    const clprim_radix_sort_desc desc = {
        .key_type = from->type, .nan_order = self->job.options->nan, .max_count = max_count_of(from->count)};
    const clprim_radix_sort_call call = {.keys_in.host = (void *)(uintptr_t)keys, /* run does not write to it */
                                         .count = from->count,
                                         .keys_out.host = self->sorted};
    const clprim_status status = clprim_radix_sort_run(self->job.device.runtime, &desc, &call);
    if (status != CLPRIM_SUCCESS)
        result = storage_failed(&self->memory, "clprim_radix_sort_run", status);
done:
    return result;
}

/* Write the values without their counts. */
static cli_result keep_values(unique *self)
{
    const source *from = &self->job.from;
    const clprim_unique_desc desc = {
        .type = from->type, .index_type = CLPRIM_U64, .max_count = max_count_of(from->count)};
    uint64_t number = 0;
    void *values = NULL;
    cli_result result = CLI_OK;
    CLI_TRY(sink_take(&self->job.to, &self->memory, from->count, &values));
    const clprim_status status = clprim_unique_run(
        self->job.device.runtime, &desc,
        &(clprim_unique_call){
            .in.host = self->sorted, .count = from->count, .out.host = values, .out_count.host = &number});
    if (status != CLPRIM_SUCCESS)
        return storage_failed(&self->memory, "clprim_unique_run", status);
    result = sink_give(&self->job.to, NULL, (size_t)number);
done:
    return result;
}

static cli_result keep_counts(unique *self)
{
    const source *from = &self->job.from;
    const bool is_array = self->job.options->counts != NULL;
    const clprim_run_length_encode_desc desc = {
        .type = from->type, .index_type = CLPRIM_U64, .max_count = max_count_of(from->count)};
    uint64_t number = 0;
    void *values = NULL;
    void *counts = NULL;
    cli_result result = CLI_OK;
    CLI_TRY(sink_take(&self->job.to, &self->memory, from->count, &values));
    if (is_array)
        CLI_TRY(sink_take(&self->counts_to, &self->memory, from->count, &counts));
    else
        counts = self->counts = storage_take_some(&self->memory, from->count * sizeof number);
    if (counts == NULL)
        return CLI_REFUSED;
    const clprim_status status =
        clprim_run_length_encode_run(self->job.device.runtime, &desc,
                                     &(clprim_run_length_encode_call){.in.host = self->sorted,
                                                                      .count = from->count,
                                                                      .out.host = values,
                                                                      .lengths_out.host = counts,
                                                                      .out_count.host = &number});
    if (status != CLPRIM_SUCCESS)
        return storage_failed(&self->memory, "clprim_run_length_encode_run", status);
    CLI_TRY(sink_give(&self->job.to, counts, (size_t)number));
    if (is_array)
        CLI_TRY(sink_give(&self->counts_to, NULL, (size_t)number));
done:
    return result;
}

cli_result cli_unique(const cli_options *options)
{
    unique self = {.counts_to = SINK_NONE};
    cli_result result = CLI_OK;
    CLI_TRY(array_begin(&self.job, options));
    CLI_TRY(storage_begin(&self.memory, &self.job.device));
    if (options->counts != NULL)
        CLI_TRY(sink_open_file(&self.counts_to, options, options->counts, CLPRIM_U64, false, SIZE_MAX));
    CLI_TRY(array_open_sink(&self.job, self.job.from.type, SIZE_MAX, options->with_counts ? "count" : NULL));
    CLI_TRY(sort(&self));
    CLI_TRY(options->counts != NULL || options->with_counts ? keep_counts(&self) : keep_values(&self));
    if (options->counts != NULL)
        CLI_TRY(sink_finish(&self.counts_to));
    CLI_TRY(array_finish(&self.job));
done:
    storage_give(&self.memory, self.sorted, self.job.from.count * self.job.from.size);
    storage_give(&self.memory, self.counts, self.job.from.count * sizeof(uint64_t));
    sink_abandon(&self.counts_to);
    array_end(&self.job);
    return result;
}

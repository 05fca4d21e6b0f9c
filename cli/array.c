// SPDX-License-Identifier: MIT
/* array.c: code that all commands share whose result is an array. */
#include "array.h"

cli_result array_begin(array_job *out, const cli_options *options)
{
    cli_result result = CLI_OK;
    *out = (array_job){.options = options, .to = SINK_NONE};
    CLI_TRY(source_open(&out->from, options));
    CLI_TRY(cli_device_open(&out->device, options));
done:
    return result;
}

void array_begin_object(array_job *self, clprim_type type)
{
    if (!self->options->json)
        return;
    json_begin(&self->object);
    json_member_text(&self->object, "command", self->options->command);
    json_member_text(&self->object, "file", self->options->file);
    json_member_text(&self->object, "type", source_type_name(&self->from, self->from.type));
    json_member_text(&self->object, "value_type", source_type_name(&self->from, type));
}

cli_result array_open_sink(array_job *self, clprim_type type, size_t count, const char *second_name)
{
    if (!self->object.has_member)
        array_begin_object(self, type);
    return sink_open(&self->to, self->options, &self->from, type, count, second_name, &self->object);
}

cli_result array_finish(array_job *self)
{
    const size_t written = self->to.written;
    const cli_result result = sink_finish(&self->to);
    cli_progress_end();
    if (result == CLI_OK && self->options->json) {
        if (self->options->output != NULL)
            json_member_text(&self->object, "output", self->options->output);
        json_member_count(&self->object, "count", self->from.count + self->from.elsewhere);
        json_member_count(&self->object, "results", written);
        json_end(&self->object);
    }
    return result;
}

void array_end(array_job *self)
{
    sink_abandon(&self->to);
    cli_device_close(&self->device);
    source_close(&self->from);
}

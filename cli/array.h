// SPDX-License-Identifier: MIT
/* array.h: code that all commands share whose result is an array. */
#ifndef CLPRIM_CLI_ARRAY_H
#define CLPRIM_CLI_ARRAY_H

#include "cli.h"
#include "json.h"
#include "sink.h"
#include "source.h"

/* A command that reads a file, uses a device, and writes to a sink. */
typedef struct array_job {
    const cli_options *options;
    source from;
    cli_device device;
    sink to;
    json object; /* used with --json */
} array_job;

/* Open the input and the device. *out must be ended even after an error. */
cli_result array_begin(array_job *out, const cli_options *options);

/* With --json: begin the object, if there are members to write before the array. */
void array_begin_object(array_job *self, clprim_type type);

/* Open the output and, with --json, the JSON object around it. See sink_open. */
cli_result array_open_sink(array_job *self, clprim_type type, size_t count, const char *second_name);

/* Close both after everything is written. In JSON, "count" is the number of elements read, and "results" the number
 * written. */
cli_result array_finish(array_job *self);

void array_end(array_job *self);

#endif

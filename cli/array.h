/* array.h: what the commands whose result is an array have in common. */
#ifndef CLPRIM_CLI_ARRAY_H
#define CLPRIM_CLI_ARRAY_H

#include "cli.h"
#include "json.h"
#include "sink.h"
#include "source.h"

/* From a file over a device to a sink. */
typedef struct array_job {
    const cli_options *options;
    source from;
    cli_device device;
    sink to;
    json object; /* with --json */
} array_job;

/* Open the input and the device. *out is to be ended in any case. */
cli_result array_begin(array_job *out, const cli_options *options);

/* With --json: begin the object, where there is more to put in before the array. */
void array_begin_object(array_job *self, clprim_type type);

/* Open the output, and the JSON object around it. See sink_open. */
cli_result array_open_sink(array_job *self, clprim_type type, size_t count, const char *second_name);

/* Close both, when all is written: as "count" how many elements were read, and as "results" how many written. */
cli_result array_finish(array_job *self);

void array_end(array_job *self);

#endif

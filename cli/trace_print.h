/* trace_print.h: show a recording, as text or as JSON. */
#ifndef CLPRIM_CLI_TRACE_PRINT_H
#define CLPRIM_CLI_TRACE_PRINT_H

#include "recording.h"

/* What was run, and how its work-items are grouped in the picture. */
typedef struct traced {
    const char *operation, *variant, *device;
    const int32_t *values, *results;
    size_t num_values, num_results;
    unsigned group_size, lanes, banks;
    recording recording;
} traced;

void trace_print_text(const traced *self);
void trace_print_json(const traced *self);

#endif

// SPDX-License-Identifier: MIT
/* trace_print.h: show a recording, as text or as JSON. */
#ifndef CLPRIM_CLI_TRACE_PRINT_H
#define CLPRIM_CLI_TRACE_PRINT_H

#include <stdio.h>

#include "trace_record.h"

enum { TRACED_MOST_PROGRAMS = 8 };

/* What was run, and how its work-items are grouped in the picture. */
typedef struct traced {
    const char *operation, *variant, *device;
    const int32_t *values, *results, *expected;
    size_t num_values, num_results;
    unsigned group_size, lanes, banks;
    recording recording;
    char *programs[TRACED_MOST_PROGRAMS]; /* texts, as the library compiles them; the rest is NULL */
} traced;

void trace_print_text(const traced *self);
void trace_write_json(FILE *stream, const traced *self);
/* Instead, of a variant that the device cannot run. */
void trace_write_refusal(FILE *stream, const traced *self, const char *reason);
/* A row for each access, with the work-items as columns (trace_svg.c). */
void trace_write_svg(FILE *stream, const traced *self);

/* For both. */
const char *trace_kernel(const traced *self, size_t first); /* of the launch whose first access this is */
const site *trace_site(const traced *self, const access *one);
/* "a[i]", "(a + b)[i]", or "p" where the index is not known. */
enum { TRACE_PLACE_SIZE = 160 };
void trace_place(char out[TRACE_PLACE_SIZE], const site *where);
extern const char *const trace_verbs[]; /* by site_kind */

#endif

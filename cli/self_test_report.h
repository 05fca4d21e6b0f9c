// SPDX-License-Identifier: MIT
/* self_test_report.h: the file of `clprim self-test --report`, for developers who support drivers that they do not
 * have. It is meant to be published, so it never contains names of users, machines or directories. */
#ifndef CLPRIM_CLI_SELF_TEST_REPORT_H
#define CLPRIM_CLI_SELF_TEST_REPORT_H

#include <clprim/self_test.h>

#include "output.h"

typedef struct self_test_report {
    output file;
    const clprim_runtime *runtime;
    size_t numbers[CLPRIM_SELF_TEST_UNSUPPORTED + 1]; /* number of plans for each outcome */
    FILE *speeds_stream;                              /* a temporary file of what follows the plans */
    size_t num_speeds;
} self_test_report;

/* A report that is not open: nothing is written to it, and abandoning it does nothing. */
#define SELF_TEST_REPORT_NONE ((self_test_report){.file = OUTPUT_NONE})

/* *out must be abandoned even after an error. */
cli_result self_test_report_open(self_test_report *out, const cli_options *options, const clprim_runtime *runtime);
void self_test_report_plan(self_test_report *self, const clprim_self_test_record *record, const char *outcome);
void self_test_report_speed(self_test_report *self, const clprim_self_test_speed *speed);
/* error: why the self-test ended early; NULL: it did not. */
cli_result self_test_report_finish(self_test_report *self, const char *error);
void self_test_report_abandon(self_test_report *self);

#endif

/* runs.h: what is larger than memory is sorted in runs, which wait in temporary files and are then merged. */
#ifndef CLPRIM_CLI_RUNS_H
#define CLPRIM_CLI_RUNS_H

#include "cli.h"
#include "source.h"

typedef struct runs {
    clprim_type type;
    clprim_nan_order nan;
    bool descending;
    bool joins; /* of elements that are equal one remains, with the sum of their second values */
    size_t size;
    int keys; /* files; -1: not open */
    int seconds;
    bool has_seconds;
    size_t end; /* elements in the files */
    struct run {
        size_t first;
        size_t count;
    } * list;
    size_t num_runs;
    size_t capacity;
} runs;

typedef cli_result (*runs_emit)(void *user, const void *keys, const uint64_t *seconds, size_t count);

/* *out is to be ended in any case. has_seconds: a u64 goes with each element; needed where they are joined. */
cli_result runs_begin(runs *out, clprim_type type, clprim_nan_order nan, bool descending, bool has_seconds, bool joins);
void runs_end(runs *self);

/* One more run, in order. */
cli_result runs_add(runs *self, const void *keys, const uint64_t *seconds, size_t count);

/* All of them as one, in parts. Of equal elements those of earlier runs come first. `memory` bytes are taken. */
cli_result runs_merge(runs *self, size_t memory, runs_emit emit, void *user);

#endif

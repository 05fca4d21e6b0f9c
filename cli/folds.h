// SPDX-License-Identifier: MIT
/* folds.h: reductions of the pieces that are sent to the device. */
#ifndef CLPRIM_CLI_FOLDS_H
#define CLPRIM_CLI_FOLDS_H

#include <clprim/reduce.h>

#include "cli.h"
#include "stream.h"

enum { FOLDS_MOST = 3 };

/* Several reductions of the same pieces. Each has one result per slot. */
typedef struct folds {
    const cli_device *device;
    size_t count;
    struct fold {
        clprim_plan *plan;
        size_t result_size;
        const void
            *number; /* a number of the elements' type, the second argument of an expression whose first argument is the
                      * elements; or NULL */
        cl_mem out[STREAM_MOST_SLOTS];
        clprim_indexed results[STREAM_MOST_SLOTS]; /* their first bytes hold the result */
    } each[FOLDS_MOST];
} folds;

/* *out must be ended even after an error. result_sizes are in bytes. */
cli_result folds_begin(folds *out, const cli_device *device, const clprim_reduce_desc *descs,
                       const size_t *result_sizes, size_t count);
/* Begin a single fold, which counts the elements that are equal to *number. The caller keeps *number valid. Results
 * have type U64. */
cli_result folds_begin_equal(folds *out, const cli_device *device, clprim_type type, const void *number);
void folds_end(folds *self);

/* Enqueue all folds, and copy their results to the host. *done receives the last command's event. */
cli_result folds_launch(folds *self, const stream_slot *slot, cl_event *done);

/* Find the extremes of an array, over the pieces of all ranks. *count receives the number of elements that were
 * considered; if it is 0, *least and *greatest are not set. nan: as in clprim_reduce_desc. finite: ignore infinities
 * and NaNs. Collective. */
cli_result folds_extremes(clprim_indexed *least, clprim_indexed *greatest, size_t *count, const cli_device *device,
                          source *from, clprim_nan_order nan, bool finite);

#endif

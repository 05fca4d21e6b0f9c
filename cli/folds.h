/* folds.h: reductions of the chunks that go through the device. */
#ifndef CLPRIM_CLI_FOLDS_H
#define CLPRIM_CLI_FOLDS_H

#include <clprim/reduce.h>

#include "cli.h"
#include "stream.h"

enum { FOLDS_MOST = 3 };

/* Several reductions of the same chunks, each with a result for each slot. */
typedef struct folds {
    const cli_device *device;
    size_t count;
    struct fold {
        clprim_plan *plan;
        size_t result_size;
        const void
            *number; /* of the elements' type: the second argument of a text, whose first are the elements; or NULL */
        cl_mem out[STREAM_MOST_SLOTS];
        clprim_indexed results[STREAM_MOST_SLOTS]; /* their bytes from the first one on */
    } each[FOLDS_MOST];
} folds;

/* *out is to be ended in any case. result_sizes: bytes. */
cli_result folds_begin(folds *out, const cli_device *device, const clprim_reduce_desc *descs,
                       const size_t *result_sizes, size_t count);
/* One fold, which counts the elements that are equal to *number, which the caller keeps; its results are of U64. */
cli_result folds_begin_equal(folds *out, const cli_device *device, clprim_type type, const void *number);
void folds_end(folds *self);

/* All of them, and their results to the host; *done gets the last one's event. */
cli_result folds_launch(folds *self, const stream_slot *slot, cl_event *done);

/* Collective: the extremes of an array, of all ranks' parts; *count elements were found, and where there are none
 * nothing else. nan: as in clprim_reduce_desc. finite: of those that are neither infinite nor NaN. */
cli_result folds_extremes(clprim_indexed *least, clprim_indexed *greatest, size_t *count, const cli_device *device,
                          source *from, clprim_nan_order nan, bool finite);

#endif

/* plan_sort.h: sorts of arrays on the host that do not fit the device.
 *
 * First, parts of the arrays are sorted on the device into runs, which lie in memory of the host. Then, for each range
 * of ranks that fits the device, the pieces of all runs that have these ranks (clprim_runs_split) are sorted there once
 * more, and go to their places in the outputs. Pieces are uploaded in the order of their runs, so a stable sort stays
 * stable.
 *
 * All of it follows from the operation's table. The input `keys_in` has the keys, and each other array with an output
 * that may be written in its place moves along; an output without that input gets indices. The order of the keys is
 * what the members key_type, descending, nan_order, bit_range, begin_bit and end_bit of the description say. */
#ifndef CLPRIM_LIB_PLAN_SORT_H
#define CLPRIM_LIB_PLAN_SORT_H

#include <clprim/pieces.h>

#include "plan_parts.h"

/* For the .parts of such operations. */
extern const clprim__parts clprim__sort_parts;

/* Copies on the device of the runs `first` to `first` + `num_runs` - 1 of those that are taken: column i is in
 * columns[i], one run behind the other. */
typedef struct clprim__sort_kept {
    cl_mem columns[1 + CLPRIM_SORT_BY_KEY_MAX_ARRAYS]; /* NULL in the first one: there are no copies */
    size_t bytes;                                      /* of all columns */
    size_t first, num_runs;
} clprim__sort_kept;

void clprim__sort_kept_release(clprim__sort_kept *self);

/* The two halves of such a sort alone, for runs that others have made, too. Arrays of the call are columns: the keys,
 * then those that move along, in the order of the members of the call.
 *
 * Sort parts of the call's arrays into runs: column i in memory[i], one behind the other, `*run_size` elements each but
 * the last. Outputs are not written. Indices begin with first_index. *kept is a copy on the device if there is room. */
clprim_status clprim__sort_make_runs(size_t *run_size, clprim__sort_kept *kept, clprim_plan *plan, const void *desc,
                                     const void *call, uint64_t first_index, void *const *memory);

typedef struct clprim__sort_run {
    size_t count;
    const char *begins[1 + CLPRIM_SORT_BY_KEY_MAX_ARRAYS]; /* where it begins in each column */
} clprim__sort_run;

/* Write to the call's outputs the elements `first`, `first` + 1 ... of all runs together; the call says how many. Its
 * inputs are not read. Runs that are in *kept come from there. */
clprim_status clprim__sort_take_runs(clprim_plan *plan, const void *desc, const void *call,
                                     const clprim__sort_run *runs, size_t num_runs, size_t first,
                                     const clprim__sort_kept *kept);

/* The order of the keys by a description of the plan's operation. */
clprim_key_order clprim__sort_order(const clprim_plan *plan, const void *desc);

/* Make of a description that of the sort of runs (is_first), which always writes keys, or that of the sort of pieces,
 * whose indices are values. Their calls have no number of elements on the device. No call of theirs has more than
 * UINT32_MAX elements. */
void clprim__sort_describe(void *desc, const clprim_plan *plan, bool is_first);

/* Why calls by this description cannot be cut; NULL: they can. */
const char *clprim__sort_obstacle(const clprim_plan *plan, const void *desc);

#endif

// SPDX-License-Identifier: MIT
/* plan_sort.h: sort arrays on the host that do not fit the device.
 *
 * First, pieces of the arrays are sorted on the device into runs, which are kept in host memory. Then the result is
 * divided into ranges that fit the device. For each range, the slices of all runs that belong to it (clprim_runs_split)
 * are sorted together on the device, and copied to their places in the outputs. Slices are uploaded in the order of
 * their runs, so a stable sort stays stable.
 *
 * The operation's table describes everything that this needs. The input `keys_in` has the keys. Each other array with
 * an output that may overwrite it in place is moved along with the keys. An output without such an input receives
 * indices. The description's members key_type, descending, nan_order, bit_range, begin_bit and end_bit give the order
 * of the keys. */
#ifndef CLPRIM_LIB_PLAN_SORT_H
#define CLPRIM_LIB_PLAN_SORT_H

#include <clprim/pieces.h>

#include "plan_pieces.h"

/* The .pieces of sort operations. */
extern const clprim__pieces clprim__sort_pieces;

/* Copies on the device of some of the runs that are taken: runs `first` to `first` + `num_runs` - 1. columns[i] has
 * column i of these runs, one after another. */
typedef struct clprim__sort_kept {
    cl_mem columns[1 + CLPRIM_SORT_BY_KEY_MAX_ARRAYS]; /* columns[0] is NULL if there are no copies */
    size_t bytes;                                      /* total size of all columns */
    size_t first, num_runs;
} clprim__sort_kept;

void clprim__sort_kept_release(clprim__sort_kept *self);

/* The two halves of such a sort as separate functions, for runs that other ranks have made. A column is an array of the
 * call: first the keys, then the arrays that move along, in the order of the call's members.
 *
 * Sort pieces of the call's arrays into runs. memory[i] receives column i of all runs, one after another. Each run has
 * `*run_size` elements, except for the last one. Outputs are not written. Indices begin with first_index. *kept
 * receives copies of the runs on the device, if there is room. */
clprim_status clprim__sort_make_runs(size_t *run_size, clprim__sort_kept *kept, clprim_plan *plan, const void *desc,
                                     const void *call, uint64_t first_index, void *const *memory);

typedef struct clprim__sort_run {
    size_t count;
    const char *begins[1 + CLPRIM_SORT_BY_KEY_MAX_ARRAYS]; /* where the run begins in each column */
} clprim__sort_run;

/* Write the elements `first`, `first` + 1 ... of the merged runs to the call's outputs; the call gives their number.
 * The call's inputs are not read. Runs that are in *kept are read from there. */
clprim_status clprim__sort_take_runs(clprim_plan *plan, const void *desc, const void *call,
                                     const clprim__sort_run *runs, size_t num_runs, size_t first,
                                     const clprim__sort_kept *kept);

/* The order of the keys, from a description of the plan's operation. */
clprim_key_order clprim__sort_order(const clprim_plan *plan, const void *desc);

/* Change a description into that of the sort of runs (is_first), which always writes keys, or into that of the sort of
 * slices, which takes indices as values. Calls with these descriptions have no count on the device, and at most
 * UINT32_MAX elements. */
void clprim__sort_describe(void *desc, const clprim_plan *plan, bool is_first);

/* The reason why calls with this description cannot be cut; NULL: they can be. */
const char *clprim__sort_obstacle(const clprim_plan *plan, const void *desc);

#endif

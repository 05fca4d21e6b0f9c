// SPDX-License-Identifier: MIT
/* distributed_sort.h: what all methods of sorting distributed arrays have in common. */
#ifndef CLPRIM_LIB_DISTRIBUTED_SORT_H
#define CLPRIM_LIB_DISTRIBUTED_SORT_H

#include "plan_internal.h"
#include "splitters.h"

enum { CLPRIM__SORT_MAX_ROWS = 1 + CLPRIM_SORT_BY_KEY_MAX_ARRAYS };

/* One array of the sort: the keys, or an array that is moved along. */
typedef struct clprim__sort_row {
    size_t size;    /* size of an element */
    void *out;      /* the caller's output; NULL: not wanted */
    void *sorted;   /* this rank's sorted piece */
    void *received; /* this rank's share of the result: the caller's array, or `own` */
    void *own;      /* memory of the sort; NULL: none */
    void *in;       /* the caller's input; NULL for indices */
} clprim__sort_row;

typedef struct clprim__sort_job {
    clprim__team team;
    const clprim__task *task;
    clprim__key_image image;
    size_t num_rows;
    clprim__sort_row rows[CLPRIM__SORT_MAX_ROWS]; /* keys first */
    void *memory;                                 /* for the splitters */
    uint64_t *cuts;
    /* Fill in .rows, after the call has been checked. */
    void (*set_rows)(struct clprim__sort_job *self);
    /* Write the description and the call of this rank's first sort, or of its second one, for these arrays: one pointer
     * for each row. */
    void (*describe)(const struct clprim__sort_job *self, bool is_first, clprim__any_desc *desc, clprim__given *call,
                     void *const *in, void *const *out, size_t count);
} clprim__sort_job;

/* Whether received elements must not be written to the caller's array before the ranks have agreed on success. That is
 * the case if the array may also be an input. */
static inline bool clprim__sort_overlaps_inputs(const clprim__sort_job *self, const clprim__sort_row *output)
{
    const uintptr_t begin = (uintptr_t)output->out;
    const uintptr_t end = begin + self->task->room * output->size;
    for (size_t i = 0; i < self->num_rows; i++) {
        const uintptr_t in = (uintptr_t)self->rows[i].in;
        if (self->rows[i].in != NULL && in < end && begin < in + self->task->count * self->rows[i].size)
            return true;
    }
    return false;
}

/* Sort in memory that all ranks can read. Outputs that overlap inputs are then in .own. If there is not enough such
 * memory, *took becomes false, and nothing was done. */
clprim_status clprim__sort_shared(clprim__sort_job *self, bool *took);

#endif

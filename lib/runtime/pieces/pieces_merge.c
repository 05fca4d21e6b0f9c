// SPDX-License-Identifier: MIT
/* pieces_merge.c: merge several sorted runs by a heap of their first elements.
 *
 * Source: Knuth, The Art of Computer Programming 3, 5.4.1. */
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "key_image.h"

/* The first element of a run that is not merged yet. */
typedef struct entry {
    uint64_t image;
    size_t run;
} entry;

typedef struct merge {
    clprim__key_image how;
    const clprim_sorted_run *runs;
    size_t *next; /* next element of each run */
    entry *heap;
    size_t num_entries;
} merge;

static clprim_status check(const void *keys_out, const void *values_out, size_t value_size,
                           const clprim_sorted_run *runs, size_t num_runs)
{
    size_t total = 0;
    if (runs == NULL && num_runs > 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_runs_merge: runs is NULL");
    for (size_t i = 0; i < num_runs; i++) {
        total += runs[i].count;
        if (runs[i].count > 0 && (runs[i].keys == NULL || (value_size > 0 && runs[i].values == NULL)))
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_runs_merge: runs[%zu].%s is NULL", i,
                                runs[i].keys == NULL ? "keys" : "values");
    }
    if (total > 0 && (keys_out == NULL || (value_size > 0 && values_out == NULL)))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_runs_merge: %s is NULL",
                            keys_out == NULL ? "keys_out" : "values_out");
    return CLPRIM_SUCCESS;
}

static bool is_before(const entry *a, const entry *b)
{
    return a->image != b->image ? a->image < b->image : a->run < b->run;
}

static void sift_down(merge *self, size_t at)
{
    const entry moved = self->heap[at];
    for (size_t child; (child = 2 * at + 1) < self->num_entries; at = child) {
        if (child + 1 < self->num_entries && is_before(&self->heap[child + 1], &self->heap[child]))
            child++;
        if (!is_before(&self->heap[child], &moved))
            break;
        self->heap[at] = self->heap[child];
    }
    self->heap[at] = moved;
}

static void fill_heap(merge *self, size_t num_runs)
{
    for (size_t i = 0; i < num_runs; i++)
        if (self->runs[i].count > 0)
            self->heap[self->num_entries++] = (entry){clprim__image_at(&self->how, self->runs[i].keys, 0), i};
    for (size_t i = self->num_entries / 2; i > 0; i--)
        sift_down(self, i - 1);
}

/* Take the smallest element from the heap; returns its run. */
static size_t take(merge *self)
{
    const size_t i = self->heap[0].run;
    const clprim_sorted_run *run = &self->runs[i];
    if (++self->next[i] < run->count)
        self->heap[0].image = clprim__image_at(&self->how, run->keys, self->next[i]);
    else
        self->heap[0] = self->heap[--self->num_entries];
    sift_down(self, 0);
    return i;
}

clprim_status clprim_runs_merge(void *keys_out, void *values_out, const clprim_key_order *order, size_t value_size,
                                const clprim_sorted_run *runs, size_t num_runs)
{
    merge self = {.runs = runs};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__key_image_of(&self.how, order));
    CLPRIM__TRY(check(keys_out, values_out, value_size, runs, num_runs));
    if (num_runs == 0)
        goto done;
    self.heap = calloc(num_runs, sizeof *self.heap);
    self.next = calloc(num_runs, sizeof *self.next);
    if (self.heap == NULL || self.next == NULL) {
        status = clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory to merge %zu runs", num_runs);
        goto done;
    }
    fill_heap(&self, num_runs);
    const size_t size = self.how.key_size;
    for (size_t at = 0; self.num_entries > 0; at++) {
        const size_t place = self.next[self.heap[0].run];
        const clprim_sorted_run *run = &runs[take(&self)];
        memcpy((char *)keys_out + at * size, (const char *)run->keys + place * size, size);
        if (value_size > 0)
            memcpy((char *)values_out + at * value_size, (const char *)run->values + place * value_size, value_size);
    }
done:
    free(self.heap);
    free(self.next);
    return status;
}

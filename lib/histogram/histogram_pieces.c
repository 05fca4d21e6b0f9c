// SPDX-License-Identifier: MIT
/* histogram_pieces.c: histograms of arrays that do not fit the device: each piece adds to the counters. */
#include "histogram_internal.h"
#include "plan_pieces.h"

static const char *obstacle(const clprim_plan *plan, const void *desc)
{
    const clprim_histogram_desc *d = desc;
    (void)plan;
    return d->strided          ? "with .strided, rows with gaps are not divided"
           : d->output != NULL ? "with .output, the counters that the next piece adds to are not kept"
           : d->cumulative     ? "with .cumulative, the counters that the next piece adds to are not kept"
                               : NULL;
}

/* Counters must be able to count the elements of all pieces. */
static void describe(void *desc, const clprim_plan *plan, bool is_first)
{
    clprim_histogram_desc *d = desc;
    d->counter_type = clprim__histogram_counter_type((const void *)plan->desc.bytes);
    d->accumulate = d->accumulate || !is_first;
}

static const char *const texts[] = {"input", "second_input", "third_input", NULL};

const clprim__pieces clprim__histogram_pieces = {
    .obstacle = obstacle,
    .count_place = offsetof(clprim_histogram_call, count),
    .texts = texts,
    .describe = describe,
};

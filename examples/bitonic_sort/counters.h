// SPDX-License-Identifier: MIT
/* counters.h: instructions and branches that the processor counts while a piece of work runs, where it and the system
 * let programs look (Linux: perf_event_open). */
#ifndef CLPRIM_EXAMPLES_COUNTERS_H
#define CLPRIM_EXAMPLES_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct counters {
    bool are_there; /* else the rest means nothing */
    uint64_t cycles, instructions, branches, branch_misses;
} counters;

/* Count what this thread does until counters_end. */
void counters_begin(void);
counters counters_end(void);

#endif

// SPDX-License-Identifier: MIT
/* climb.h: parameters of one subject that are faster than what the library has. */
#ifndef CLPRIM_TOOLS_CLIMB_H
#define CLPRIM_TOOLS_CLIMB_H

#include "subjects.h"

enum { CLIMB_MAX_PARAMETERS = 16, CLIMB_LINE_SIZE = 1024 };

/* Values of all parameters of a variant. */
typedef struct point {
    size_t values[CLIMB_MAX_PARAMETERS];
} point;

typedef struct climb {
    clprim_runtime *runtime;
    const subject *what;
    subject_data data;
    int variant;      /* as asked for; 0: AUTO */
    const char *name; /* of the variant that is used; NULL: it has nothing to tune */
    size_t size;      /* bytes of an element, with its value, as the look-up has it */
    const clprim__tunable *items[CLIMB_MAX_PARAMETERS];
    size_t num_items;
    double seconds;                /* that this may take */
    double sample;                 /* that one sample of a time takes at least */
    const volatile int *is_ending; /* or NULL */
    size_t tried, wrong, refused;
    point before, best;
    double before_time, best_time; /* seconds a call; before_time 0: it does not run at all */
} climb;

/* Learn what the library has, and how fast it is. The runtime's own file of parameters is not used from here on.
 * CLPRIM_UNSUPPORTED and the like are the variant's, for the caller to report. */
clprim_status climb_begin(climb *self);

/* Look for something faster: one parameter after the other, until none of them helps. */
clprim_status climb_run(climb *self);

void climb_end(climb *self);

/* The line for a file of parameters, without its end. */
void climb_line(char out[CLIMB_LINE_SIZE], const climb *self, const point *at, bool with_speed);

#endif

/* unique_internal.h: the plan of clprim_unique: a selection of what begins a run. */
#ifndef CLPRIM_LIB_UNIQUE_INTERNAL_H
#define CLPRIM_LIB_UNIQUE_INTERNAL_H

#include <clprim/unique.h>

#include "select_internal.h"
#include "trial.h"

struct clprim_unique {
    clprim_select *select;
};

/* For tests: see clprim__select_set_portion. */
void clprim__unique_set_portion(clprim_unique *plan, size_t n);

/* How plans are made, and tried. */
CLPRIM__DECLARE_TRIAL(unique)

#endif

/* reduce_by_key_internal.h: the plan of clprim_reduce_by_key: a scan by key that writes only the runs. */
#ifndef CLPRIM_LIB_REDUCE_BY_KEY_INTERNAL_H
#define CLPRIM_LIB_REDUCE_BY_KEY_INTERNAL_H

#include <clprim/reduce_by_key.h>

#include "scan_internal.h"
#include "trial.h"

struct clprim_reduce_by_key {
    clprim_scan *scan;
};

/* How plans are made, and tried. */
CLPRIM__DECLARE_TRIAL(reduce_by_key)

#endif

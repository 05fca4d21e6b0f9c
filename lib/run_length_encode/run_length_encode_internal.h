/* run_length_encode_internal.h: the plan of clprim_run_length_encode: a scan by key of ones that writes only the runs.
 */
#ifndef CLPRIM_LIB_RUN_LENGTH_ENCODE_INTERNAL_H
#define CLPRIM_LIB_RUN_LENGTH_ENCODE_INTERNAL_H

#include <clprim/run_length_encode.h>

#include "scan_internal.h"
#include "trial.h"

struct clprim_run_length_encode {
    clprim_scan *scan;
};

/* How plans are made, and tried. */
CLPRIM__DECLARE_TRIAL(run_length_encode)

#endif

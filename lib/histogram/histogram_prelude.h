/* histogram_prelude.h: from a description's mapping to OpenCL C text and device memory. */
#ifndef CLPRIM_LIB_HISTOGRAM_PRELUDE_H
#define CLPRIM_LIB_HISTOGRAM_PRELUDE_H

#include "histogram_internal.h"
#include "prelude.h"

/* Is the mapping complete and one for this type? Finds out whether elements may belong to no bin.
 * Errors: CLPRIM_INVALID_ARGUMENT. */
clprim_status clprim__histogram_check_mapping(clprim__histogram_setting *setting, const clprim_histogram_desc *desc);

/* What the sources in kernels/histogram name as parameters. */
clprim_status clprim__histogram_prelude(clprim__prelude *prelude, const clprim__histogram_setting *setting,
                                        const clprim_histogram_desc *desc, const clprim_device_info *info);

/* The caller's boundaries on the device, as numbers of the type that elements are compared in: the least one that is
 * not less, where the caller's is none. *out is the caller's to release. */
clprim_status clprim__histogram_boundaries(cl_mem *out, const clprim__histogram_setting *setting,
                                           const void *boundaries, const clprim_runtime *runtime);

#endif

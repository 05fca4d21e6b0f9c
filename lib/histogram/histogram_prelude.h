/* histogram_prelude.h: from a description's mapping to OpenCL C text and device memory. */
#ifndef CLPRIM_LIB_HISTOGRAM_PRELUDE_H
#define CLPRIM_LIB_HISTOGRAM_PRELUDE_H

#include "histogram_internal.h"
#include "prelude.h"

/* Check that the mapping is complete and suits the type. Finds out whether elements may belong to no bin.
 * Errors: CLPRIM_INVALID_ARGUMENT. */
clprim_status clprim__histogram_check_mapping(clprim__histogram_setting *setting, const clprim_histogram_desc *desc);

/* What the sources in kernels/histogram name as parameters. */
clprim_status clprim__histogram_prelude(clprim__prelude *prelude, const clprim__histogram_setting *setting,
                                        const clprim_histogram_desc *desc, const clprim_device_info *info);

/* Copy the caller's boundaries to the device, in the type that elements are compared in: each becomes the least number
 * of that type that is not less. The caller releases *out. */
clprim_status clprim__histogram_boundaries(cl_mem *out, const clprim__histogram_setting *setting,
                                           const void *boundaries, const clprim_runtime *runtime);

#endif

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

/* The part of it that says which bin an element belongs to. */
void clprim__histogram_write_mapping(clprim__prelude *prelude, const clprim__histogram_setting *setting,
                                     const clprim_histogram_desc *desc);

/* Several dimensions, in histogram_joint.c: check them, after what they have in common with others, and make of the
 * setting that of numbers of joint bins; write INPUT_AT(i), which is that number; all boundaries on the device, one
 * dimension's behind the other's, unless there are none: the caller releases *out. */
clprim_status clprim__histogram_check_joint(clprim__histogram_setting *setting, const clprim_histogram_desc *desc,
                                            const clprim_device_info *info);
void clprim__histogram_write_joint(clprim__prelude *prelude, const clprim_histogram_desc *desc);
clprim_status clprim__histogram_joint_boundaries(cl_mem *out, const clprim_histogram_desc *desc,
                                                 const clprim_runtime *runtime);

/* Channels that differ, there, too: check them, and whether elements may belong to no bin; write BINS_OF_CHANNEL, whose
 * boundaries are made as those of dimensions. */
clprim_status clprim__histogram_check_channels(clprim__histogram_setting *setting, const clprim_histogram_desc *desc);
void clprim__histogram_write_channels(clprim__prelude *prelude, const clprim_histogram_desc *desc);

/* The type in which elements are compared with boundaries, and boundaries in that type: each becomes the least number
 * that is not less. There is room for bins + 1 numbers of 8 bytes. */
const char *clprim__histogram_bound(clprim_type type);
void clprim__histogram_convert_boundaries(void *out, const clprim__histogram_setting *setting, const void *boundaries);

/* Copy the caller's boundaries to the device, in the type that elements are compared in: each becomes the least number
 * of that type that is not less. The caller releases *out. */
clprim_status clprim__histogram_boundaries(cl_mem *out, const clprim__histogram_setting *setting,
                                           const void *boundaries, const clprim_runtime *runtime);

#endif

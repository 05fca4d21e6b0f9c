// SPDX-License-Identifier: MIT
/* histogram_prelude.h: convert a description's mapping to OpenCL C text and device memory. */
#ifndef CLPRIM_LIB_HISTOGRAM_PRELUDE_H
#define CLPRIM_LIB_HISTOGRAM_PRELUDE_H

#include "histogram_internal.h"
#include "prelude.h"

/* Check that the mapping is complete and suits the type, and find out whether elements may belong to no bin.
 * Errors: CLPRIM_INVALID_ARGUMENT. */
clprim_status clprim__histogram_check_mapping(clprim__histogram_setting *setting, const clprim_histogram_desc *desc);

/* Write everything that the sources in kernels/histogram list as parameters. */
clprim_status clprim__histogram_prelude(clprim__prelude *prelude, const clprim__histogram_setting *setting,
                                        const clprim_histogram_desc *desc, const clprim_device_info *info);

/* Write the part of it that finds the bin of an element. */
void clprim__histogram_write_mapping(clprim__prelude *prelude, const clprim__histogram_setting *setting,
                                     const clprim_histogram_desc *desc);

/* For several dimensions, in histogram_joint.c: check them, after the members that all histograms have, and change the
 * setting to that of joint bin numbers; write INPUT_AT(i), which computes that number; copy the boundaries of all
 * dimensions to the device, one dimension after another, if there are any. The caller releases *out. */
clprim_status clprim__histogram_check_joint(clprim__histogram_setting *setting, const clprim_histogram_desc *desc,
                                            const clprim_device_info *info);
void clprim__histogram_write_joint(clprim__prelude *prelude, const clprim_histogram_desc *desc);
clprim_status clprim__histogram_joint_boundaries(cl_mem *out, const clprim_histogram_desc *desc,
                                                 const clprim_runtime *runtime);

/* For channels that differ, also in histogram_joint.c: check them, and find out whether elements may belong to no bin;
 * write BINS_OF_CHANNEL. Their boundaries are copied like those of dimensions. */
clprim_status clprim__histogram_check_channels(clprim__histogram_setting *setting, const clprim_histogram_desc *desc);
void clprim__histogram_write_channels(clprim__prelude *prelude, const clprim_histogram_desc *desc);

/* The type in which elements are compared with boundaries; and the conversion of boundaries to that type: each becomes
 * the least number of the type that is not less than it. *out has room for bins + 1 numbers of 8 bytes. */
const char *clprim__histogram_bound(clprim_type type);
void clprim__histogram_convert_boundaries(void *out, const clprim__histogram_setting *setting, const void *boundaries);

/* Copy the caller's boundaries to the device, converted to the type in which elements are compared. The caller releases
 * *out. */
clprim_status clprim__histogram_boundaries(cl_mem *out, const clprim__histogram_setting *setting,
                                           const void *boundaries, const clprim_runtime *runtime);

#endif

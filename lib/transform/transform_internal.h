// SPDX-License-Identifier: MIT
/* transform_internal.h: functions that the files of the operation share. */
#ifndef CLPRIM_LIB_TRANSFORM_INTERNAL_H
#define CLPRIM_LIB_TRANSFORM_INTERNAL_H

#include <clprim/transform.h>

#include "launch.h"
#include "prelude.h"

#include "transform/args.h"

/* The element of the k-th output; none if there is no such output. */
clprim_element clprim__transform_output(const clprim_transform_desc *desc, size_t k);

/* Write what kernels/transform needs, except for packets: OUTPUT_BUFFERS, results, RESULTS_AT(i) and STORE(x, i).
 * Errors: those of the texts. */
clprim_status clprim__transform_write_prelude(clprim__prelude *prelude, const clprim_transform_desc *desc,
                                              size_t num_outputs, const clprim_device_info *info);

/* Write what is needed to process several elements at a time, if results or arguments are smaller than 4 bytes: PACK,
 * the number of elements in a packet; packets, their values; PACKETS_AT(loads, i) and STORE_PACKETS(x, i); and
 * HAS_PACKETS, whether all arrays are aligned for packets. Values are vectors, because NVIDIA's compiler puts arrays of
 * small values into memory. Returns PACK; 1: nothing is written. */
size_t clprim__transform_write_packets(clprim__prelude *prelude, const clprim_transform_desc *desc, size_t num_outputs);

#endif

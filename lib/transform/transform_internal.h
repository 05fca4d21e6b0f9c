/* transform_internal.h: what the files of the operation share. */
#ifndef CLPRIM_LIB_TRANSFORM_INTERNAL_H
#define CLPRIM_LIB_TRANSFORM_INTERNAL_H

#include <clprim/transform.h>

#include "launch.h"
#include "prelude.h"

#include "transform/args.h"

/* The k-th output's element; none: there is no such output. */
clprim_element clprim__transform_output(const clprim_transform_desc *desc, size_t k);

/* What kernels/transform needs, but for packets: OUTPUT_BUFFERS, results, RESULTS_AT(i) and STORE(x, i).
 * Errors: those of the texts. */
clprim_status clprim__transform_write_prelude(clprim__prelude *prelude, const clprim_transform_desc *desc,
                                              size_t num_outputs, const clprim_device_info *info);

/* Several elements at a time, where results or arguments are smaller than 4 bytes: PACK of them, with packets, their
 * values; PACKETS_AT(loads, i) and STORE_PACKETS(x, i), and HAS_PACKETS, whether all arrays begin where packets may.
 * Values are vectors: arrays of small ones would go through memory with NVIDIA's compiler. Returns PACK; 1: nothing is
 * written. */
size_t clprim__transform_write_packets(clprim__prelude *prelude, const clprim_transform_desc *desc, size_t num_outputs);

#endif

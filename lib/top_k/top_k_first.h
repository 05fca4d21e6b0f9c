// SPDX-License-Identifier: MIT
/* top_k_first.h: the first k elements of several pieces of an array, and of these the first k. */
#ifndef CLPRIM_LIB_TOP_K_FIRST_H
#define CLPRIM_LIB_TOP_K_FIRST_H

#include <clprim/operation.h>
#include <clprim/top_k.h>

/* Find the first k of `count` keys on the host, which several pieces have found, in the order of the pieces. value_size
 * is the size of the value that belongs to each, or 0: indices are values, too. The outputs and the arguments are those
 * of `call`. face: of top_k. */
clprim_status clprim__top_k_first(clprim_runtime *runtime, const clprim_operation *face, const clprim_top_k_desc *desc,
                                  const clprim_top_k_call *call, void *keys, void *values, size_t value_size,
                                  size_t count);

/* Add the index of a piece's first element to the indices that the piece has found, of `size` bytes each. */
void clprim__top_k_shift(void *indices, size_t size, size_t count, uint64_t by);

#endif

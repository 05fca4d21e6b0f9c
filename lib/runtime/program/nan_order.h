// SPDX-License-Identifier: MIT
/* nan_order.h: the orders of a built-in type, which differ in the position of NaNs. */
#ifndef CLPRIM_LIB_NAN_ORDER_H
#define CLPRIM_LIB_NAN_ORDER_H

#include <clprim/status.h>
#include <clprim/types.h>
#include <stdbool.h>
#include <stdint.h>

/* Check a description's nan_order. is_custom: the description has a caller's order or operator.
 * Errors: CLPRIM_INVALID_ARGUMENT. */
clprim_status clprim__nan_order_check(clprim_nan_order nan_order, bool is_custom);

/* Whether NaNs come last. */
bool clprim__has_nans_last(clprim_type type, clprim_nan_order nan_order);

/* The number by which kernels distinguish kinds of keys: 0 unsigned integers, 1 signed integers, 2 floats, 3 floats
 * whose NaNs come last. */
int clprim__key_kind(clprim_type type, clprim_nan_order nan_order);

/* For references: how many NaNs come before -inf in the total order. CLPRIM_NAN_LAST moves all of them to the end: the
 * image of an element in that order is its image in the total order minus this number, modulo 2^bits. 0 if no NaN is
 * moved. */
uint64_t clprim__moved_nans(clprim_type type, clprim_nan_order nan_order);

#endif

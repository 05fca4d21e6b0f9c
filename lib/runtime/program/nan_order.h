/* nan_order.h: the orders of a built-in type, which differ in where NaNs stand. */
#ifndef CLPRIM_LIB_NAN_ORDER_H
#define CLPRIM_LIB_NAN_ORDER_H

#include <clprim/status.h>
#include <clprim/types.h>
#include <stdbool.h>
#include <stdint.h>

/* A description's nan_order; is_custom: an order or operator of the caller's goes with it.
 * Errors: CLPRIM_INVALID_ARGUMENT. */
clprim_status clprim__nan_order_check(clprim_nan_order nan_order, bool is_custom);

/* Whether NaNs come last. */
bool clprim__has_nans_last(clprim_type type, clprim_nan_order nan_order);

/* How kernels tell keys' kinds: 0 unsigned integers, 1 signed ones, 2 floats, 3 floats whose NaNs come last. */
int clprim__key_kind(clprim_type type, clprim_nan_order nan_order);

/* For references: how many NaNs come before -inf in the total order, all of which CLPRIM_NAN_LAST moves to the end. An
 * image of the total order less this number, modulo 2^bits, is that of CLPRIM_NAN_LAST. 0 where none is moved. */
uint64_t clprim__moved_nans(clprim_type type, clprim_nan_order nan_order);

#endif

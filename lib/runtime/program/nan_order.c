// SPDX-License-Identifier: MIT
/* nan_order.c: the position of NaNs in the order of floats. */
#include "nan_order.h"

#include "error.h"
#include "kinds.h"

clprim_status clprim__nan_order_check(clprim_nan_order nan_order, bool is_custom)
{
    if ((int)nan_order != CLPRIM_NAN_TOTAL && (int)nan_order != CLPRIM_NAN_LAST)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown nan_order %d", (int)nan_order);
    if (is_custom && nan_order != CLPRIM_NAN_TOTAL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "nan_order applies to clPRIM's order of floats, not to the caller's order or operator");
    return CLPRIM_SUCCESS;
}

bool clprim__has_nans_last(clprim_type type, clprim_nan_order nan_order)
{
    return nan_order == CLPRIM_NAN_LAST && clprim__is_float(type);
}

int clprim__key_kind(clprim_type type, clprim_nan_order nan_order)
{
    if (clprim__is_float(type))
        return nan_order == CLPRIM_NAN_LAST ? 3 : 2;
    return clprim__is_signed(type);
}

uint64_t clprim__moved_nans(clprim_type type, clprim_nan_order nan_order)
{
    const unsigned mantissa_bits = type == CLPRIM_F16 ? 10 : type == CLPRIM_BF16 ? 7 : type == CLPRIM_F32 ? 23 : 52;
    return clprim__has_nans_last(type, nan_order) ? (UINT64_C(1) << mantissa_bits) - 1 : 0;
}

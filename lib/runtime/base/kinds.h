// SPDX-License-Identifier: MIT
/* kinds.h: groups of types. */
#ifndef CLPRIM_LIB_KINDS_H
#define CLPRIM_LIB_KINDS_H

#include <clprim/types.h>
#include <stdbool.h>

/* Whether the type is an element type that all operations accept. */
static inline bool clprim__is_type(clprim_type type)
{
    return (int)type > CLPRIM_TYPE_DEFAULT && (int)type < CLPRIM_TYPE_END;
}

/* Whether the type is a key type, which has an order. */
static inline bool clprim__is_key_type(clprim_type type)
{
    return clprim__is_type(type) || type == CLPRIM_BF16;
}

static inline bool clprim__is_float(clprim_type type)
{
    return type == CLPRIM_F16 || type == CLPRIM_F32 || type == CLPRIM_F64 || type == CLPRIM_BF16;
}

/* Whether the type is a signed integer. */
static inline bool clprim__is_signed(clprim_type type)
{
    return type == CLPRIM_I8 || type == CLPRIM_I16 || type == CLPRIM_I32 || type == CLPRIM_I64;
}

#endif

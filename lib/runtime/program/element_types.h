// SPDX-License-Identifier: MIT
/* element_types.h: the built-in types as OpenCL C text. */
#ifndef CLPRIM_LIB_ELEMENT_TYPES_H
#define CLPRIM_LIB_ELEMENT_TYPES_H

#include <clprim/types.h>

typedef enum clprim__number_class { CLPRIM__SIGNED, CLPRIM__UNSIGNED, CLPRIM__FLOAT } clprim__number_class;

/* One row per type. `bits` is the unsigned integer type of its size, and `key` the integer type in which it is ordered.
 * `sum` is the type for sums and products. For integers it is unsigned and has at least 32 bits (products of narrower
 * types would be promoted to int, and could overflow); `wide` is the signed type of that size. */
typedef struct clprim__element_type {
    clprim__number_class class;
    int exact_bits; /* integers up to 2^exact_bits are represented exactly */
    const char *storage;
    const char *bits;
    const char *key;
    const char *key_min;
    const char *key_max;
    const char *sum;
    const char *wide;
} clprim__element_type;

extern const clprim__element_type clprim__element_types[CLPRIM_KEY_TYPE_END];

/* OpenCL C names: of the type itself (ushort for F16 and BF16), and of the unsigned integer type of its size. */
const char *clprim__type_storage(clprim_type type);
const char *clprim__type_bits(clprim_type type);

/* The prelude's functions that convert a type's bits to float and back, if the caller's texts see the type as float;
 * otherwise NULL. */
const char *clprim__type_to_float(clprim_type type);
const char *clprim__type_from_float(clprim_type type);

#endif

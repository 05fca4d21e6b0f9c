/* element_types.h: the built-in types as OpenCL C text. */
#ifndef CLPRIM_LIB_ELEMENT_TYPES_H
#define CLPRIM_LIB_ELEMENT_TYPES_H

#include <clprim/types.h>

typedef enum clprim__number_class { CLPRIM__SIGNED, CLPRIM__UNSIGNED, CLPRIM__FLOAT } clprim__number_class;

/* One row per type. `bits` is the unsigned integer of its size, `key` the integer type in which it is ordered, `sum`
 * the type in which it is summed and multiplied: for integers unsigned, of 32 bits at least (the products of narrower
 * ones would be promoted to int, and overflow it), with `wide` the signed one of that size. */
typedef struct clprim__element_type {
    clprim__number_class class;
    int exact_bits; /* integers up to 2^exact_bits are held exactly */
    const char *storage;
    const char *bits;
    const char *key;
    const char *key_min;
    const char *key_max;
    const char *sum;
    const char *wide;
} clprim__element_type;

extern const clprim__element_type clprim__element_types[CLPRIM_KEY_TYPE_END];

/* OpenCL C names: of the type itself (ushort for F16 and BF16), and of the unsigned integer of its size. */
const char *clprim__type_storage(clprim_type type);
const char *clprim__type_bits(clprim_type type);

/* The prelude's functions for a type that texts see as a float, of its bits and back; NULL: they see it as it is. */
const char *clprim__type_to_float(clprim_type type);
const char *clprim__type_from_float(clprim_type type);

#endif

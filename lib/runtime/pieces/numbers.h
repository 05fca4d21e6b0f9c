// SPDX-License-Identifier: MIT
/* numbers.h: arrays of built-in types on the host, block by block, for code of the host (native.h).
 *
 * Loops exist once for each type that is computed in, not for each pair of types: a block of elements is converted
 * first, into memory that stays in the cache. */
#ifndef CLPRIM_LIB_NUMBERS_H
#define CLPRIM_LIB_NUMBERS_H

#include <clprim/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLPRIM__BLOCK = 1024 /* elements */ };

/* Types for arrays whose elements the caller may have written as another type of the same size. */
#define CLPRIM__ANY __attribute__((may_alias))
typedef int8_t CLPRIM__ANY clprim__i8;
typedef uint8_t CLPRIM__ANY clprim__u8;
typedef int16_t CLPRIM__ANY clprim__i16;
typedef uint16_t CLPRIM__ANY clprim__u16;
typedef int32_t CLPRIM__ANY clprim__i32;
typedef uint32_t CLPRIM__ANY clprim__u32;
typedef int64_t CLPRIM__ANY clprim__i64;
typedef uint64_t CLPRIM__ANY clprim__u64;
typedef float CLPRIM__ANY clprim__f32;
typedef double CLPRIM__ANY clprim__f64;

/* What sums and products are computed in. Integers wrap; of narrower results the low bits count. */
typedef enum clprim__computed { CLPRIM__IN_U32, CLPRIM__IN_U64, CLPRIM__IN_F32, CLPRIM__IN_F64 } clprim__computed;

clprim__computed clprim__computed_in(clprim_type accumulator_type);

/* Room for a converted block. */
typedef union clprim__numbers_block {
    clprim__u32 u32[CLPRIM__BLOCK];
    clprim__u64 u64[CLPRIM__BLOCK];
    clprim__f32 f32[CLPRIM__BLOCK];
    clprim__f64 f64[CLPRIM__BLOCK];
} clprim__numbers_block;

/* Convert n elements, at most a block, as kernels do: integers to floats to nearest, ties to even. Returns `room`, or
 * `in` itself if it has that form already. The pair must be one that an accumulator may have (clprim/reduce.h). */
const void *clprim__numbers_in(clprim__numbers_block *room, clprim__computed as, clprim_type type, const void *in,
                               size_t n);

/* What the bits of an element are flipped by to become a key: a signed number in the type's order, or if `reversed` in
 * the opposite order. Of negative floats, all bits but the sign are flipped first. */
uint64_t clprim__numbers_flip(clprim_type type, bool reversed);
/* The least key of n elements, and at least one. */
int64_t clprim__numbers_least(clprim_type type, bool reversed, const void *in, size_t n);
/* The first element with that key; n if there is none. */
size_t clprim__numbers_where(clprim_type type, bool reversed, int64_t key, const void *in, size_t n);
/* The first NaN; n if there is none. */
size_t clprim__numbers_first_nan(clprim_type type, const void *in, size_t n);

#endif

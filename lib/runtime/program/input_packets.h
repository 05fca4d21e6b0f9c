// SPDX-License-Identifier: MIT
/* input_packets.h: compute several elements from an expression at a time, with loads of up to 16 bytes. */
#ifndef CLPRIM_LIB_INPUT_PACKETS_H
#define CLPRIM_LIB_INPUT_PACKETS_H

#include "prelude.h"

/* An expression over i. */
typedef struct clprim__packed {
    const char *text;
    clprim_type type;     /* type of its value; see clprim__input_type */
    const char *own_type; /* instead of `type`: the caller's own type */
    const char *name;     /* name under which the expression was written: "input" */
} clprim__packed;

/* Write INPUT_PACK, the number of elements for which one load per array is enough. Call it after the expressions
 * themselves are written. It handles arrays of built-in types that an expression reads at i whatever their values are;
 * other reads stay as the text has them. Kernels may use the following where PARAMETERS are in scope:
 *   input_is_packed()          whether all these arrays are aligned for such loads
 *   input_load(p, is_packed)   the loads for the p-th INPUT_PACK elements, as an input_loads; is_packed: a constant
 *                              with the value of input_is_packed()
 *   PICK_<name>(loads, k, i)   the value of that expression for the k-th of them, which has index i in the whole array;
 *                              unroll loops over k
 * widest: size of the other data per element, of which INPUT_PACK elements must fit into 16 bytes. `sources` are
 * texts from the caller that may define macros; each may be NULL. Returns INPUT_PACK. Returns 0, and writes nothing, if there
 * is no such array, or if macros may hide what an expression reads. */
size_t clprim__packets_write(clprim__prelude *prelude, const clprim__packed *expressions, size_t count, size_t widest,
                             const char *const sources[2]);

#endif

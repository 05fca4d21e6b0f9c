/* input_packets.h: elements from expressions, several at a time, with loads of up to 16 bytes. */
#ifndef CLPRIM_LIB_INPUT_PACKETS_H
#define CLPRIM_LIB_INPUT_PACKETS_H

#include "prelude.h"

/* An expression over i. */
typedef struct clprim__packed {
    const char *text;
    clprim_type type;     /* of its value; see clprim__input_type */
    const char *own_type; /* instead */
    const char *name;     /* under which it was written: "input" */
} clprim__packed;

/* Behind what writes the expressions themselves: INPUT_PACK, a number of elements whose arrays one load each can read. Only
 * arrays of built-in types that an expression reads at i and whatever their values are: others are read as the text says.
 * For kernels, where PARAMETERS are in scope:
 *   input_is_packed()          whether these arrays all begin where such loads may
 *   input_load(p, is_packed)   an input_loads, for the p-th INPUT_PACK elements; is_packed: a constant, which that told
 *   PICK_<name>(loads, k, i)   the value of that expression for the k-th of them, which is the i-th of all; loops over k
 *                              are best unrolled
 * widest: bytes of what else 16 bytes have to hold INPUT_PACK of. Returns INPUT_PACK; 0 where nothing is written: there is no
 * such array, or macros may hide what an expression reads: `sources` are the texts of the caller's that may define some,
 * NULL among them. */
size_t clprim__packets_write(clprim__prelude *prelude, const clprim__packed *expressions, size_t count, size_t widest,
                             const char *const sources[2]);

#endif

/* input_packets.h: elements from an expression, several at a time, with loads of up to 16 bytes. */
#ifndef CLPRIM_LIB_INPUT_PACKETS_H
#define CLPRIM_LIB_INPUT_PACKETS_H

#include "prelude.h"

/* Behind clprim__input_write(): INPUT_PACK, a number of elements whose arrays one load each can read. Only arrays of
 * built-in types that the expression reads at i and whatever their values are: others are read as the text says. For
 * kernels, where PARAMETERS are in scope:
 *   input_is_packed()          whether these arrays all begin where such loads may
 *   input_load(p, is_packed)   an input_loads, for the p-th INPUT_PACK elements; is_packed: a constant, which that told
 *   INPUT_PICK(loads, k, i)    the k-th ELEMENT of them, which is the i-th of all; loops over k are best unrolled
 * Returns INPUT_PACK; 0 where nothing is written: there is no such array, or macros may hide what the expression reads:
 * `sources` are the texts of the caller's that may define some, NULL among them. */
size_t clprim__input_packets_write(clprim__prelude *prelude, const char *input, clprim_type type, const char *own_type,
                                   const char *const sources[2]);

#endif

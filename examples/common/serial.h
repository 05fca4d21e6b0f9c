// SPDX-License-Identifier: MIT
/* serial.h: what one would write without a library: one plain loop on one core. These are timed beside clPRIM; results
 * are checked against clprim/reference.h. */
#ifndef CLPRIM_EXAMPLES_SERIAL_H
#define CLPRIM_EXAMPLES_SERIAL_H

#include <stddef.h>
#include <stdint.h>

/* From in[0 .. n), n > 0, to out. */
typedef void (*serial_loop)(void *out, const void *in, size_t n);

/* Each reduces into *out: uint64_t for the sum of U8, size_t for the index of the first greatest element, else the
 * element's type. */

void serial_sum_u8(void *out, const void *in, size_t n);
void serial_min_u8(void *out, const void *in, size_t n);
void serial_max_u8(void *out, const void *in, size_t n);
void serial_argmax_u8(void *out, const void *in, size_t n);
void serial_sum_i32(void *out, const void *in, size_t n);
void serial_sum_f32(void *out, const void *in, size_t n);
void serial_max_f32(void *out, const void *in, size_t n);

/* Exclusive sums of all prefixes into out[0 .. n), of the element's type; uint32_t for U8. */
void serial_scan_u8(void *out, const void *in, size_t n);
void serial_scan_i32(void *out, const void *in, size_t n);
void serial_scan_f32(void *out, const void *in, size_t n);

/* How many elements of each value there are, into uint32_t[256]; and of each four values, 0 to 3 and so on, into
 * uint32_t[64]. */
void serial_histogram_u8(void *out, const void *in, size_t n);
void serial_histogram64_u8(void *out, const void *in, size_t n);

/* Keep, in their order, the elements greater than `level`; returns how many. out has room for n. */
size_t serial_select_u8(uint8_t *out, const uint8_t *in, size_t n, uint8_t level);

/* In order into out[0 .. n). Of U8 by counting each value, alone or with a value beside each; of U32 and F32 a byte
 * after the other from the lowest on, for which out has room for n elements more. */
void serial_sort_u8(void *out, const void *in, size_t n);
void serial_sort_pairs_u8(uint8_t *out, uint32_t *values_out, const uint8_t *in, const uint32_t *values, size_t n);
void serial_sort_u32(void *out, const void *in, size_t n);
void serial_sort_f32(void *out, const void *in, size_t n);

#endif

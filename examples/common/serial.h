/* serial.h: what one would write without a library: one plain loop on one core. These are timed beside clPRIM; results
 * are checked against clprim/reference.h. */
#ifndef CLPRIM_EXAMPLES_SERIAL_H
#define CLPRIM_EXAMPLES_SERIAL_H

#include <stddef.h>

/* Each reduces in[0 .. n), n > 0, into *out: uint64_t for the sum of U8, size_t for the index of the first greatest
 * element, else the element's type. */
typedef void (*serial_loop)(void *out, const void *in, size_t n);

void serial_sum_u8(void *out, const void *in, size_t n);
void serial_min_u8(void *out, const void *in, size_t n);
void serial_max_u8(void *out, const void *in, size_t n);
void serial_argmax_u8(void *out, const void *in, size_t n);
void serial_sum_i32(void *out, const void *in, size_t n);
void serial_sum_f32(void *out, const void *in, size_t n);
void serial_max_f32(void *out, const void *in, size_t n);

#endif

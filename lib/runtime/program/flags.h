/* flags.h: arrays of flags, whose elements are of any built-in type. */
#ifndef CLPRIM_LIB_FLAGS_H
#define CLPRIM_LIB_FLAGS_H

#include <clprim/types.h>
#include <stdbool.h>

#include "text.h"

/* Kernels read a flag as the unsigned integer of its size. FLAG_BITS, defined by a compiler option, are its bits of
 * which at least one is 1 where the flag is not equal to 0: all of an integer's; of a float's all but the sign, so that
 * -0.0 is 0 and NaNs and denormals are not, whatever a device makes of denormals. */
void clprim__flags_option(clprim__text *options, clprim_type type);

/* These bits, and whether a flag on the host has one of them. */
unsigned long long clprim__flag_bits(clprim_type type);
bool clprim__is_set(const void *flag, clprim_type type);

#endif

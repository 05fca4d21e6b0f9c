// SPDX-License-Identifier: MIT
/* flags.h: arrays of flags, whose elements may have any built-in type. */
#ifndef CLPRIM_LIB_FLAGS_H
#define CLPRIM_LIB_FLAGS_H

#include <clprim/types.h>
#include <stdbool.h>

#include "text.h"

/* Kernels read a flag as the unsigned integer of its size. The compiler option FLAG_BITS says which bits to test: the
 * flag is not equal to 0 if any of them is 1. For an integer these are all bits. For a float these are all bits except
 * the sign: so -0.0 is 0, and NaNs and denormals are not, however the device handles denormals. */
void clprim__flags_option(clprim__text *options, clprim_type type);

/* These bits, and whether a flag on the host has one of them set. */
unsigned long long clprim__flag_bits(clprim_type type);
bool clprim__is_set(const void *flag, clprim_type type);

#endif

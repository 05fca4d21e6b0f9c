// SPDX-License-Identifier: MIT
/* flags.c: which bits of a flag are tested. */
#include "flags.h"

#include <string.h>

#include "kinds.h"

unsigned long long clprim__flag_bits(clprim_type type)
{
    const unsigned long long all = UINT64_MAX >> (64 - 8 * clprim_type_size(type));
    return clprim__is_float(type) ? all >> 1 : all;
}

void clprim__flags_option(clprim__text *options, clprim_type type)
{
    clprim__text_format(options, " -DFLAG_BITS=0x%llxul", clprim__flag_bits(type));
}

bool clprim__is_set(const void *flag, clprim_type type)
{
    uint64_t bits = 0; /* little-endian, like all supported devices */
    memcpy(&bits, flag, clprim_type_size(type));
    return (bits & clprim__flag_bits(type)) != 0;
}

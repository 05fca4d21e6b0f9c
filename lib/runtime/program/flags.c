/* flags.c: which bits of a flag matter. */
#include "flags.h"

#include "kinds.h"

void clprim__flags_option(clprim__text *options, clprim_type type)
{
    const unsigned long long all = UINT64_MAX >> (64 - 8 * clprim_type_size(type));
    clprim__text_format(options, " -DFLAG_BITS=0x%llxul", clprim__is_float(type) ? all >> 1 : all);
}

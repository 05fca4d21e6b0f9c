/* flags.c: which bits of a flag matter. */
#include "flags.h"

void clprim__flags_option(clprim__text *options, clprim_type type)
{
    const bool is_float = type == CLPRIM_F16 || type == CLPRIM_F32 || type == CLPRIM_F64;
    const unsigned long long all = UINT64_MAX >> (64 - 8 * clprim_type_size(type));
    clprim__text_format(options, " -DFLAG_BITS=0x%llxul", is_float ? all >> 1 : all);
}

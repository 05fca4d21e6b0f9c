// SPDX-License-Identifier: MIT
/* version.c: the version that the library was built as. */
#include <clprim/version.h>

int clprim_version(void)
{
    return CLPRIM_VERSION;
}

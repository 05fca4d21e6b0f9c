/* version.c: what the library answers that was built from these headers. */
#include <clprim/version.h>

int clprim_version(void)
{
    return CLPRIM_VERSION;
}

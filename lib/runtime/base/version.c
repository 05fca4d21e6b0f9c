/* version.c: what the library answers that was built from these headers. */
#include <clprim/version.h>

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

int clprim_version(void)
{
    return CLPRIM_VERSION;
}

const char *clprim_version_text(void)
{
    return TEXT(CLPRIM_VERSION_MAJOR) "." TEXT(CLPRIM_VERSION_MINOR) "." TEXT(CLPRIM_VERSION_PATCH);
}

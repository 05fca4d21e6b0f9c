/* clprim/version.h: the version of these headers, which CMake reads from here, and that of the library. */
#ifndef CLPRIM_VERSION_H
#define CLPRIM_VERSION_H

#include <clprim/export.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CLPRIM_VERSION_MAJOR 0
#define CLPRIM_VERSION_MINOR 2
#define CLPRIM_VERSION_PATCH 0

/* The same as one number, to compare: 10203 is 1.2.3. */
#define CLPRIM_VERSION (CLPRIM_VERSION_MAJOR * 10000 + CLPRIM_VERSION_MINOR * 100 + CLPRIM_VERSION_PATCH)

/* The version of the library that runs, as a number like CLPRIM_VERSION. Of a shared library it may be another one than
 * that of the headers: descriptions fit where both are equal but for the patch, clprim_version() / 100 ==
 * CLPRIM_VERSION / 100. */
CLPRIM_API int clprim_version(void);

#ifdef __cplusplus
}
#endif
#endif

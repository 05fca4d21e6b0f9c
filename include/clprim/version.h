/* clprim/version.h: the version of these headers, and the version of the library. CMake reads the numbers from here. */
#ifndef CLPRIM_VERSION_H
#define CLPRIM_VERSION_H

#include <clprim/export.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CLPRIM_VERSION_MAJOR 0
#define CLPRIM_VERSION_MINOR 2
#define CLPRIM_VERSION_PATCH 0

/* The version of the headers as one number, for comparisons: 10203 is 1.2.3. */
#define CLPRIM_VERSION (CLPRIM_VERSION_MAJOR * 10000 + CLPRIM_VERSION_MINOR * 100 + CLPRIM_VERSION_PATCH)

/* The version of the library, as a number like CLPRIM_VERSION. A shared library may have another version than the
 * headers that a program was compiled with. Headers and library are compatible if they differ at most in the patch
 * number: clprim_version() / 100 == CLPRIM_VERSION / 100. */
CLPRIM_API int clprim_version(void);

#ifdef __cplusplus
}
#endif
#endif

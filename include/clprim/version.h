// SPDX-License-Identifier: MIT
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

/* The version of the library, as a number like CLPRIM_VERSION. The version of a shared library may differ from that of
 * the headers that a program was compiled with. They are compatible if only the patch number differs: clprim_version()
 * / 100 == CLPRIM_VERSION / 100. */
CLPRIM_API int clprim_version(void);

#ifdef __cplusplus
}
#endif
#endif

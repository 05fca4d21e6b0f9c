/* clprim/version.h: the version of these headers. CMake reads it from here. */
#ifndef CLPRIM_VERSION_H
#define CLPRIM_VERSION_H

#define CLPRIM_VERSION_MAJOR 0
#define CLPRIM_VERSION_MINOR 1
#define CLPRIM_VERSION_PATCH 0

#endif

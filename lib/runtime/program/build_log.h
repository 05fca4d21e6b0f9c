/* build_log.h: make compilers' logs name the file and line that a developer knows. */
#ifndef CLPRIM_LIB_BUILD_LOG_H
#define CLPRIM_LIB_BUILD_LOG_H

#include "text.h"

/* Append a driver's log. Where it counts lines in the whole source it was given, as NVIDIA's does ("<kernel>:87:5"),
 * instead of following #line, each such place is replaced by the file and line that the source's #line directives give
 * it ("kernels/reduce/tree.cl:26:5"). */
void clprim__build_log_append(clprim__text *out, const char *log, const char *source);

#endif

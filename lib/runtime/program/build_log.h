// SPDX-License-Identifier: MIT
/* build_log.h: translate positions in build logs to files and lines that a developer knows. */
#ifndef CLPRIM_LIB_BUILD_LOG_H
#define CLPRIM_LIB_BUILD_LOG_H

#include "text.h"

/* Append a driver's log. Some drivers ignore #line directives and count lines in the whole source, as NVIDIA's does
 * ("<kernel>:87:5"). Each such position is replaced by the file and line from the source's #line directives
 * ("kernels/reduce/tree.cl:26:5"). */
void clprim__build_log_append(clprim__text *out, const char *log, const char *source);

#endif

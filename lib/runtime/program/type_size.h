// SPDX-License-Identifier: MIT
/* type_size.h: explain that the size of a caller's type differs between host and device. */
#ifndef CLPRIM_LIB_TYPE_SIZE_H
#define CLPRIM_LIB_TYPE_SIZE_H

#include <clprim/runtime.h>

#include "text.h"

/* If this is the reason why a build of `source` with `options` failed, according to its log, append a sentence with
 * both sizes. A separate kernel is compiled to find the size on the device; if that fails, the sentence gives only the
 * host's. */
void clprim__type_size_explain(clprim__text *out, cl_context context, cl_device_id device, const char *log,
                               const char *source, const char *options);

#endif

/* type_size.h: what is said where a caller's type has not the size on the device that the caller says. */
#ifndef CLPRIM_LIB_TYPE_SIZE_H
#define CLPRIM_LIB_TYPE_SIZE_H

#include <clprim/runtime.h>

#include "text.h"

/* Append a sentence with both sizes where that is what the log of a build of `source` with `options` complains of. The
 * device's size comes from a kernel of its own; where the compiler does not take that, only the host's is named. */
void clprim__type_size_explain(clprim__text *out, cl_context context, cl_device_id device, const char *log,
                               const char *source, const char *options);

#endif

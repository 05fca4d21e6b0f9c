// SPDX-License-Identifier: MIT
/* device.h: the device of a rank. */
#ifndef CLPRIM_EXAMPLES_DEVICE_H
#define CLPRIM_EXAMPLES_DEVICE_H

#include <clprim/runtime.h>

/* Make a runtime. Ranks on one machine share its GPUs: `place` is the rank's number there. CLPRIM_DEVICE overrides
 * that; without a GPU all take the best device. False: clprim_last_error() says why. */
bool device_runtime(clprim_runtime **out, unsigned place);

#endif

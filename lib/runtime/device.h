/* device.h: devices and the facts about them. */
#ifndef CLPRIM_LIB_DEVICE_H
#define CLPRIM_LIB_DEVICE_H

#include <clprim/runtime.h>

/* Ask the driver for everything the library wants to know. index is left 0.
 * Errors: OpenCL's own code where the device does not answer the basic questions. */
clprim_status clprim__device_query(clprim_device_info *out, cl_platform_id platform, cl_device_id device);

/* The device a selection names (see CLPRIM_DEVICE in runtime.h); NULL or "": the best one.
 * Errors: CLPRIM_NO_DEVICE, CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__device_select(clprim_device_info *out, const char *selection);

#endif

/* device.h: devices and the facts about them. */
#ifndef CLPRIM_LIB_DEVICE_H
#define CLPRIM_LIB_DEVICE_H

#include <clprim/runtime.h>

/* Held around the first contact with drivers, by which several of them initialise themselves (PoCL 3.1 not safely in
 * several threads): enumeration and the creation of contexts. */
void clprim__driver_lock(void);
void clprim__driver_unlock(void);

/* What went wrong first, if anything did. Not yet the thread's last error, since devices may be passed over. */
typedef struct clprim__trouble {
    cl_int code;
    const char *call; /* static */
    char empty[128];  /* name of the first platform that has no device, or "" */
} clprim__trouble;

void clprim__note(clprim__trouble *first, cl_int code, const char *call);

/* Ask the driver for everything the library wants to know. index is left 0.
 * Errors: OpenCL's own code where the device does not answer the basic questions. */
clprim_status clprim__device_query(clprim_device_info *out, cl_platform_id platform, cl_device_id device);

/* The same for one of many: false where it is passed over, since it does not answer, or cannot compile. */
bool clprim__device_look(clprim_device_info *out, clprim__trouble *first, cl_platform_id platform, cl_device_id device);

/* The device a selection names (see CLPRIM_DEVICE in runtime.h); NULL or "": the best one.
 * Errors: CLPRIM_NO_DEVICE. Pre: the driver lock is held. */
clprim_status clprim__device_select(clprim_device_info *out, const char *selection);

/* Whether a selection, if there is one, names the caller's own device, about which these facts are.
 * Errors: CLPRIM_INVALID_ARGUMENT. Pre: the driver lock is not held. */
clprim_status clprim__device_check_selected(const clprim_device_info *info, const char *selection);

/* Whether kernels/common/look_back.cl works there: groups may wait for one another and can hand words on. */
bool clprim__device_can_look_back(const clprim_device_info *info);

/* Local memory for the library's kernels: some drivers need some of it themselves. */
static inline size_t clprim__device_local_room(const clprim_device_info *info)
{
    return info->local_memory_size / 8 * 7;
}

/* CLPRIM_UNSUPPORTED: what elements of so many bytes take of local memory is not there. */
clprim_status clprim__device_lacks_local(const clprim_device_info *info, size_t element_size);

/* Whether a group may wait for what others have written to global memory. */
bool clprim__device_can_wait(const clprim_device_info *info);

#endif

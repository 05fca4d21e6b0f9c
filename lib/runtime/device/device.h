/* device.h: devices and the facts about them. */
#ifndef CLPRIM_LIB_DEVICE_H
#define CLPRIM_LIB_DEVICE_H

#include <clprim/runtime.h>

/* Held during enumeration and the creation of contexts, in which some drivers initialise themselves, PoCL 3.1 not
 * safely in several threads. */
void clprim__driver_lock(void);
void clprim__driver_unlock(void);

/* The first failure, if any. It is not yet the thread's last error, since devices may be skipped. */
typedef struct clprim__trouble {
    cl_int code;
    const char *call; /* static */
    char empty[128];  /* name of the first platform that has no device, or "" */
} clprim__trouble;

void clprim__note(clprim__trouble *first, cl_int code, const char *call);

/* Ask the driver for all facts that the library uses. .index stays 0.
 * Errors: OpenCL's own code if the device does not answer the basic queries. */
clprim_status clprim__device_query(clprim_device_info *out, cl_platform_id platform, cl_device_id device);

/* The same for one of many: false if the device is skipped, because it does not answer or cannot compile. */
bool clprim__device_look(clprim_device_info *out, clprim__trouble *first, cl_platform_id platform, cl_device_id device);

/* The device a selection names (see CLPRIM_DEVICE in runtime.h); NULL or "": the best one.
 * Errors: CLPRIM_NO_DEVICE. Pre: the driver lock is held. */
clprim_status clprim__device_select(clprim_device_info *out, const char *selection);

/* Check that a selection, if there is one, names the caller's own device, which has these facts.
 * Errors: CLPRIM_INVALID_ARGUMENT. Pre: the driver lock is not held. */
clprim_status clprim__device_check_selected(const clprim_device_info *info, const char *selection);

/* Check that CLPRIM_WITHOUT (runtime.h) names only features that there are. Errors: CLPRIM_INVALID_ARGUMENT. */
clprim_status clprim__device_check_without(void);

/* Whether the work-items of a group exchange words in sub-groups of 32, by inline PTX. */
bool clprim__device_has_warps(const clprim_device_info *info, size_t group_size);

/* How many values a group's CLPRIM_WORK_GROUP_SCAN has in local memory at most (clprim/device/rows.h, sub_group.h). */
size_t clprim__device_scan_values(const clprim_device_info *info, size_t group_size);

/* The same of its CLPRIM_WORK_GROUP_TILE_SCAN (clprim/device/work_group_tile_scan.h). */
size_t clprim__device_tile_scan_values(const clprim_device_info *info, size_t group_size, size_t items);

/* The version of OpenCL C that programs are compiled for: 120, 200 or 300. */
static inline unsigned clprim__device_language(const clprim_device_info *info)
{
    return info->opencl_c_version >= 300 ? 300 : info->opencl_c_version >= 200 ? 200 : 120;
}

/* Local memory that NVIDIA's compiler takes, at least on the GPUs measured: more than the driver says. A program that needs
 * it may fail to build (CLPRIM_BUILD_FAILED), and is then to be built for clprim__device_local_room. */
enum { CLPRIM__NVIDIA_LOCAL_BYTES = 110 * 1024 };

/* All local memory that a group of the library's may have: some drivers reserve part of it. */
static inline size_t clprim__device_local_whole(const clprim_device_info *info)
{
    return info->local_memory_size / 8 * 7;
}

/* What a group should have. Parameters were measured on NVIDIA's GPUs and on CPUs, and are right for these. On others two
 * groups at least find room on a compute unit, so that one computes while the other waits for memory. Too little local
 * memory is not divided. */
static inline size_t clprim__device_local_room(const clprim_device_info *info)
{
    enum { LEAST = 32 * 1024 };
    const bool is_measured = info->vendor == CLPRIM_VENDOR_NVIDIA || info->kind == CLPRIM_DEVICE_CPU;
    return is_measured || info->local_memory_size < LEAST ? clprim__device_local_whole(info)
                                                          : info->local_memory_size / 2;
}

/* CLPRIM_UNSUPPORTED: there is not enough local memory for elements of so many bytes. */
clprim_status clprim__device_lacks_local(const clprim_device_info *info, size_t element_size);

/* CLPRIM_UNSUPPORTED: so many bytes are too many for one buffer. Not all drivers refuse to create it. */
clprim_status clprim__device_check_allocation(const clprim_device_info *info, size_t bytes);

/* Whether a group may wait for what others have written to global memory. */
bool clprim__device_can_wait(const clprim_device_info *info);

#endif

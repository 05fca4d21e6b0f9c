// SPDX-License-Identifier: MIT
/* device.h: devices and their properties. */
#ifndef CLPRIM_LIB_DEVICE_H
#define CLPRIM_LIB_DEVICE_H

#include <clprim/runtime.h>

/* A lock for enumerating devices and creating contexts. Some drivers initialise themselves then, and PoCL 3.1's
 * initialisation is not thread-safe. */
void clprim__driver_lock(void);
void clprim__driver_unlock(void);

/* The first failure, if any. It is not the thread's last error yet, because a device that fails may simply be
 * skipped. */
typedef struct clprim__trouble {
    cl_int code;
    const char *call; /* static */
    char empty[128];  /* name of the first platform that has no device, or "" */
} clprim__trouble;

void clprim__note(clprim__trouble *first, cl_int code, const char *call);

/* Query all properties that the library uses. .index stays 0.
 * Errors: OpenCL's own code if the device does not answer the basic queries. */
clprim_status clprim__device_query(clprim_device_info *out, cl_platform_id platform, cl_device_id device);

/* The same while enumerating devices. Returns false if the device is skipped because it does not answer or cannot
 * compile. */
bool clprim__device_look(clprim_device_info *out, clprim__trouble *first, cl_platform_id platform, cl_device_id device);

/* Find the device that a selection string names (see CLPRIM_DEVICE in runtime.h); for NULL or "", the best device.
 * Errors: CLPRIM_NO_DEVICE. Pre: the driver lock is held. */
clprim_status clprim__device_select(clprim_device_info *out, const char *selection);

/* Check that a selection string, if there is one, matches the caller's own device, whose properties are *info.
 * Errors: CLPRIM_INVALID_ARGUMENT. Pre: the driver lock is not held. */
clprim_status clprim__device_check_selected(const clprim_device_info *info, const char *selection);

/* Check that CLPRIM_WITHOUT (runtime.h) names only known features. Errors: CLPRIM_INVALID_ARGUMENT. */
clprim_status clprim__device_check_without(void);

/* Whether kernels exchange words within sub-groups of 32 work-items by inline PTX, for groups of this size. */
bool clprim__device_has_warps(const clprim_device_info *info, size_t group_size);

/* Upper bound for the number of values that CLPRIM_WORK_GROUP_SCAN keeps in local memory for a group of this size
 * (clprim/device/rows.h, sub_group.h). */
size_t clprim__device_scan_values(const clprim_device_info *info, size_t group_size);

/* The same for CLPRIM_WORK_GROUP_TILE_SCAN (clprim/device/work_group_tile_scan.h). */
size_t clprim__device_tile_scan_values(const clprim_device_info *info, size_t group_size, size_t items);

/* The version of OpenCL C that programs are compiled for: 120, 200 or 300. */
static inline unsigned clprim__device_language(const clprim_device_info *info)
{
    return info->opencl_c_version >= 300 ? 300 : info->opencl_c_version >= 200 ? 200 : 120;
}

/* The local memory that NVIDIA's compiler accepts, at least on the GPUs that were measured: more than the driver
 * reports. A program that needs this much may fail to build (CLPRIM_BUILD_FAILED). Then build it for
 * clprim__device_local_room instead. */
enum { CLPRIM__NVIDIA_LOCAL_BYTES = 110 * 1024 };

/* The most local memory that a work-group of the library may use. Some drivers reserve part of the device's local
 * memory. */
static inline size_t clprim__device_local_whole(const clprim_device_info *info)
{
    return info->local_memory_size / 8 * 7;
}

/* The local memory that a work-group should use. Parameters were measured on NVIDIA's GPUs and on CPUs, and are used
 * there as they are. On other devices, at least two groups should fit on a compute unit, so that one computes while the
 * other waits for memory. If there is too little local memory, it is not divided. */
static inline size_t clprim__device_local_room(const clprim_device_info *info)
{
    enum { LEAST = 32 * 1024 };
    const bool is_measured = info->vendor == CLPRIM_VENDOR_NVIDIA || info->kind == CLPRIM_DEVICE_CPU;
    return is_measured || info->local_memory_size < LEAST ? clprim__device_local_whole(info)
                                                          : info->local_memory_size / 2;
}

/* Returns CLPRIM_UNSUPPORTED, with the sentence that there is not enough local memory for elements of this size. */
clprim_status clprim__device_lacks_local(const clprim_device_info *info, size_t element_size);

/* Returns CLPRIM_UNSUPPORTED if the device cannot have a buffer of so many bytes. Not all drivers refuse to create
 * one. */
clprim_status clprim__device_check_allocation(const clprim_device_info *info, size_t bytes);

/* Bytes of the vectors that the device's instructions take. */
clprim_status clprim__device_vector_size(size_t *out, const clprim_device_info *info);

/* Whether a work-group may wait for values that other groups write to global memory. */
bool clprim__device_can_wait(const clprim_device_info *info);

#endif

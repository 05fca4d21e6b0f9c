// SPDX-License-Identifier: MIT
/* device.c: query the properties of a device. */
#include "device.h"

#include <clprim/device/rows.h>
#include <clprim/device/work_group_exchange.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "sizes.h"
#include "text.h"

/* Constants of extensions, and of OpenCL 2.0 and 3.0, that older headers lack. */
enum {
    DEVICE_COMPUTE_CAPABILITY_MAJOR_NV = 0x4000,
    DEVICE_WARP_SIZE_NV = 0x4003,
    DEVICE_WAVEFRONT_WIDTH_AMD = 0x4043,
    DEVICE_SUB_GROUP_SIZES_INTEL = 0x4108,
    DEVICE_SVM_CAPABILITIES = 0x1053,
    SVM_FINE_GRAIN_SYSTEM = 1 << 2,
    DEVICE_ATOMIC_MEMORY_CAPABILITIES = 0x1063,
    DEVICE_OPENCL_C_FEATURES = 0x106F,
    ATOMIC_ORDER_ACQ_REL = 1 << 1,
    ATOMIC_SCOPE_DEVICE = 1 << 5
};

enum { EXTENSIONS_SIZE = 16384 };

void clprim__note(clprim__trouble *first, cl_int code, const char *call)
{
    if (first->code == CL_SUCCESS && code != CL_SUCCESS) {
        first->code = code;
        first->call = call;
    }
}

/* If the driver returns CL_INVALID_VALUE, the string is too long for `out` or the query is unknown; `out` is then
 * "". */
static void keep_string(char *out, size_t capacity, cl_int code, clprim__trouble *first, const char *call)
{
    if (code != CL_SUCCESS)
        out[0] = '\0';
    out[capacity - 1] = '\0';
    clprim__note(first, code != CL_INVALID_VALUE ? code : CL_SUCCESS, call);
}

static void device_string(char *out, size_t capacity, cl_device_id device, cl_device_info what, clprim__trouble *first)
{
    out[0] = '\0';
    keep_string(out, capacity, clGetDeviceInfo(device, what, capacity, out, NULL), first, "clGetDeviceInfo");
}

static void platform_string(char *out, size_t capacity, cl_platform_id platform, cl_platform_info what,
                            clprim__trouble *first)
{
    out[0] = '\0';
    keep_string(out, capacity, clGetPlatformInfo(platform, what, capacity, out, NULL), first, "clGetPlatformInfo");
}

static cl_int ask_number(cl_ulong *out, cl_device_id device, cl_device_info what)
{
    union {
        cl_uint narrow;
        cl_ulong wide;
    } value = {0};
    size_t size = 0;
    const cl_int code = clGetDeviceInfo(device, what, sizeof value, &value, &size);
    *out = size == sizeof value.narrow ? value.narrow : value.wide;
    return code;
}

/* A property that older drivers may not know; returns `otherwise` if the driver does not. */
static cl_ulong optional_number(cl_device_id device, cl_device_info what, cl_ulong otherwise)
{
    cl_ulong number = 0;
    return ask_number(&number, device, what) == CL_SUCCESS ? number : otherwise;
}

/* A property that every driver must know; returns 0 after an error. */
static cl_ulong basic_number(cl_device_id device, cl_device_info what, clprim__trouble *first)
{
    cl_ulong number = 0;
    const cl_int code = ask_number(&number, device, what);
    clprim__note(first, code, "clGetDeviceInfo");
    return code == CL_SUCCESS ? number : 0;
}

static clprim_vendor vendor_of(const clprim_device_info *info)
{
    static const struct {
        const char *platform;
        clprim_vendor vendor;
    } rows[] = {{"NVIDIA CUDA", CLPRIM_VENDOR_NVIDIA},  {"Portable Computing Language", CLPRIM_VENDOR_POCL},
                {"AMD Accelerated", CLPRIM_VENDOR_AMD}, {"Intel", CLPRIM_VENDOR_INTEL},
                {"rusticl", CLPRIM_VENDOR_MESA},        {"Clover", CLPRIM_VENDOR_MESA},
                {"ARM Platform", CLPRIM_VENDOR_ARM},    {"QUALCOMM", CLPRIM_VENDOR_QUALCOMM},
                {"Apple", CLPRIM_VENDOR_APPLE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (clprim__contains(info->platform_name, rows[i].platform))
            return rows[i].vendor;
    return CLPRIM_VENDOR_OTHER;
}

/* Whether the device lists this OpenCL C 3.0 feature. Older drivers list none. */
static bool has_feature(cl_device_id device, const char *name)
{
    struct {
        cl_uint version;
        char name[64];
    } features[64];
    size_t size = 0;
    if (clGetDeviceInfo(device, DEVICE_OPENCL_C_FEATURES, sizeof features, features, &size) != CL_SUCCESS)
        return false;
    for (size_t i = 0; i < size / sizeof *features; i++)
        if (strncmp(features[i].name, name, sizeof features[i].name) == 0)
            return true;
    return false;
}

/* Sub-groups are not used on PoCL. It switches between work-items at each shuffle, so scans within tiles take 4 times
 * as long as through local memory (PoCL 6.0, 2^20 elements), and twice as long to compile. */
static void query_sub_groups(clprim_device_info *info, const char *extensions)
{
    info->sub_group_means = CLPRIM_SUB_GROUP_NONE;
    info->sub_group_size = 1;
    if (info->vendor == CLPRIM_VENDOR_NVIDIA) {
        info->sub_group_means = CLPRIM_SUB_GROUP_PTX;
        info->sub_group_size = (unsigned)optional_number(info->device, DEVICE_WARP_SIZE_NV, 32);
        info->has_warp_reduction = optional_number(info->device, DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, 0) >= 8;
    } else if (info->vendor == CLPRIM_VENDOR_POCL) {
        return;
    } else if (strstr(extensions, "cl_khr_subgroups") != NULL) {
        info->sub_group_means = CLPRIM_SUB_GROUP_KHR;
    } else if (strstr(extensions, "cl_intel_subgroups ") != NULL) {
        info->sub_group_means = CLPRIM_SUB_GROUP_INTEL;
    }
    if (info->vendor == CLPRIM_VENDOR_AMD)
        info->sub_group_size = (unsigned)optional_number(info->device, DEVICE_WAVEFRONT_WIDTH_AMD, 64);
    /* Intel's compiler chooses the sub-group width itself unless it is told one. With width 16, kernels for dg2 keep
     * values in memory that would fit into registers with width 8. */
    size_t sizes[8] = {0};
    if (info->vendor == CLPRIM_VENDOR_INTEL &&
        clGetDeviceInfo(info->device, DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, NULL) == CL_SUCCESS &&
        sizes[0] != 0)
        info->sub_group_size = (unsigned)sizes[0];
}

/* If sub-groups are a feature of OpenCL C 3.0 and not an extension, kernels must be compiled for OpenCL C 3.0. */
static void query_sub_group_feature(clprim_device_info *info)
{
    if (info->sub_group_means == CLPRIM_SUB_GROUP_NONE && info->vendor != CLPRIM_VENDOR_POCL &&
        has_feature(info->device, "__opencl_c_subgroups")) {
        info->sub_group_means = CLPRIM_SUB_GROUP_KHR;
        info->opencl_c_version = 300;
    }
}

/* May one work-group read what another one published in the same kernel? On NVIDIA, inline PTX can order the accesses.
 * OpenCL C 1.2's atomics are known to be enough on PoCL (they are full barriers) and on Oclgrind (an interpreter).
 * OpenCL C 2.0 has a fence with device scope, and 3.0 has it as an option. Kernels must then be compiled for that
 * version: a 3.0 device need not list 2.0 among the versions with which it is fully compatible. On all other devices
 * there is no such guarantee. */
static void query_device_fence(clprim_device_info *info)
{
    const cl_ulong wanted = ATOMIC_ORDER_ACQ_REL | ATOMIC_SCOPE_DEVICE;
    const bool knows_order = info->sub_group_means == CLPRIM_SUB_GROUP_PTX || info->vendor == CLPRIM_VENDOR_POCL ||
                             clprim__contains(info->platform_name, "oclgrind");
    const bool has_option = (optional_number(info->device, DEVICE_ATOMIC_MEMORY_CAPABILITIES, 0) & wanted) == wanted;
    if (knows_order)
        info->opencl_c_version = 120;
    else if (has_option)
        info->opencl_c_version = 300;
    info->has_device_fence =
        knows_order || has_option || (info->opencl_c_version >= 200 && info->opencl_c_version < 300);
}

/* May a work-group wait for another one (forward progress)? OpenCL does not guarantee it. It is safe if started groups
 * keep running: because they have hardware of their own (the GPUs on which CUB and rocPRIM run look-back scans),
 * because they have a thread of their own (PoCL, Intel's CPU runtime), or because groups run to completion one after
 * another (Oclgrind; tickets ensure that no group waits for a later one). On every NVIDIA GPU, CUB uses the group
 * number as the tile number, so it relies on groups being started in order. Mesa's llvmpipe terminates a loop after
 * 65535 iterations. */
static void query_progress(clprim_device_info *info)
{
    info->has_forward_progress = info->vendor == CLPRIM_VENDOR_NVIDIA || info->vendor == CLPRIM_VENDOR_POCL ||
                                 (info->vendor == CLPRIM_VENDOR_AMD && info->kind == CLPRIM_DEVICE_GPU) ||
                                 (info->vendor == CLPRIM_VENDOR_INTEL && info->kind == CLPRIM_DEVICE_CPU) ||
                                 clprim__contains(info->platform_name, "oclgrind");
    info->starts_groups_in_order = info->vendor == CLPRIM_VENDOR_NVIDIA;
}

/* Whether CLPRIM_WITHOUT disables this feature (see runtime.h). */
static bool is_unwanted(const char *feature)
{
    const char *list = getenv("CLPRIM_WITHOUT");
    const size_t length = strlen(feature);
    while (list != NULL && *list != '\0') {
        const size_t item = strcspn(list, ",");
        if (item == length && strncmp(list, feature, length) == 0)
            return true;
        list += item + (list[item] == ',');
    }
    return false;
}

clprim_status clprim__device_check_without(void)
{
    static const char features[] = "sub_groups, int64_atomics, device_fence, forward_progress, group_order, fp64, svm, "
                                   "command_buffers, unified_memory, native_kernels";
    const char *list = getenv("CLPRIM_WITHOUT");
    while (list != NULL && *list != '\0') {
        const size_t item = strcspn(list, ",");
        bool is_known = item == 0;
        for (const char *f = features; *f != '\0' && !is_known; f += strspn(f, ", ")) {
            const size_t length = strcspn(f, ",");
            is_known = item == length && strncmp(list, f, length) == 0;
            f += length;
        }
        if (!is_known)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "CLPRIM_WITHOUT has \"%.*s\", but must be a list of: %s",
                                (int)item, list, features);
        list += item + (list[item] == ',');
    }
    return CLPRIM_SUCCESS;
}

clprim_status clprim__device_lacks_local(const clprim_device_info *info, size_t element_size)
{
    return clprim__fail(CLPRIM_UNSUPPORTED, "elements of %zu bytes take more local memory than %s has (%zu bytes)",
                        element_size, info->name, info->local_memory_size);
}

clprim_status clprim__device_check_allocation(const clprim_device_info *info, size_t bytes)
{
    if (bytes > info->max_allocation_size)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%zu bytes are more than %s allows in one buffer (%zu)", bytes,
                            info->name, info->max_allocation_size);
    return CLPRIM_SUCCESS;
}

bool clprim__device_has_warps(const clprim_device_info *info, size_t group_size)
{
    return info->sub_group_means == CLPRIM_SUB_GROUP_PTX && group_size % 32 == 0;
}

clprim_status clprim__device_vector_size(size_t *out, const clprim_device_info *info)
{
    cl_ulong lanes = 0;
    const cl_int code = ask_number(&lanes, info->device, CL_DEVICE_NATIVE_VECTOR_WIDTH_INT);
    *out = (size_t)lanes * sizeof(cl_int);
    return clprim__cl(code, "clGetDeviceInfo");
}

size_t clprim__device_scan_values(const clprim_device_info *info, size_t group_size)
{
    if (clprim__device_has_warps(info, group_size))
        return group_size / 32;
    return CLPRIM__ROW_VALUES(group_size) + CLPRIM__ROWS(group_size);
}

size_t clprim__device_tile_scan_values(const clprim_device_info *info, size_t group_size, size_t items)
{
    const size_t scan = clprim__device_scan_values(info, group_size);
    if (clprim__device_has_warps(info, group_size))
        return scan;
    return scan + (items > 1 ? CLPRIM__PADDED(items, group_size * items - 1) + 1 : 1);
}

bool clprim__device_can_wait(const clprim_device_info *info)
{
    return info->has_forward_progress && info->has_device_fence;
}

static unsigned opencl_c_version(cl_device_id device, clprim__trouble *first)
{
    char text[128];
    device_string(text, sizeof text, device, CL_DEVICE_OPENCL_C_VERSION, first);
    char *end = NULL;
    const char *digits = strncmp(text, "OpenCL C ", 9) == 0 ? text + 9 : "1.0";
    const unsigned long major = strtoul(digits, &end, 10);
    const unsigned long minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
    return (unsigned)(major * 100 + minor * 10);
}

static clprim_device_kind kind_of(cl_device_type type)
{
    if (type & CL_DEVICE_TYPE_GPU)
        return CLPRIM_DEVICE_GPU;
    if (type & CL_DEVICE_TYPE_ACCELERATOR)
        return CLPRIM_DEVICE_ACCELERATOR;
    return type & CL_DEVICE_TYPE_CPU ? CLPRIM_DEVICE_CPU : CLPRIM_DEVICE_OTHER;
}

static void query_capabilities(clprim_device_info *info, clprim__trouble *first)
{
    char extensions[EXTENSIONS_SIZE];
    device_string(extensions, EXTENSIONS_SIZE - 1, info->device, CL_DEVICE_EXTENSIONS, first);
    memcpy(extensions + strlen(extensions), " ", 2); /* so that every name is followed by a space */
    info->has_int64_atomics = strstr(extensions, "cl_khr_int64_base_atomics ") != NULL && !is_unwanted("int64_atomics");
    info->has_fp64 = strstr(extensions, "cl_khr_fp64 ") != NULL && !is_unwanted("fp64");
    info->has_fp16 = strstr(extensions, "cl_khr_fp16 ") != NULL;
    info->has_command_buffers = strstr(extensions, "cl_khr_command_buffer ") != NULL && !is_unwanted("command_buffers");
    if (is_unwanted("sub_groups")) {
        info->sub_group_means = CLPRIM_SUB_GROUP_NONE;
        info->sub_group_size = 1;
    } else {
        query_sub_groups(info, extensions);
    }
    query_device_fence(info);
    if (!is_unwanted("sub_groups"))
        query_sub_group_feature(info);
    query_progress(info);
    info->has_device_fence = info->has_device_fence && !is_unwanted("device_fence");
    info->has_forward_progress = info->has_forward_progress && !is_unwanted("forward_progress");
    info->starts_groups_in_order = info->starts_groups_in_order && !is_unwanted("group_order");
    const cl_ulong float_wanted = CL_FP_DENORM | CL_FP_ROUND_TO_NEAREST;
    info->has_denormals_f32 =
        (optional_number(info->device, CL_DEVICE_SINGLE_FP_CONFIG, 0) & float_wanted) == float_wanted;
    const cl_ulong svm = is_unwanted("svm") ? 0 : optional_number(info->device, DEVICE_SVM_CAPABILITIES, 0);
    info->has_svm = svm != 0;
    info->has_system_svm = (svm & SVM_FINE_GRAIN_SYSTEM) != 0;
}

static clprim_device_info query(cl_platform_id platform, cl_device_id device, clprim__trouble *first)
{
    clprim_device_info info = {.platform = platform, .device = device};
    info.kind = kind_of((cl_device_type)basic_number(device, CL_DEVICE_TYPE, first));
    device_string(info.name, sizeof info.name, device, CL_DEVICE_NAME, first);
    device_string(info.vendor_name, sizeof info.vendor_name, device, CL_DEVICE_VENDOR, first);
    device_string(info.driver_version, sizeof info.driver_version, device, CL_DRIVER_VERSION, first);
    platform_string(info.platform_name, sizeof info.platform_name, platform, CL_PLATFORM_NAME, first);
    platform_string(info.platform_version, sizeof info.platform_version, platform, CL_PLATFORM_VERSION, first);
    info.vendor = vendor_of(&info);
    info.opencl_c_version = opencl_c_version(device, first);
    info.compute_units = (unsigned)basic_number(device, CL_DEVICE_MAX_COMPUTE_UNITS, first);
    info.max_work_group_size = clprim__size_of(basic_number(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, first));
    info.local_memory_size = clprim__size_of(basic_number(device, CL_DEVICE_LOCAL_MEM_SIZE, first));
    info.global_memory_size = clprim__size_of(basic_number(device, CL_DEVICE_GLOBAL_MEM_SIZE, first));
    info.max_allocation_size = clprim__size_of(basic_number(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, first));
    info.base_address_alignment = (size_t)optional_number(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, 1024) / 8;
    info.is_unified_memory =
        optional_number(device, CL_DEVICE_HOST_UNIFIED_MEMORY, 0) != 0 && !is_unwanted("unified_memory");
    info.has_native_kernels =
        info.kind == CLPRIM_DEVICE_CPU && !is_unwanted("native_kernels") &&
        (optional_number(device, CL_DEVICE_EXECUTION_CAPABILITIES, 0) & CL_EXEC_NATIVE_KERNEL) != 0;
    query_capabilities(&info, first);
    return info;
}

clprim_status clprim__device_query(clprim_device_info *out, cl_platform_id platform, cl_device_id device)
{
    clprim__trouble first = {.code = CL_SUCCESS};
    const clprim_device_info info = query(platform, device, &first);
    if (first.code == CL_SUCCESS)
        *out = info;
    return clprim__cl(first.code, first.call);
}

bool clprim__device_look(clprim_device_info *out, clprim__trouble *first, cl_platform_id platform, cl_device_id device)
{
    clprim__trouble own = {.code = CL_SUCCESS};
    const bool is_able = basic_number(device, CL_DEVICE_AVAILABLE, &own) != 0 &&
                         basic_number(device, CL_DEVICE_COMPILER_AVAILABLE, &own) != 0;
    if (is_able)
        *out = query(platform, device, &own);
    clprim__note(first, own.code, own.call);
    return is_able && own.code == CL_SUCCESS;
}

/* device.c: enumerate devices, learn their facts, choose one. */
#include "device.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

/* Constants of extensions and of OpenCL 3.0 that older headers lack. */
enum {
    DEVICE_COMPUTE_CAPABILITY_MAJOR_NV = 0x4000,
    DEVICE_WARP_SIZE_NV = 0x4003,
    DEVICE_WAVEFRONT_WIDTH_AMD = 0x4043,
    DEVICE_SUB_GROUP_SIZES_INTEL = 0x4108,
    DEVICE_ATOMIC_MEMORY_CAPABILITIES = 0x1063,
    ATOMIC_ORDER_ACQ_REL = 1 << 1,
    ATOMIC_SCOPE_DEVICE = 1 << 5
};

enum { MAX_PLATFORMS = 64, EXTENSIONS_SIZE = 16384 };

static pthread_mutex_t driver_mutex = PTHREAD_MUTEX_INITIALIZER;

void clprim__driver_lock(void)
{
    pthread_mutex_lock(&driver_mutex);
}

void clprim__driver_unlock(void)
{
    pthread_mutex_unlock(&driver_mutex);
}

static bool contains_ignoring_case(const char *text, const char *part)
{
    const size_t length = strlen(part);
    for (; *text != '\0'; text++) {
        size_t i = 0;
        while (i < length && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
            i++;
        if (i == length)
            return true;
    }
    return length == 0;
}

static void device_string(char *out, size_t capacity, cl_device_id device, cl_device_info what)
{
    out[0] = '\0';
    if (clGetDeviceInfo(device, what, capacity, out, NULL) != CL_SUCCESS)
        out[0] = '\0'; /* longer than we keep, or not known */
    out[capacity - 1] = '\0';
}

static void platform_string(char *out, size_t capacity, cl_platform_id platform, cl_platform_info what)
{
    out[0] = '\0';
    if (clGetPlatformInfo(platform, what, capacity, out, NULL) != CL_SUCCESS)
        out[0] = '\0';
    out[capacity - 1] = '\0';
}

/* A fact that older drivers may not know: `otherwise` then. */
static cl_ulong optional_number(cl_device_id device, cl_device_info what, cl_ulong otherwise)
{
    union {
        cl_uint narrow;
        cl_ulong wide;
    } value = {0};
    size_t size = 0;
    if (clGetDeviceInfo(device, what, sizeof value, &value, &size) != CL_SUCCESS)
        return otherwise;
    return size == sizeof value.narrow ? value.narrow : value.wide;
}

static clprim_vendor vendor_of(const clprim_device_info *info)
{
    static const struct {
        const char *platform;
        clprim_vendor vendor;
    } rows[] = {{"NVIDIA CUDA", CLPRIM_VENDOR_NVIDIA},  {"Portable Computing Language", CLPRIM_VENDOR_POCL},
                {"AMD Accelerated", CLPRIM_VENDOR_AMD}, {"Intel", CLPRIM_VENDOR_INTEL},
                {"rusticl", CLPRIM_VENDOR_MESA},        {"Clover", CLPRIM_VENDOR_MESA}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (contains_ignoring_case(info->platform_name, rows[i].platform))
            return rows[i].vendor;
    return CLPRIM_VENDOR_OTHER;
}

/* Not PoCL's sub-groups: its work-items take turns between any two shuffles, so that the scans in tiles take 4 times as
 * long as through local memory (PoCL 6.0, 2^20 elements), and as long again to compile. */
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
    size_t sizes[8] = {0};
    if (info->vendor == CLPRIM_VENDOR_INTEL &&
        clGetDeviceInfo(info->device, DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, NULL) == CL_SUCCESS &&
        sizes[0] != 0)
        info->sub_group_size = (unsigned)sizes[0];
}

/* May one work-group read what another published in the same kernel? Inline PTX can order it. Where only OpenCL C 1.2's
 * atomics are used, those of PoCL (full barriers) and of Oclgrind (an interpreter) are known to. OpenCL C 2.0 has a
 * fence of device scope and 3.0 has one as an option; the kernels must be compiled for that version then, which a 3.0
 * device does not name among those it is fully compatible with. Elsewhere nothing promises it. */
static void query_device_fence(clprim_device_info *info)
{
    const cl_ulong wanted = ATOMIC_ORDER_ACQ_REL | ATOMIC_SCOPE_DEVICE;
    const bool knows_order = info->sub_group_means == CLPRIM_SUB_GROUP_PTX || info->vendor == CLPRIM_VENDOR_POCL ||
                             contains_ignoring_case(info->platform_name, "oclgrind");
    if (!knows_order && (optional_number(info->device, DEVICE_ATOMIC_MEMORY_CAPABILITIES, 0) & wanted) == wanted)
        info->opencl_c_version = 300;
    else if (knows_order)
        info->opencl_c_version = 120;
    info->has_device_fence = knows_order || info->opencl_c_version >= 200;
}

/* May a work-group wait for another one? OpenCL promises nothing. Started groups run on where they have hardware of
 * their own (the GPUs that CUB and rocPRIM run their look-back scans on), a thread (PoCL, Intel's CPU runtime), or run
 * to their end one after the other (Oclgrind; tickets then make sure that nobody waits for a later one). CUB takes the
 * group's number as its tile's on every NVIDIA GPU, and so relies on groups being started in order there. Mesa's
 * llvmpipe ends a loop after 65535 turns. */
static void query_progress(clprim_device_info *info)
{
    info->has_forward_progress = info->vendor == CLPRIM_VENDOR_NVIDIA || info->vendor == CLPRIM_VENDOR_POCL ||
                                 (info->vendor == CLPRIM_VENDOR_AMD && info->kind == CLPRIM_DEVICE_GPU) ||
                                 (info->vendor == CLPRIM_VENDOR_INTEL && info->kind == CLPRIM_DEVICE_CPU) ||
                                 contains_ignoring_case(info->platform_name, "oclgrind");
    info->starts_groups_in_order = info->vendor == CLPRIM_VENDOR_NVIDIA;
}

/* CLPRIM_WITHOUT, see runtime.h. */
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

bool clprim__device_can_look_back(const clprim_device_info *info)
{
    return info->has_forward_progress &&
           (info->sub_group_means == CLPRIM_SUB_GROUP_PTX || info->has_int64_atomics || info->has_device_fence);
}

static unsigned opencl_c_version(cl_device_id device)
{
    char text[128];
    device_string(text, sizeof text, device, CL_DEVICE_OPENCL_C_VERSION);
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

static void query_capabilities(clprim_device_info *info)
{
    char *extensions = calloc(1, EXTENSIONS_SIZE);
    if (extensions == NULL)
        return; /* the device then seems to have none, which every primitive can live with */
    device_string(extensions, EXTENSIONS_SIZE - 2, info->device, CL_DEVICE_EXTENSIONS);
    extensions[strlen(extensions)] = ' '; /* so that every name is followed by a space; the last byte stays 0 */
    info->has_int64_atomics = strstr(extensions, "cl_khr_int64_base_atomics ") != NULL && !is_unwanted("int64_atomics");
    info->has_fp64 = strstr(extensions, "cl_khr_fp64 ") != NULL && !is_unwanted("fp64");
    info->has_fp16 = strstr(extensions, "cl_khr_fp16 ") != NULL;
    if (is_unwanted("sub_groups")) {
        info->sub_group_means = CLPRIM_SUB_GROUP_NONE;
        info->sub_group_size = 1;
    } else {
        query_sub_groups(info, extensions);
    }
    free(extensions);
    query_device_fence(info);
    query_progress(info);
    info->has_device_fence = info->has_device_fence && !is_unwanted("device_fence");
    info->has_forward_progress = info->has_forward_progress && !is_unwanted("forward_progress");
    info->starts_groups_in_order = info->starts_groups_in_order && !is_unwanted("group_order");
    const cl_ulong float_wanted = CL_FP_DENORM | CL_FP_ROUND_TO_NEAREST;
    info->has_denormals_f32 =
        (optional_number(info->device, CL_DEVICE_SINGLE_FP_CONFIG, 0) & float_wanted) == float_wanted;
}

clprim_status clprim__device_query(clprim_device_info *out, cl_platform_id platform, cl_device_id device)
{
    clprim_device_info info = {.platform = platform, .device = device};
    cl_device_type type = 0;
    clprim_status status =
        clprim__cl(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL), "clGetDeviceInfo(TYPE)");
    if (status != CLPRIM_SUCCESS)
        return status;
    info.kind = kind_of(type);
    device_string(info.name, sizeof info.name, device, CL_DEVICE_NAME);
    device_string(info.vendor_name, sizeof info.vendor_name, device, CL_DEVICE_VENDOR);
    device_string(info.driver_version, sizeof info.driver_version, device, CL_DRIVER_VERSION);
    platform_string(info.platform_name, sizeof info.platform_name, platform, CL_PLATFORM_NAME);
    platform_string(info.platform_version, sizeof info.platform_version, platform, CL_PLATFORM_VERSION);
    info.vendor = vendor_of(&info);
    info.opencl_c_version = opencl_c_version(device);
    info.compute_units = (unsigned)optional_number(device, CL_DEVICE_MAX_COMPUTE_UNITS, 1);
    info.max_work_group_size = (size_t)optional_number(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, 1);
    info.local_memory_size = (size_t)optional_number(device, CL_DEVICE_LOCAL_MEM_SIZE, 0);
    info.global_memory_size = (size_t)optional_number(device, CL_DEVICE_GLOBAL_MEM_SIZE, 0);
    info.max_allocation_size = (size_t)optional_number(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, 0);
    info.base_address_alignment = (size_t)optional_number(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, 1024) / 8;
    info.is_unified_memory = optional_number(device, CL_DEVICE_HOST_UNIFIED_MEMORY, 0) != 0;
    query_capabilities(&info);
    *out = info;
    return CLPRIM_SUCCESS;
}

/* Call visit for every device that can compile and answers; stop early where it returns false. */
static void for_each_device(bool (*visit)(void *state, const clprim_device_info *info), void *state)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint num_platforms = 0;
    if (clGetPlatformIDs(MAX_PLATFORMS, platforms, &num_platforms) != CL_SUCCESS)
        return; /* also what the loader answers where no driver is installed */
    if (num_platforms > MAX_PLATFORMS)
        num_platforms = MAX_PLATFORMS;
    size_t index = 0;
    for (cl_uint p = 0; p < num_platforms; p++) {
        cl_uint num_devices = 0;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 0, NULL, &num_devices) != CL_SUCCESS || num_devices == 0)
            continue;
        cl_device_id *devices = malloc(num_devices * sizeof(cl_device_id));
        if (devices == NULL ||
            clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, num_devices, devices, NULL) != CL_SUCCESS)
            num_devices = 0;
        for (cl_uint d = 0; d < num_devices; d++) {
            clprim_device_info info;
            if (optional_number(devices[d], CL_DEVICE_AVAILABLE, 0) == 0 ||
                optional_number(devices[d], CL_DEVICE_COMPILER_AVAILABLE, 0) == 0 ||
                clprim__device_query(&info, platforms[p], devices[d]) != CLPRIM_SUCCESS)
                continue;
            info.index = index++;
            if (!visit(state, &info)) {
                free(devices);
                return;
            }
        }
        free(devices);
    }
}

typedef struct listing {
    clprim_device_info *out;
    size_t capacity;
    size_t count;
} listing;

static bool list_device(void *state, const clprim_device_info *info)
{
    listing *list = state;
    if (list->count < list->capacity)
        list->out[list->count] = *info;
    list->count++;
    return true;
}

clprim_status clprim_runtime_devices(clprim_device_info *out, size_t capacity, size_t *count)
{
    if (count == NULL || (out == NULL && capacity > 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_runtime_devices: %s is NULL",
                            count == NULL ? "count" : "out");
    listing list = {.out = out, .capacity = capacity};
    clprim__driver_lock();
    for_each_device(list_device, &list);
    clprim__driver_unlock();
    *count = list.count;
    return CLPRIM_SUCCESS;
}

typedef struct choice {
    const char *selection;
    clprim_device_info best;
    bool found;
} choice;

static bool matches(const clprim_device_info *info, const char *selection)
{
    static const struct {
        const char *name;
        clprim_device_kind kind;
    } kinds[] = {{"cpu", CLPRIM_DEVICE_CPU}, {"gpu", CLPRIM_DEVICE_GPU}, {"accelerator", CLPRIM_DEVICE_ACCELERATOR}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strlen(selection) == strlen(kinds[i].name) && contains_ignoring_case(selection, kinds[i].name))
            return info->kind == kinds[i].kind;
    if (selection[strspn(selection, "0123456789")] == '\0')
        return info->index == strtoull(selection, NULL, 10);
    return contains_ignoring_case(info->name, selection) || contains_ignoring_case(info->platform_name, selection);
}

static int rank(clprim_device_kind kind)
{
    switch (kind) {
    case CLPRIM_DEVICE_GPU: return 3;
    case CLPRIM_DEVICE_ACCELERATOR: return 2;
    case CLPRIM_DEVICE_CPU: return 1;
    default: return 0;
    }
}

static bool consider_device(void *state, const clprim_device_info *info)
{
    choice *chosen = state;
    if (chosen->selection[0] != '\0' && !matches(info, chosen->selection))
        return true;
    const int difference = rank(info->kind) - rank(chosen->best.kind);
    if (!chosen->found || difference > 0 || (difference == 0 && info->compute_units > chosen->best.compute_units)) {
        chosen->best = *info;
        chosen->found = true;
    }
    return true;
}

clprim_status clprim__device_select(clprim_device_info *out, const char *selection)
{
    choice chosen = {.selection = selection != NULL ? selection : ""};
    for_each_device(consider_device, &chosen);
    if (!chosen.found)
        return chosen.selection[0] == '\0'
                   ? clprim__fail(CLPRIM_NO_DEVICE, "no OpenCL device was found: is a driver installed?")
                   : clprim__fail(CLPRIM_NO_DEVICE, "no OpenCL device matches \"%s\"", chosen.selection);
    *out = chosen.best;
    return CLPRIM_SUCCESS;
}

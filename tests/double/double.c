// SPDX-License-Identifier: MIT
/* double.c: settings from the environment, and the information that platform and device report. */
#include "double.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXTENSIONS_SIZE = 16384, WRONG_SETTINGS = 99 };

static double_settings settings = {.victim = "", .patience = 60};

void (*double_below(const char *name))(void)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    if (symbol ==
        NULL) { /* the library was loaded by a module, as Python loads them, and is not among the program's own */
        void *library = dlopen("libOpenCL.so.1", RTLD_LAZY);
        symbol = library == NULL ? NULL : dlsym(library, name);
    }
    void (*function)(void) = NULL;
    memcpy(&function, &symbol, sizeof function);
    return function;
}

const double_settings *double_get(void)
{
    return &settings;
}

const char *double_ticket(void)
{
    const char *name = getenv("CLPRIM_DOUBLE_TICKET");
    return name != NULL && name[0] != '\0' ? name : NULL;
}

void double_found(const char *format, ...)
{
    char line[1024];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(line, sizeof line, format, list);
    va_end(list);
    (void)fprintf(stderr, DOUBLE_FOUND "%s\n", line);
}

/* The index of the variable's value in `words`, which end with NULL; 0 if the variable is not set. */
static int choose(const char *variable, const char *const *words)
{
    const char *value = getenv(variable);
    if (value == NULL || value[0] == '\0')
        return 0;
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], value) == 0)
            return i + 1;
    (void)fprintf(stderr, "double: %s=%s is not known\n", variable, value);
    _exit(WRONG_SETTINGS);
}

__attribute__((constructor)) static void read_settings(void)
{
    static const char *const orders[] = {"reverse", "stride", "shuffle", "starve", NULL};
    static const char *const compilers[] = {"crash", "hang", "miscompile", "refuse", NULL};
    static const char *const yes[] = {"1", NULL};
    const char *id = getenv("CLPRIM_DOUBLE");
    const char *victim = getenv("CLPRIM_DOUBLE_PROGRAM");
    const char *dump = getenv("CLPRIM_DOUBLE_DUMP");
    const char *patience = getenv("CLPRIM_DOUBLE_SECONDS");
    if (id != NULL && id[0] != '\0' && (settings.profile = double_find(id)) == NULL) {
        (void)fprintf(stderr, "double: there is no profile %s\n", id);
        _exit(WRONG_SETTINGS);
    }
    settings.order = (double_order)choose("CLPRIM_DOUBLE_ORDER", orders);
    settings.compiler = (double_compiler)choose("CLPRIM_DOUBLE_COMPILER", compilers);
    settings.is_null = choose("CLPRIM_DOUBLE_NULL", yes) != 0;
    settings.victim = victim != NULL ? victim : "";
    settings.dump = dump != NULL && dump[0] != '\0' ? dump : NULL;
    if (patience != NULL && patience[0] != '\0')
        settings.patience = (unsigned)strtoul(patience, NULL, 10);
    if (settings.order == DOUBLE_STARVE && !settings.is_null && !double_map_page()) {
        (void)fprintf(stderr, "double: no group can be starved: there is no memory at %#llx\n", DOUBLE_PAGE + 0ull);
        _exit(WRONG_SETTINGS);
    }
}

static cl_int give(const void *value, size_t needed, size_t size, void *out, size_t *out_size)
{
    if (out_size != NULL)
        *out_size = needed;
    if (out == NULL)
        return CL_SUCCESS;
    if (size < needed)
        return CL_INVALID_VALUE;
    memcpy(out, value, needed);
    return CL_SUCCESS;
}

static cl_int give_text(const char *text, size_t size, void *out, size_t *out_size)
{
    return give(text, strlen(text) + 1, size, out, out_size);
}

/* The extensions of the driver below, with a space at the end. */
static char below[EXTENSIONS_SIZE], reported[EXTENSIONS_SIZE];

static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* Programs that run cannot use extensions that the driver below lacks, except sub-groups (text.c). */
static void report_extensions(void)
{
    const char *list = settings.profile->extensions;
    size_t used = 0;
    while (*list != '\0') {
        char name[128];
        const int length = (int)strcspn(list, " ");
        (void)snprintf(name, sizeof name, "%.*s", length, list);
        if (settings.is_null || is_listed(below, name) || strcmp(name, "cl_khr_fp16") != 0)
            used += (size_t)snprintf(reported + used, sizeof reported - used, "%s ", name);
        list += length + (list[length] == ' ');
    }
}

static void learn_extensions(void)
{
    cl_platform_id platform = NULL;
    cl_device_id device = NULL;
    if (BELOW(clGetPlatformIDs)(1, &platform, NULL) == CL_SUCCESS &&
        BELOW(clGetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS)
        (void)BELOW(clGetDeviceInfo)(device, CL_DEVICE_EXTENSIONS, sizeof below - 1, below, NULL);
    if (settings.profile != NULL)
        report_extensions();
    else
        memcpy(reported, below, sizeof reported);
}

const char *double_extensions(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, learn_extensions);
    return reported;
}

bool double_has(const char *name)
{
    return is_listed(double_extensions(), name);
}

bool double_below_has(const char *name)
{
    (void)double_extensions();
    return is_listed(below, name);
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t size, void *out, size_t *out_size)
{
    const double_profile *p = settings.profile;
    if (p != NULL) {
        switch (what) {
        case CL_PLATFORM_NAME: return give_text(p->platform, size, out, out_size);
        case CL_PLATFORM_VERSION: return give_text(p->platform_version, size, out, out_size);
        case CL_PLATFORM_VENDOR: return give_text(p->vendor, size, out, out_size);
        default: break;
        }
    }
    return BELOW(clGetPlatformInfo)(platform, what, size, out, out_size);
}

/* True if the profile has a string or a number of that name. */
static bool give_string(cl_int *code, const double_profile *p, cl_device_info what, size_t size, void *out,
                        size_t *out_size)
{
    const char *text = NULL;
    switch (what) {
    case CL_DEVICE_NAME: text = p->device; break;
    case CL_DEVICE_VENDOR: text = p->vendor; break;
    case CL_DRIVER_VERSION: text = p->driver; break;
    case CL_DEVICE_VERSION: text = p->version; break;
    case CL_DEVICE_OPENCL_C_VERSION: text = p->c_version; break;
    case CL_DEVICE_EXTENSIONS: text = double_extensions(); break;
    default: return false;
    }
    *code = give_text(text, size, out, out_size);
    return true;
}

static bool give_word(cl_int *code, const double_profile *p, cl_device_info what, size_t size, void *out,
                      size_t *out_size)
{
    cl_uint word = 0;
    switch (what) {
    case CL_DEVICE_MAX_COMPUTE_UNITS: word = p->compute_units; break;
    case CL_DEVICE_ADDRESS_BITS: word = p->address_bits; break;
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN: word = p->alignment; break;
    case CL_DEVICE_HOST_UNIFIED_MEMORY: word = p->is_unified; break;
    case CL_DEVICE_WAVEFRONT_WIDTH_AMD: word = p->wavefront; break;
    default: return false;
    }
    const bool is_known = what != CL_DEVICE_WAVEFRONT_WIDTH_AMD || word != 0;
    *code = is_known ? give(&word, sizeof word, size, out, out_size) : CL_INVALID_VALUE;
    return true;
}

/* NVIDIA's queries; programs do not use the others, which are refused. */
static cl_int give_of_nvidia(const double_profile *p, cl_device_info what, size_t size, void *out, size_t *out_size)
{
    cl_uint word = 0;
    switch (p->capability != 0 ? what : 0) {
    case CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV: word = p->capability / 10; break;
    case CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV: word = p->capability % 10; break;
    case CL_DEVICE_WARP_SIZE_NV: word = 32; break;
    default: return CL_INVALID_VALUE;
    }
    return give(&word, sizeof word, size, out, out_size);
}

static bool is_older_than(const double_profile *p, char major)
{
    return p->version[strlen("OpenCL ")] < major;
}

static bool give_number(cl_int *code, const double_profile *p, cl_device_id device, cl_device_info what, size_t size,
                        void *out, size_t *out_size)
{
    cl_ulong number = 0, has = 0;
    switch (what) {
    case CL_DEVICE_TYPE: number = CL_DEVICE_TYPE_GPU; break;
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: number = p->group_size; break;
    case CL_DEVICE_LOCAL_MEM_SIZE: number = p->local_memory; break;
    case CL_DEVICE_GLOBAL_MEM_SIZE: number = p->global_memory; break;
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: number = p->allocation; break;
    case CL_DEVICE_SINGLE_FP_CONFIG: number = p->single; break;
    case CL_DEVICE_DOUBLE_FP_CONFIG: number = double_has("cl_khr_fp64") ? p->single : 0; break;
    case CL_DEVICE_SVM_CAPABILITIES:
        (void)BELOW(clGetDeviceInfo)(device, what, sizeof has, &has, NULL);
        number = p->svm & has;
        break;
    case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: number = p->atomics; break;
    default: return false;
    }
    *code = give(&number, sizeof number, size, out, out_size);
    if ((what == CL_DEVICE_SVM_CAPABILITIES && is_older_than(p, '2')) ||
        (what == CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES && is_older_than(p, '3')))
        *code = CL_INVALID_VALUE;
    return true;
}

/* The features of OpenCL C 3.0: those of the driver below, but sub-groups only if the profile has them. */
static cl_int give_features(const double_profile *p, cl_device_id device, size_t size, void *out, size_t *out_size)
{
    cl_name_version features[64];
    size_t bytes = 0;
    size_t count = 0;
    const cl_int code = BELOW(clGetDeviceInfo)(device, CL_DEVICE_OPENCL_C_FEATURES, sizeof features, features, &bytes);
    if (is_older_than(p, '3'))
        return CL_INVALID_VALUE;
    if (code != CL_SUCCESS)
        return code;
    for (size_t i = 0; i < bytes / sizeof *features; i++)
        if (strcmp(features[i].name, "__opencl_c_subgroups") != 0 || double_has("cl_khr_subgroups"))
            features[count++] = features[i];
    return give(features, count * sizeof *features, size, out, out_size);
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *out, size_t *out_size)
{
    enum { FIRST_OF_NVIDIA = 0x4000, LAST_OF_NVIDIA = 0x4010, SUB_GROUP_SIZES_INTEL = 0x4108 };
    const double_profile *p = settings.profile;
    cl_int code = CL_SUCCESS;
    size_t count = 0;
    if (p == NULL)
        return BELOW(clGetDeviceInfo)(device, what, size, out, out_size);
    if (what >= FIRST_OF_NVIDIA && what <= LAST_OF_NVIDIA)
        return give_of_nvidia(p, what, size, out, out_size);
    if (what == CL_DEVICE_OPENCL_C_FEATURES)
        return give_features(p, device, size, out, out_size);
    if (what == SUB_GROUP_SIZES_INTEL) {
        while (count < DOUBLE_MOST_WIDTHS && p->widths[count] != 0)
            count++;
        return count > 0 ? give(p->widths, count * sizeof *p->widths, size, out, out_size) : CL_INVALID_VALUE;
    }
    if (give_string(&code, p, what, size, out, out_size) || give_word(&code, p, what, size, out, out_size) ||
        give_number(&code, p, device, what, size, out, out_size))
        return code;
    return BELOW(clGetDeviceInfo)(device, what, size, out, out_size);
}

/* Functions of an extension that is not reported are not available. */
void *clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
    if (settings.profile != NULL && strstr(name, "CommandBuffer") != NULL && !double_has("cl_khr_command_buffer"))
        return NULL;
    return BELOW(clGetExtensionFunctionAddressForPlatform)(platform, name);
}

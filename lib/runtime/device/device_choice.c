// SPDX-License-Identifier: MIT
/* device_choice.c: enumerate devices and choose one. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "error.h"
#include "text.h"

enum { MAX_PLATFORMS = 64, MAX_DEVICES = 64 /* per platform */ };

static pthread_mutex_t driver_mutex = PTHREAD_MUTEX_INITIALIZER;

void clprim__driver_lock(void)
{
    pthread_mutex_lock(&driver_mutex);
}

void clprim__driver_unlock(void)
{
    pthread_mutex_unlock(&driver_mutex);
}

/* Remember the name of the first platform that has no devices. */
static void note_empty(clprim__trouble *first, cl_platform_id platform)
{
    if (first->empty[0] == '\0' &&
        clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof first->empty - 1, first->empty, NULL) != CL_SUCCESS)
        first->empty[0] = '\0';
}

/* Call visit for every device that answers and can compile. Stop early if visit returns false. The first error of a
 * skipped device is kept in *first. */
static void for_each_device(bool (*visit)(void *state, const clprim_device_info *info), void *state,
                            clprim__trouble *first)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_device_id devices[MAX_DEVICES];
    cl_uint num_platforms = 0;
    const cl_int code = clGetPlatformIDs(MAX_PLATFORMS, platforms, &num_platforms);
    clprim__note(first, code, "clGetPlatformIDs"); /* the ICD loader has its own code for "no driver is installed" */
    if (code != CL_SUCCESS)
        return;
    if (num_platforms > MAX_PLATFORMS)
        num_platforms = MAX_PLATFORMS;
    size_t index = 0;
    for (cl_uint p = 0; p < num_platforms; p++) {
        cl_uint num_devices = 0;
        const cl_int answer = clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices, &num_devices);
        clprim__note(first, answer != CL_DEVICE_NOT_FOUND ? answer : CL_SUCCESS, "clGetDeviceIDs");
        if (answer != CL_SUCCESS)
            note_empty(first, platforms[p]);
        if (answer != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < num_devices && d < MAX_DEVICES; d++) {
            clprim_device_info info;
            if (!clprim__device_look(&info, first, platforms[p], devices[d]))
                continue;
            info.index = index++;
            if (!visit(state, &info))
                return;
        }
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
    clprim__trouble passed_over = {.code = CL_SUCCESS};
    clprim__driver_lock();
    for_each_device(list_device, &list, &passed_over);
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
        if (strlen(selection) == strlen(kinds[i].name) && clprim__contains(selection, kinds[i].name))
            return info->kind == kinds[i].kind;
    if (selection[strspn(selection, "0123456789")] == '\0')
        return info->index == strtoull(selection, NULL, 10);
    return clprim__contains(info->name, selection) || clprim__contains(info->platform_name, selection);
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

/* Describe the likely reason why there is no device. */
static void explain(char *out, size_t capacity, const clprim__trouble *first)
{
    const bool is_pocl = clprim__contains(first->empty, "Portable Computing Language");
    out[0] = '\0';
    if (first->code != CL_SUCCESS)
        (void)snprintf(out, capacity, " (%s: %s)", first->call, clprim_status_string((clprim_status)first->code));
    else if (first->empty[0] != '\0')
        (void)snprintf(out, capacity, " (the platform \"%s\" has none%s)", first->empty,
                       is_pocl
                           ? "; PoCL has none where it can write neither to $XDG_CACHE_HOME nor to $HOME/.cache: let "
                             "POCL_CACHE_DIR name a directory that it can write to"
                           : "");
}

clprim_status clprim__device_select(clprim_device_info *out, const char *selection)
{
    choice chosen = {.selection = selection != NULL ? selection : ""};
    clprim__trouble first = {.code = CL_SUCCESS};
    char also[384];
    for_each_device(consider_device, &chosen, &first);
    if (chosen.found) {
        *out = chosen.best;
        return CLPRIM_SUCCESS;
    }
    explain(also, sizeof also, &first);
    return chosen.selection[0] == '\0'
               ? clprim__fail(CLPRIM_NO_DEVICE, "no OpenCL device was found: is a driver installed?%s", also)
               : clprim__fail(CLPRIM_NO_DEVICE, "no OpenCL device matches \"%s\"%s", chosen.selection, also);
}

/* A device that may or may not be the selected one. */
typedef struct suspect {
    const clprim_device_info *info;
    const char *selection;
    bool matches;
} suspect;

static bool consider_suspect(void *state, const clprim_device_info *info)
{
    suspect *self = state;
    if (info->device == self->info->device)
        self->matches = matches(info, self->selection);
    return info->device != self->info->device;
}

clprim_status clprim__device_check_selected(const clprim_device_info *info, const char *selection)
{
    suspect self = {.info = info, .selection = selection};
    clprim__trouble passed_over = {.code = CL_SUCCESS};
    if (selection == NULL || selection[0] == '\0' || matches(info, selection))
        return CLPRIM_SUCCESS;
    clprim__driver_lock(); /* the selection may be an index into the list of devices */
    for_each_device(consider_suspect, &self, &passed_over);
    clprim__driver_unlock();
    return self.matches
               ? CLPRIM_SUCCESS
               : clprim__fail(CLPRIM_INVALID_ARGUMENT, "the device given, %s (%s), does not match .select \"%s\"",
                              info->name, info->platform_name, selection);
}

// SPDX-License-Identifier: MIT
/* device_source.c: give programs the text of clprim/device/ for their own kernels. */
#include <clprim/device.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "device_headers.h"
#include "error.h"
#include "text.h"

static void say_that_there_is_none(const char *name)
{
    clprim__text names = {0};
    for (const clprim__device_header *header = clprim__device_headers; header->name != NULL; header++)
        clprim__text_format(&names, " %s", header->name);
    (void)clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_device_source: there is no header %s; there are%s", name,
                       names.data != NULL ? names.data : " others");
    clprim__text_free(&names);
}

const char *clprim_device_source(const char *name)
{
    const clprim__device_header *header = clprim__device_headers;
    if (name == NULL)
        name = "NULL";
    while (header->name != NULL && strcmp(header->name, name) != 0)
        header++;
    if (header->name == NULL)
        say_that_there_is_none(name);
    return header->text;
}

clprim_status clprim_device_options(char *out, size_t capacity, cl_device_id device)
{
    clprim_device_info info = {0};
    cl_platform_id platform = NULL;
    char text[CLPRIM_DEVICE_OPTIONS_SIZE];
    int size = 0;
    clprim_status status = CLPRIM_SUCCESS;
    if (out == NULL || device == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_device_options: %s is NULL",
                            out == NULL ? "out" : "device");
    CLPRIM__TRY(clprim__device_check_without());
    CLPRIM__TRY(
        clprim__cl(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL), "clGetDeviceInfo"));
    CLPRIM__TRY(clprim__device_query(&info, platform, device));
    if (info.sub_group_means == CLPRIM_SUB_GROUP_KHR) {
        const unsigned version = clprim__device_language(&info);
        size = snprintf(text, sizeof text, "-cl-std=CL%u.%u ", version / 100, version % 100 / 10);
    }
    size += snprintf(text + size, sizeof text - (size_t)size,
                     "-DCLPRIM_SUB_GROUP_MEANS=%d -DCLPRIM_INT64_ATOMICS=%d -DCLPRIM_FORWARD_PROGRESS=%d "
                     "-DCLPRIM_GROUPS_IN_ORDER=%d -DCLPRIM_REDUX=%d",
                     (int)info.sub_group_means, info.has_int64_atomics, info.has_forward_progress,
                     info.has_forward_progress && info.starts_groups_in_order, info.has_warp_reduction);
    if ((size_t)size >= capacity)
        CLPRIM__TRY(clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_device_options: capacity is %zu, but must be %d",
                                 capacity, size + 1));
    memcpy(out, text, (size_t)size + 1);
done:
    return status;
}

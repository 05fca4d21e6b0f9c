// SPDX-License-Identifier: MIT
/* status.c: sentences for status codes, and the thread's last error. */
#include <clprim/status.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

/* Large enough for the part of a build log that contains the first errors. */
enum { LAST_ERROR_SIZE = 8192 };

static _Thread_local char last_error[LAST_ERROR_SIZE];

#define OPENCL_CODES(X)                                                                                                \
    X(CL_DEVICE_NOT_FOUND)                                                                                             \
    X(CL_DEVICE_NOT_AVAILABLE)                                                                                         \
    X(CL_COMPILER_NOT_AVAILABLE)                                                                                       \
    X(CL_MEM_OBJECT_ALLOCATION_FAILURE)                                                                                \
    X(CL_OUT_OF_RESOURCES)                                                                                             \
    X(CL_OUT_OF_HOST_MEMORY)                                                                                           \
    X(CL_PROFILING_INFO_NOT_AVAILABLE)                                                                                 \
    X(CL_MEM_COPY_OVERLAP)                                                                                             \
    X(CL_IMAGE_FORMAT_MISMATCH)                                                                                        \
    X(CL_IMAGE_FORMAT_NOT_SUPPORTED)                                                                                   \
    X(CL_BUILD_PROGRAM_FAILURE)                                                                                        \
    X(CL_MAP_FAILURE)                                                                                                  \
    X(CL_MISALIGNED_SUB_BUFFER_OFFSET)                                                                                 \
    X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)                                                                    \
    X(CL_COMPILE_PROGRAM_FAILURE)                                                                                      \
    X(CL_LINKER_NOT_AVAILABLE)                                                                                         \
    X(CL_LINK_PROGRAM_FAILURE)                                                                                         \
    X(CL_DEVICE_PARTITION_FAILED)                                                                                      \
    X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE)                                                                                \
    X(CL_INVALID_VALUE)                                                                                                \
    X(CL_INVALID_DEVICE_TYPE)                                                                                          \
    X(CL_INVALID_PLATFORM)                                                                                             \
    X(CL_INVALID_DEVICE)                                                                                               \
    X(CL_INVALID_CONTEXT)                                                                                              \
    X(CL_INVALID_QUEUE_PROPERTIES)                                                                                     \
    X(CL_INVALID_COMMAND_QUEUE)                                                                                        \
    X(CL_INVALID_HOST_PTR)                                                                                             \
    X(CL_INVALID_MEM_OBJECT)                                                                                           \
    X(CL_INVALID_BINARY)                                                                                               \
    X(CL_INVALID_BUILD_OPTIONS)                                                                                        \
    X(CL_INVALID_PROGRAM)                                                                                              \
    X(CL_INVALID_PROGRAM_EXECUTABLE)                                                                                   \
    X(CL_INVALID_KERNEL_NAME)                                                                                          \
    X(CL_INVALID_KERNEL_DEFINITION)                                                                                    \
    X(CL_INVALID_KERNEL)                                                                                               \
    X(CL_INVALID_ARG_INDEX)                                                                                            \
    X(CL_INVALID_ARG_VALUE)                                                                                            \
    X(CL_INVALID_ARG_SIZE)                                                                                             \
    X(CL_INVALID_KERNEL_ARGS)                                                                                          \
    X(CL_INVALID_WORK_DIMENSION)                                                                                       \
    X(CL_INVALID_WORK_GROUP_SIZE)                                                                                      \
    X(CL_INVALID_WORK_ITEM_SIZE)                                                                                       \
    X(CL_INVALID_GLOBAL_OFFSET)                                                                                        \
    X(CL_INVALID_EVENT_WAIT_LIST)                                                                                      \
    X(CL_INVALID_EVENT)                                                                                                \
    X(CL_INVALID_OPERATION)                                                                                            \
    X(CL_INVALID_BUFFER_SIZE)                                                                                          \
    X(CL_INVALID_GLOBAL_WORK_SIZE)                                                                                     \
    X(CL_INVALID_PROPERTY)                                                                                             \
    X(CL_INVALID_COMPILER_OPTIONS)                                                                                     \
    X(CL_INVALID_LINKER_OPTIONS)                                                                                       \
    X(CL_INVALID_DEVICE_PARTITION_COUNT)

const char *clprim_status_string(clprim_status status)
{
    static const struct {
        int code;
        const char *text;
    } rows[] = {
#define OWN_ROW(name, code, sentence) {code, sentence},
        CLPRIM_STATUS_LIST(OWN_ROW)
#undef OWN_ROW
#define OPENCL_ROW(name) {name, #name},
            OPENCL_CODES(OPENCL_ROW)
#undef OPENCL_ROW
                {-1001, "CL_PLATFORM_NOT_FOUND_KHR"}, /* from the ICD loader: <CL/cl_ext.h> */
        {-1138, "CL_INVALID_COMMAND_BUFFER_KHR"},
        {-1139, "CL_INVALID_SYNC_POINT_WAIT_LIST_KHR"},
        {-1140, "CL_INCOMPATIBLE_COMMAND_QUEUE_KHR"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].code == (int)status)
            return rows[i].text;
    return "unknown status";
}

const char *clprim_last_error(void)
{
    return last_error;
}

clprim_status clprim__fail(clprim_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(last_error, sizeof last_error, format, args);
    va_end(args);
    if (length >= (int)sizeof last_error)
        memcpy(last_error + sizeof last_error - 5, " ...", 5);
    return status;
}

char *clprim__last_error_copy(void)
{
    return strdup(last_error);
}

void clprim__last_error_put_back(char *copy)
{
    if (copy != NULL)
        (void)snprintf(last_error, sizeof last_error, "%s", copy);
    free(copy);
}

clprim_status clprim__cl_failed(cl_int code, const char *call)
{
    return clprim__fail((clprim_status)code, "%s: %s (%d)", call, clprim_status_string((clprim_status)code), code);
}

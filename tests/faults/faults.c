// SPDX-License-Identifier: MIT
/* faults.c: the wrappers that replace the functions that clPRIM calls. */
#define _XOPEN_SOURCE 700
#include "faults.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

enum { MAX_HELD = 4096, MAX_HELD_BACK = 256 };

/* An OpenCL object or a block of memory. */
typedef struct held {
    const void *handle;
    const char *name; /* the function that made the object, or took the last reference */
    unsigned references;
    unsigned at;        /* the number of the call that was to fail then */
    const char *failed; /* the function that failed */
    bool is_block;
    size_t bytes; /* size of a buffer */
} held;

static held all[MAX_HELD];
static size_t num_held;
static size_t excess;
static faults_order order;
static faults_report report;
static bool is_armed;
static bool refuses_threads;
static size_t bytes_now, bytes_most;                      /* bytes in buffers */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* guards all of this: some operations have threads */

void faults_refuse_threads(bool refuse)
{
    refuses_threads = refuse;
}

void faults_arm(const faults_order *wanted)
{
    order = *wanted;
    report = (faults_report){0};
    is_armed = true;
}

faults_report faults_disarm(void)
{
    is_armed = false;
    return report;
}

/* Whether this call is to fail. */
static bool fails(faults_group group, const char *name, size_t index)
{
    bool is_fault = false;
    if (!is_armed || order.group != group)
        return false;
    pthread_mutex_lock(&mutex);
    report.calls++;
    is_fault = order.at != 0 && (order.is_forever ? report.calls >= order.at : report.calls == order.at);
    if (is_fault && report.name == NULL) {
        report.name = name;
        report.index = index;
        report.is_lost = order.is_forever;
    }
    pthread_mutex_unlock(&mutex);
    return is_fault;
}

/* The same for functions that set errno. */
static bool breaks(faults_group group, const char *name, int error)
{
    const bool is_broken = fails(group, name, 0);
    if (is_broken)
        errno = error;
    return is_broken;
}

static cl_int opencl_code(const char *name, size_t index)
{
    return fails(FAULTS_OPENCL, name, index) ? order.code : CL_SUCCESS;
}

static bool is_lost(void)
{
    return is_armed && order.group == FAULTS_OPENCL && report.is_lost;
}

static held *find(const void *handle)
{
    held *found = all + num_held;
    while (found > all && found[-1].handle != handle)
        found--;
    return found > all ? found - 1 : NULL;
}

static void taken(const void *handle, const char *name, bool is_block)
{
    if (handle == NULL)
        return;
    pthread_mutex_lock(&mutex);
    held *found = find(handle);
    if (found == NULL && num_held < MAX_HELD) {
        found = &all[num_held++];
        *found = (held){.handle = handle, .is_block = is_block};
    }
    if (found != NULL) {
        found->name = name;
        found->references++;
        found->at = is_armed ? order.at : 0;
        found->failed = is_armed ? report.name : NULL;
    }
    pthread_mutex_unlock(&mutex);
}

/* Gives up a reference. False if nobody holds one. */
static bool given_up(const void *handle)
{
    pthread_mutex_lock(&mutex);
    held *found = find(handle);
    if (found != NULL && --found->references == 0) {
        bytes_now -= found->bytes;
        *found = all[--num_held];
    }
    pthread_mutex_unlock(&mutex);
    return found != NULL;
}

/* Note the size of a buffer that was just made. */
static void weigh(const void *buffer, size_t bytes)
{
    pthread_mutex_lock(&mutex);
    held *found = buffer != NULL ? find(buffer) : NULL;
    if (found != NULL) {
        found->bytes = bytes;
        bytes_now += bytes;
        bytes_most = bytes_now > bytes_most ? bytes_now : bytes_most;
    }
    pthread_mutex_unlock(&mutex);
}

size_t faults_most_bytes(void)
{
    const size_t most = bytes_most;
    bytes_most = bytes_now;
    return most;
}

faults_balance faults_held(void)
{
    faults_balance sum = {.excess = excess};
    for (size_t i = 0; i < num_held; i++)
        *(all[i].is_block ? &sum.blocks : &sum.objects) += all[i].references;
    return sum;
}

void faults_forget(void)
{
    num_held = 0;
    excess = 0;
    bytes_now = 0;
}

void faults_describe(char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0, used = 0; i < num_held && used < size; i++) {
        const int length =
            snprintf(text + used, size - used, "%s%u of %s (call %u, %s, failed)", i > 0 ? "; " : "", all[i].references,
                     all[i].name, all[i].at, all[i].failed != NULL ? all[i].failed : "nothing");
        used += length > 0 ? (size_t)length : 0;
    }
}

static cl_event held_back[MAX_HELD_BACK];
static size_t num_held_back;
static cl_context holds_back; /* NULL: commands go to the driver */
static unsigned waits_for_failed;

cl_int __real_clGetEventInfo(cl_event event, cl_event_info what, size_t size, void *out, size_t *used);
cl_int __real_clRetainEvent(cl_event event);
cl_int __real_clReleaseEvent(cl_event event);
cl_event __real_clCreateUserEvent(cl_context context, cl_int *code);

void faults_hold_back(cl_context context)
{
    holds_back = context;
    waits_for_failed = 0;
}

void faults_fail_held_back(void)
{
    while (num_held_back > 0) {
        cl_event event = held_back[--num_held_back];
        (void)clSetUserEventStatus(event, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        (void)__real_clReleaseEvent(event);
    }
    holds_back = NULL;
}

/* Called for a command that the driver does not get: its event is one that the test can make fail. */
static cl_int hold_back(cl_event *event)
{
    cl_int code = CL_OUT_OF_RESOURCES;
    cl_event made = num_held_back < MAX_HELD_BACK ? __real_clCreateUserEvent(holds_back, &code) : NULL;
    if (code != CL_SUCCESS)
        return code;
    held_back[num_held_back++] = made;
    if (event == NULL)
        return code;
    *event = made;
    return __real_clRetainEvent(made);
}

unsigned faults_waits_for_failed(void)
{
    return waits_for_failed;
}

/* Called before a command is enqueued that waits for these events. */
static void look_at(cl_uint count, const cl_event *waits)
{
    bool has_failed = false;
    for (cl_uint i = 0; i < count; i++) {
        cl_int state = CL_COMPLETE;
        has_failed = has_failed || (__real_clGetEventInfo(waits[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state,
                                                          &state, NULL) == CL_SUCCESS &&
                                    state < CL_COMPLETE);
    }
    waits_for_failed += has_failed;
}

static void enqueued(const cl_event *event, const char *name, bool waits_for_all)
{
    pthread_mutex_lock(&mutex);
    report.pending = waits_for_all ? 0 : report.pending + 1;
    pthread_mutex_unlock(&mutex);
    if (event != NULL)
        taken(*event, name, false);
}

/* The wrapper of a function NAME is called __wrap_NAME, the function itself __real_NAME, as the linker requires.
 * CMakeLists.txt takes the names to wrap from the lines below that begin with NAME_CALL. */
#define WRAPPED_CALL(name, type, parameters)                                                                           \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters

/* `then` is evaluated after a success. */
#define STATUS_CALL(name, index, then, parameters, arguments)                                                          \
    WRAPPED_CALL(name, cl_int, parameters)                                                                             \
    {                                                                                                                  \
        const cl_int fault = opencl_code(#name, (size_t)(index));                                                      \
        const cl_int code = fault != CL_SUCCESS ? fault : __real_##name arguments;                                     \
        if (code == CL_SUCCESS)                                                                                        \
            (void)(then);                                                                                              \
        return code;                                                                                                   \
    }
#define QUERY_CALL(name, parameters, arguments) STATUS_CALL(name, what, 0, parameters, arguments)

#define RETAIN_CALL(name, type)                 STATUS_CALL(name, 0, taken(what, #name, false), (type what), (what))

/* When a command in an in-order queue has ended, all commands before it have ended, too. */
#define WAIT_CALL(name, parameters, arguments) STATUS_CALL(name, 0, report.pending = 0, parameters, arguments)

/* Functions that enqueue a command and return its event in the parameter `event`. `waits_for_all`: whether the call
 * blocks. */
#define EVENT_CALL(name, waits_for_all, parameters, arguments)                                                         \
    WRAPPED_CALL(name, cl_int, parameters)                                                                             \
    {                                                                                                                  \
        look_at(count, waits);                                                                                         \
        const cl_int fault = opencl_code(#name, 0);                                                                    \
        const cl_int code = fault != CL_SUCCESS  ? fault                                                               \
                            : holds_back != NULL ? hold_back(event)                                                    \
                                                 : __real_##name arguments;                                            \
        if (code == CL_SUCCESS)                                                                                        \
            enqueued(event, #name, waits_for_all);                                                                     \
        return code;                                                                                                   \
    }

/* Functions that return a new object and have the parameter `code`. `then` is evaluated with the new object. */
#define CREATE_CALL(name, type, parameters, arguments) CREATE_CALL_THEN(name, type, 0, parameters, arguments)
#define CREATE_CALL_THEN(name, type, then, parameters, arguments)                                                      \
    WRAPPED_CALL(name, type, parameters)                                                                               \
    {                                                                                                                  \
        const cl_int fault = opencl_code(#name, 0);                                                                    \
        if (fault != CL_SUCCESS && code != NULL)                                                                       \
            *code = fault;                                                                                             \
        type made = fault != CL_SUCCESS ? NULL : __real_##name arguments;                                              \
        taken(made, #name, false);                                                                                     \
        (void)(then);                                                                                                  \
        return made;                                                                                                   \
    }

#define BUFFER_CALL(name, type, parameters, arguments)                                                                 \
    CREATE_CALL_THEN(name, type, (weigh(made, size), 0), parameters, arguments)

#define RELEASE_CALL(name, type)                                                                                       \
    WRAPPED_CALL(name, cl_int, (type object))                                                                          \
    {                                                                                                                  \
        if (!given_up(object)) {                                                                                       \
            excess++;                                                                                                  \
            return CL_INVALID_VALUE;                                                                                   \
        }                                                                                                              \
        const cl_int code = __real_##name(object);                                                                     \
        return is_lost() ? order.code : code;                                                                          \
    }

/* Functions that return a block of memory, which replaces `old`. */
#define MEMORY_CALL(name, type, old, parameters, arguments)                                                            \
    WRAPPED_CALL(name, type, parameters)                                                                               \
    {                                                                                                                  \
        if (breaks(FAULTS_MEMORY, #name, ENOMEM))                                                                      \
            return NULL;                                                                                               \
        (void)given_up(old);                                                                                           \
        type block = __real_##name arguments;                                                                          \
        taken(block, #name, true);                                                                                     \
        return block;                                                                                                  \
    }

#define FILE_CALL(name, type, parameters, arguments)                                                                   \
    WRAPPED_CALL(name, type, parameters)                                                                               \
    {                                                                                                                  \
        return breaks(FAULTS_FILES, #name, EIO) ? -1 : __real_##name arguments;                                        \
    }

#define THREAD_CALL(name, parameters, arguments)                                                                       \
    WRAPPED_CALL(name, int, parameters)                                                                                \
    {                                                                                                                  \
        return refuses_threads ? EAGAIN : __real_##name arguments;                                                     \
    }

typedef void(CL_CALLBACK *on_error)(const char *what, const void *info, size_t size, void *user);
typedef void(CL_CALLBACK *on_built)(cl_program program, void *user);
typedef void(CL_CALLBACK *native_function)(void *block);
typedef void(CL_CALLBACK *on_destroyed)(cl_mem memory, void *user);

/* clang-format off */
STATUS_CALL(clGetPlatformIDs, 0, 0, (cl_uint count, cl_platform_id *out, cl_uint *total), (count, out, total))
QUERY_CALL(clGetPlatformInfo, (cl_platform_id platform, cl_platform_info what, size_t size, void *out, size_t *used), (platform, what, size, out, used))
STATUS_CALL(clGetDeviceIDs, 0, 0, (cl_platform_id platform, cl_device_type type, cl_uint count, cl_device_id *out, cl_uint *total), (platform, type, count, out, total))
QUERY_CALL(clGetDeviceInfo, (cl_device_id device, cl_device_info what, size_t size, void *out, size_t *used), (device, what, size, out, used))
QUERY_CALL(clGetContextInfo, (cl_context context, cl_context_info what, size_t size, void *out, size_t *used), (context, what, size, out, used))
QUERY_CALL(clGetCommandQueueInfo, (cl_command_queue queue, cl_command_queue_info what, size_t size, void *out, size_t *used), (queue, what, size, out, used))
QUERY_CALL(clGetEventInfo, (cl_event event, cl_event_info what, size_t size, void *out, size_t *used), (event, what, size, out, used))
QUERY_CALL(clGetEventProfilingInfo, (cl_event event, cl_profiling_info what, size_t size, void *out, size_t *used), (event, what, size, out, used))
QUERY_CALL(clGetMemObjectInfo, (cl_mem memory, cl_mem_info what, size_t size, void *out, size_t *used), (memory, what, size, out, used))
QUERY_CALL(clGetProgramInfo, (cl_program program, cl_program_info what, size_t size, void *out, size_t *used), (program, what, size, out, used))
QUERY_CALL(clGetProgramBuildInfo, (cl_program program, cl_device_id device, cl_program_build_info what, size_t size, void *out, size_t *used), (program, device, what, size, out, used))
QUERY_CALL(clGetKernelInfo, (cl_kernel kernel, cl_kernel_info what, size_t size, void *out, size_t *used), (kernel, what, size, out, used))
QUERY_CALL(clGetKernelWorkGroupInfo, (cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t size, void *out, size_t *used), (kernel, device, what, size, out, used))
STATUS_CALL(clBuildProgram, 0, 0, (cl_program program, cl_uint count, const cl_device_id *devices, const char *options, on_built notify, void *user), (program, count, devices, options, notify, user))
STATUS_CALL(clSetKernelArg, argument, 0, (cl_kernel kernel, cl_uint argument, size_t size, const void *value), (kernel, argument, size, value))
STATUS_CALL(clSetMemObjectDestructorCallback, 0, 0, (cl_mem memory, on_destroyed notify, void *user), (memory, notify, user))
STATUS_CALL(clFlush, 0, 0, (cl_command_queue queue), (queue))
WAIT_CALL(clFinish, (cl_command_queue queue), (queue))
WAIT_CALL(clWaitForEvents, (cl_uint count, const cl_event *events), (count, events))
EVENT_CALL(clEnqueueNDRangeKernel, false, (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global, const size_t *local, cl_uint count, const cl_event *waits, cl_event *event), (queue, kernel, dimensions, offset, global, local, count, waits, event))
EVENT_CALL(clEnqueueNativeKernel, false, (cl_command_queue queue, native_function run, void *block, size_t size, cl_uint num_buffers, const cl_mem *buffers, const void **places, cl_uint count, const cl_event *waits, cl_event *event), (queue, run, block, size, num_buffers, buffers, places, count, waits, event))
EVENT_CALL(clEnqueueFillBuffer, false, (cl_command_queue queue, cl_mem memory, const void *pattern, size_t pattern_size, size_t offset, size_t size, cl_uint count, const cl_event *waits, cl_event *event), (queue, memory, pattern, pattern_size, offset, size, count, waits, event))
EVENT_CALL(clEnqueueReadBuffer, blocking, (cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset, size_t size, void *out, cl_uint count, const cl_event *waits, cl_event *event), (queue, memory, blocking, offset, size, out, count, waits, event))
EVENT_CALL(clEnqueueWriteBuffer, blocking, (cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset, size_t size, const void *in, cl_uint count, const cl_event *waits, cl_event *event), (queue, memory, blocking, offset, size, in, count, waits, event))
EVENT_CALL(clEnqueueCopyBuffer, false, (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size, cl_uint count, const cl_event *waits, cl_event *event), (queue, from, to, from_offset, to_offset, size, count, waits, event))
EVENT_CALL(clEnqueueMarkerWithWaitList, false, (cl_command_queue queue, cl_uint count, const cl_event *waits, cl_event *event), (queue, count, waits, event))
CREATE_CALL(clCreateContext, cl_context, (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices, on_error notify, void *user, cl_int *code), (properties, count, devices, notify, user, code))
CREATE_CALL(clCreateCommandQueue, cl_command_queue, (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *code), (context, device, properties, code))
BUFFER_CALL(clCreateBuffer, cl_mem, (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *code), (context, flags, size, host, code))
CREATE_CALL(clCreateUserEvent, cl_event, (cl_context context, cl_int *code), (context, code))
CREATE_CALL(clCreateProgramWithSource, cl_program, (cl_context context, cl_uint count, const char **sources, const size_t *sizes, cl_int *code), (context, count, sources, sizes, code))
CREATE_CALL(clCreateProgramWithBinary, cl_program, (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *sizes, const unsigned char **binaries, cl_int *each, cl_int *code), (context, count, devices, sizes, binaries, each, code))
CREATE_CALL(clCreateKernel, cl_kernel, (cl_program program, const char *name, cl_int *code), (program, name, code))
CREATE_CALL(clEnqueueMapBuffer, void *, (cl_command_queue queue, cl_mem memory, cl_bool blocking, cl_map_flags flags, size_t offset, size_t size, cl_uint count, const cl_event *waits, cl_event *event, cl_int *code), (queue, memory, blocking, flags, offset, size, count, waits, event, code))
RETAIN_CALL(clRetainContext, cl_context)
RETAIN_CALL(clRetainCommandQueue, cl_command_queue)
RETAIN_CALL(clRetainMemObject, cl_mem)
RETAIN_CALL(clRetainProgram, cl_program)
RETAIN_CALL(clRetainKernel, cl_kernel)
RETAIN_CALL(clRetainEvent, cl_event)
RELEASE_CALL(clReleaseContext, cl_context)
RELEASE_CALL(clReleaseCommandQueue, cl_command_queue)
RELEASE_CALL(clReleaseMemObject, cl_mem)
RELEASE_CALL(clReleaseProgram, cl_program)
RELEASE_CALL(clReleaseKernel, cl_kernel)
RELEASE_CALL(clReleaseEvent, cl_event)
MEMORY_CALL(malloc, void *, NULL, (size_t size), (size))
MEMORY_CALL(calloc, void *, NULL, (size_t count, size_t size), (count, size))
MEMORY_CALL(realloc, void *, old, (void *old, size_t size), (old, size))
MEMORY_CALL(strdup, char *, NULL, (const char *text), (text))
FILE_CALL(open, int, (const char *path, int flags, mode_t mode), (path, flags, mode)) /* the flags say whether there is
                                                                                       * a mode */
FILE_CALL(openat, int, (int directory, const char *path, int flags, mode_t mode), (directory, path, flags, mode))
FILE_CALL(read, ssize_t, (int file, void *out, size_t size), (file, out, size))
FILE_CALL(write, ssize_t, (int file, const void *bytes, size_t size), (file, bytes, size))
FILE_CALL(pwrite, ssize_t, (int file, const void *bytes, size_t size, off_t at), (file, bytes, size, at))
FILE_CALL(ftruncate, int, (int file, off_t size), (file, size))
FILE_CALL(fstat, int, (int file, struct stat *out), (file, out))
FILE_CALL(mkdir, int, (const char *path, mode_t mode), (path, mode))
FILE_CALL(fsync, int, (int file), (file))
FILE_CALL(fcntl, int, (int file, int command, void *lock), (file, command, lock)) /* clPRIM only uses it to lock
                                                                                   * files */
FILE_CALL(unlinkat, int, (int directory, const char *path, int flags), (directory, path, flags))
FILE_CALL(renameat, int, (int from_directory, const char *from, int to_directory, const char *to), (from_directory, from, to_directory, to))
THREAD_CALL(pthread_create, (pthread_t *out, const pthread_attr_t *attributes, void *(*body)(void *), void *user), (out, attributes, body, user))
/* clang-format on */

/* Functions of an extension are no symbols of the library. A caller that asks the driver for one that clPRIM uses gets
 * a wrapper, which calls the driver's function. */

struct _cl_command_buffer_khr;

typedef cl_int(CL_API_CALL *command_kernel_fn)(struct _cl_command_buffer_khr *, cl_command_queue, const void *,
                                               cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *,
                                               cl_uint, const cl_uint *, cl_uint *, void *);
typedef cl_int(CL_API_CALL *buffer_info_fn)(struct _cl_command_buffer_khr *, cl_uint, size_t, void *, size_t *);

static command_kernel_fn real_command_kernel;
static buffer_info_fn real_buffer_info;

static cl_int CL_API_CALL command_kernel(struct _cl_command_buffer_khr *buffer, cl_command_queue queue,
                                         const void *properties, cl_kernel kernel, cl_uint dimensions,
                                         const size_t *offset, const size_t *global, const size_t *local, cl_uint count,
                                         const cl_uint *waits, cl_uint *done, void *handle)
{
    const cl_int fault = opencl_code("clCommandNDRangeKernelKHR", 0);
    return fault != CL_SUCCESS ? fault
                               : real_command_kernel(buffer, queue, properties, kernel, dimensions, offset, global,
                                                     local, count, waits, done, handle);
}

static cl_int CL_API_CALL buffer_info(struct _cl_command_buffer_khr *buffer, cl_uint what, size_t size, void *out,
                                      size_t *used)
{
    const cl_int fault = opencl_code("clGetCommandBufferInfoKHR", what);
    return fault != CL_SUCCESS ? fault : real_buffer_info(buffer, what, size, out, used);
}

/* Stores the function at *real and returns `other`. Both are pointers to functions. */
static void *instead_of(void *found, void *real, const void *other)
{
    memcpy(real, &found, sizeof found);
    memcpy(&found, other, sizeof found);
    return found;
}

WRAPPED_CALL(clGetExtensionFunctionAddressForPlatform, void *, (cl_platform_id platform, const char *name))
{
    const command_kernel_fn kernel = command_kernel;
    const buffer_info_fn info = buffer_info;
    if (opencl_code("clGetExtensionFunctionAddressForPlatform", 0) != CL_SUCCESS)
        return NULL;
    void *found = __real_clGetExtensionFunctionAddressForPlatform(platform, name);
    if (found != NULL && strcmp(name, "clCommandNDRangeKernelKHR") == 0)
        return instead_of(found, &real_command_kernel, &kernel);
    if (found != NULL && strcmp(name, "clGetCommandBufferInfoKHR") == 0)
        return instead_of(found, &real_buffer_info, &info);
    return found;
}

/* Like a release, it never fails unless the device is lost. */
WRAPPED_CALL(clEnqueueUnmapMemObject, cl_int,
             (cl_command_queue queue, cl_mem memory, void *mapped, cl_uint count, const cl_event *waits,
              cl_event *event))
{
    if (!given_up(mapped)) {
        excess++;
        return CL_INVALID_VALUE;
    }
    const cl_int code = __real_clEnqueueUnmapMemObject(queue, memory, mapped, count, waits, event);
    return is_lost() ? order.code : code;
}

WRAPPED_CALL(free, void, (void *block))
{
    (void)given_up(block); /* blocks that the C library allocated itself are unknown here */
    __real_free(block);
}

// SPDX-License-Identifier: MIT
/* commands.c: command buffers. */
#include "commands.h"

#include <time.h>

#include "support.h"

typedef struct _cl_command_buffer_khr *command_buffer;
typedef command_buffer(CL_API_CALL *create_fn)(cl_uint count, const cl_command_queue *queues, const void *properties,
                                               cl_int *code);
typedef cl_int(CL_API_CALL *buffer_fn)(command_buffer buffer); /* finalize, release */
typedef cl_int(CL_API_CALL *enqueue_fn)(cl_uint count, cl_command_queue *queues, command_buffer buffer,
                                        cl_uint num_waits, const cl_event *waits, cl_event *done);

#define FIND(function, platform, name) find(&(function), platform, name)

static void find(void *out, cl_platform_id platform, const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(platform, name);
    cr_assert_not_null(found, "%s is missing", name);
    memcpy(out, &found, sizeof found);
}

test_commands test_commands_begin(const clprim_runtime *runtime, cl_command_queue queue)
{
    test_commands self = {.platform = clprim_runtime_info(runtime)->platform, .queue = queue};
    create_fn create = NULL;
    cl_int code = CL_SUCCESS;
    FIND(create, self.platform, "clCreateCommandBufferKHR");
    self.buffer = create(1, &queue, NULL, &code);
    ASSERT_CL(code);
    ASSERT_CL(clRetainCommandQueue(queue));
    return self;
}

void test_commands_finalize(const test_commands *self)
{
    buffer_fn finalize = NULL;
    FIND(finalize, self->platform, "clFinalizeCommandBufferKHR");
    ASSERT_CL(finalize(self->buffer));
}

void test_commands_replay(const test_commands *self)
{
    enqueue_fn enqueue = NULL;
    FIND(enqueue, self->platform, "clEnqueueCommandBufferKHR");
    /* PoCL treats the previous replay as pending until its own callback has run, which may be after clFinish. */
    cl_int code = enqueue(0, NULL, self->buffer, 0, NULL, NULL);
    for (int tries = 0; code == CL_INVALID_OPERATION && tries < 1000; tries++) {
        (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        code = enqueue(0, NULL, self->buffer, 0, NULL, NULL);
    }
    ASSERT_CL(code);
    ASSERT_CL(clFinish(self->queue));
}

void test_commands_release(test_commands *self)
{
    buffer_fn release = NULL;
    FIND(release, self->platform, "clReleaseCommandBufferKHR");
    ASSERT_CL(release(self->buffer));
    ASSERT_CL(clReleaseCommandQueue(self->queue));
    *self = (test_commands){.buffer = NULL};
}

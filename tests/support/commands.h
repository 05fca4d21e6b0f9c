// SPDX-License-Identifier: MIT
/* commands.h: command buffers (cl_khr_command_buffer). The types are declared here, because not every system's
 * CL/cl_ext.h has them. Errors are assertion failures. */
#ifndef CLPRIM_TEST_COMMANDS_H
#define CLPRIM_TEST_COMMANDS_H

#include <clprim/clprim.h>

typedef struct test_commands {
    cl_platform_id platform;
    cl_command_queue queue; /* a reference is held */
    struct _cl_command_buffer_khr *buffer;
} test_commands;

/* Begin recording a command buffer for the queue. */
test_commands test_commands_begin(const clprim_runtime *runtime, cl_command_queue queue);
/* Finish recording. From now on, it can be replayed. */
void test_commands_finalize(const test_commands *self);
/* Replay it, and wait until it is done. */
void test_commands_replay(const test_commands *self);
void test_commands_release(test_commands *self);

#endif

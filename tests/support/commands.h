/* commands.h: command buffers (cl_khr_command_buffer). The types are written out, since not every system's CL/cl_ext.h
 * has them. Everything asserts by itself. */
#ifndef CLPRIM_TEST_COMMANDS_H
#define CLPRIM_TEST_COMMANDS_H

#include <clprim/clprim.h>

typedef struct test_commands {
    cl_platform_id platform;
    cl_command_queue queue; /* a reference is held */
    struct _cl_command_buffer_khr *buffer;
} test_commands;

/* One that is being recorded, for the queue. */
test_commands test_commands_begin(const clprim_runtime *runtime, cl_command_queue queue);
/* It can be replayed from now on. */
void test_commands_finalize(const test_commands *self);
/* Replay it, and wait for that. */
void test_commands_replay(const test_commands *self);
void test_commands_release(test_commands *self);

#endif

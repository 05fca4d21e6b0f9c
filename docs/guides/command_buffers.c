// SPDX-License-Identifier: MIT
/* command_buffers.c: of the guide of that name: three operations recorded once, and replayed. */
#define CL_ENABLE_BETA_EXTENSIONS /* in newer headers of OpenCL the extension is among these */
#include "guide.h"
#include <CL/cl_ext.h>
#include <string.h>

#ifdef cl_khr_command_buffer

enum { COUNT = 1000, REPLAYS = 3 };

typedef struct functions {
    clCreateCommandBufferKHR_fn create;
    clFinalizeCommandBufferKHR_fn finalize;
    clEnqueueCommandBufferKHR_fn enqueue;
    clReleaseCommandBufferKHR_fn release;
} functions;

static void find(void *function, const clprim_runtime *runtime, const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(clprim_runtime_info(runtime)->platform, name);
    memcpy(function, &found, sizeof found);
}

/* The steps, and what lies between them: numbers[0] are selected, numbers[1] distinct. */
typedef struct steps {
    clprim_plan *select, *sort, *unique;
    cl_mem in, selected, distinct, numbers;
} steps;

static clprim_status make_steps(steps *s, clprim_runtime *runtime)
{
    const cl_context context = clprim_runtime_context(runtime);
    const clprim_select_desc odd = {.type = CLPRIM_U32, .predicate = "x % 2"};
    const clprim_radix_sort_desc sort = {.key_type = CLPRIM_U32, .count_at_type = CLPRIM_U32};
    const clprim_unique_desc unique = {.type = CLPRIM_U32, .count_at_type = CLPRIM_U32};
    clprim_status status = CLPRIM_SUCCESS;
    TRY(clprim_select_create(&s->select, runtime, &odd));
    TRY(clprim_radix_sort_create(&s->sort, runtime, &sort));
    TRY(clprim_unique_create(&s->unique, runtime, &unique));
    s->in = clCreateBuffer(context, CL_MEM_READ_WRITE, COUNT * sizeof(cl_uint), NULL, NULL);
    s->selected = clCreateBuffer(context, CL_MEM_READ_WRITE, COUNT * sizeof(cl_uint), NULL, NULL);
    s->distinct = clCreateBuffer(context, CL_MEM_READ_WRITE, COUNT * sizeof(cl_uint), NULL, NULL);
    s->numbers = clCreateBuffer(context, CL_MEM_READ_WRITE, 2 * sizeof(cl_uint), NULL, NULL);
done:
    return status;
}

static clprim_status record(const steps *s, cl_command_buffer_khr commands)
{
    cl_sync_point_khr selected = 0;
    cl_sync_point_khr sorted = 0;
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_select_call select = {.in = {.buffer = s->in},
                                       .count = COUNT,
                                       .out = {.buffer = s->selected},
                                       .out_count = {.buffer = s->numbers, .offset = 0}};
    const clprim_radix_sort_call sort = {.keys_in = {.buffer = s->selected},
                                         .count_at = {.buffer = s->numbers, .offset = 0},
                                         .count = COUNT,
                                         .keys_out = {.buffer = s->selected}};
    const clprim_unique_call unique = {.in = {.buffer = s->selected},
                                       .count_at = {.buffer = s->numbers, .offset = 0},
                                       .count = COUNT,
                                       .out = {.buffer = s->distinct},
                                       .out_count = {.buffer = s->numbers, .offset = 1}};
    TRY(clprim_plan_record(s->select, commands, &select, 0, NULL, &selected));
    TRY(clprim_plan_record(s->sort, commands, &sort, 1, &selected, &sorted));
    TRY(clprim_plan_record(s->unique, commands, &unique, 1, &sorted, NULL));
done:
    return status;
}

static clprim_status replay(const steps *s, cl_command_queue queue, const functions *cl, cl_command_buffer_khr commands)
{
    cl_uint in[COUNT];
    cl_uint numbers[2];
    clprim_status status = CLPRIM_SUCCESS;
    for (cl_uint k = 1; k <= REPLAYS; k++) {
        for (cl_uint i = 0; i < COUNT; i++)
            in[i] = i % (10 * k);
        TRY(clEnqueueWriteBuffer(queue, s->in, CL_TRUE, 0, sizeof in, in, 0, NULL, NULL));
        TRY(cl->enqueue(0, NULL, commands, 0, NULL, NULL));
        TRY(clEnqueueReadBuffer(queue, s->numbers, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
        printf("%u odd numbers, %u of them distinct\n", numbers[0], numbers[1]);
        EXPECT(numbers[0] == COUNT / 2 && numbers[1] == 5 * k);
    }
done:
    return status;
}

int main(void)
{
    steps s = {0};
    functions cl = {0};
    clprim_runtime *runtime = NULL;
    cl_command_buffer_khr commands = NULL;
    cl_int code = CL_SUCCESS;
    clprim_status status = CLPRIM_SUCCESS;
    TRY(clprim_runtime_create(&runtime, NULL));
    if (!clprim_runtime_info(runtime)->has_command_buffers) {
        printf("the device has no command buffers\n");
        goto done;
    }
    find(&cl.create, runtime, "clCreateCommandBufferKHR");
    find(&cl.finalize, runtime, "clFinalizeCommandBufferKHR");
    find(&cl.enqueue, runtime, "clEnqueueCommandBufferKHR");
    find(&cl.release, runtime, "clReleaseCommandBufferKHR");
    TRY(make_steps(&s, runtime));
    cl_command_queue queue = clprim_runtime_queue(runtime);
    commands = cl.create(1, &queue, NULL, &code);
    TRY(code);
    TRY(record(&s, commands));
    TRY(cl.finalize(commands));
    TRY(replay(&s, queue, &cl, commands));
done:
    if (commands != NULL)
        (void)cl.release(commands);
    clprim_plan_destroy(s.select);
    clprim_plan_destroy(s.sort);
    clprim_plan_destroy(s.unique);
    const cl_mem buffers[] = {s.in, s.selected, s.distinct, s.numbers};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (buffers[i] != NULL)
            (void)clReleaseMemObject(buffers[i]);
    clprim_runtime_destroy(runtime);
    return status != CLPRIM_SUCCESS;
}

#else

int main(void)
{
    printf("these headers of OpenCL have no command buffers\n");
    return 0;
}

#endif

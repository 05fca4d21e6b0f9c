// SPDX-License-Identifier: MIT
/* existing_program.c: of the guide of that name: clPRIM between a program's own kernels, on its context, its queue and
 * its buffers, ordered by events. */
#include "guide.h"

enum { COUNT = 1000, HEADER = 24 };

static const char SOURCE[] = "__kernel void square(__global float *data, uint first)\n"
                             "{\n"
                             "    const size_t i = get_global_id(0);\n"
                             "    data[first + i] = (float)(i * i);\n"
                             "}\n";

/* What a program has that uses OpenCL already. */
typedef struct program {
    cl_context context;
    cl_command_queue queue;
    cl_kernel square;
    cl_mem data; /* HEADER floats that are none of clPRIM's business, then COUNT others */
    cl_mem sum;
} program;

static clprim_status open(program *self)
{
    const char *text = SOURCE;
    const cl_uint first = HEADER;
    cl_platform_id platform = NULL;
    cl_device_id device = NULL;
    cl_command_queue_properties properties = 0;
    cl_int code = CL_SUCCESS;
    clprim_status status = CLPRIM_SUCCESS;
    TRY(clGetPlatformIDs(1, &platform, NULL));
    TRY(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    TRY(clGetDeviceInfo(device, CL_DEVICE_QUEUE_PROPERTIES, sizeof properties, &properties, NULL));
    self->context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    TRY(code);
    self->queue =
        clCreateCommandQueue(self->context, device, properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    TRY(code);
    cl_program built = clCreateProgramWithSource(self->context, 1, &text, NULL, &code);
    TRY(code);
    code = clBuildProgram(built, 1, &device, "", NULL, NULL);
    if (code == CL_SUCCESS)
        self->square = clCreateKernel(built, "square", &code);
    (void)clReleaseProgram(built);
    TRY(code);
    self->data = clCreateBuffer(self->context, CL_MEM_READ_WRITE, (HEADER + COUNT) * sizeof(float), NULL, &code);
    TRY(code);
    self->sum = clCreateBuffer(self->context, CL_MEM_READ_WRITE, sizeof(float), NULL, &code);
    TRY(code);
    TRY(clSetKernelArg(self->square, 0, sizeof(cl_mem), &self->data));
    TRY(clSetKernelArg(self->square, 1, sizeof first, &first));
done:
    return status;
}

static clprim_status add_up(const program *mine, float *sum)
{
    const size_t count = COUNT;
    clprim_runtime *runtime = NULL;
    clprim_plan *plan = NULL;
    cl_event squared = NULL;
    cl_event added = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_runtime_desc shared = {.queue = mine->queue};
    TRY(clprim_runtime_create(&runtime, &shared));
    const clprim_reduce_desc add = {.type = CLPRIM_F32, .op = CLPRIM_SUM};
    TRY(clprim_reduce_create(&plan, runtime, &add));

    TRY(clEnqueueNDRangeKernel(mine->queue, mine->square, 1, NULL, &count, NULL, 0, NULL, &squared));
    TRY(clprim_reduce_enqueue(plan, mine->queue,
                              &(clprim_reduce_call){.in = {.buffer = mine->data, .offset = HEADER},
                                                    .count = COUNT,
                                                    .out = {.buffer = mine->sum}},
                              1, &squared, &added));
    TRY(clEnqueueReadBuffer(mine->queue, mine->sum, CL_TRUE, 0, sizeof *sum, sum, 1, &added, NULL));
done:
    if (squared != NULL)
        (void)clReleaseEvent(squared);
    if (added != NULL)
        (void)clReleaseEvent(added);
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
    return status;
}

/* The same runtime wherever the queue is handed to: the library keeps it. */
static clprim_status average(const program *mine, float *mean)
{
    clprim_runtime *runtime = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    TRY(clprim_runtime_of(&runtime, mine->queue));
    const clprim_reduce_desc add = {.type = CLPRIM_F32, .op = CLPRIM_SUM};
    TRY(clprim_reduce_run(
        runtime, &add,
        &(clprim_reduce_call){.in = {.buffer = mine->data, .offset = HEADER}, .count = COUNT, .out = {.host = mean}}));
    *mean /= COUNT;
done:
    clprim_runtime_destroy(runtime);
    return status;
}

int main(void)
{
    program mine = {0};
    float sum = 0;
    float mean = 0;
    clprim_status status = CLPRIM_SUCCESS;
    TRY(open(&mine));
    TRY(add_up(&mine, &sum));
    printf("sum of squares %g\n", (double)sum);
    EXPECT(sum > 332.8e6F && sum < 332.9e6F);
    TRY(average(&mine, &mean));
    printf("mean %g\n", (double)mean);
    EXPECT(mean > 332.8e3F && mean < 332.9e3F);
done:
    clprim_runtime_forget(mine.context);
    if (mine.sum != NULL)
        (void)clReleaseMemObject(mine.sum);
    if (mine.data != NULL)
        (void)clReleaseMemObject(mine.data);
    if (mine.square != NULL)
        (void)clReleaseKernel(mine.square);
    if (mine.queue != NULL)
        (void)clReleaseCommandQueue(mine.queue);
    if (mine.context != NULL)
        (void)clReleaseContext(mine.context);
    return status != CLPRIM_SUCCESS;
}

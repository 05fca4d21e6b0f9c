// SPDX-License-Identifier: MIT
/* kernels.c: kernels of one's own between clPRIM's calls. */
#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUND_TO = 64 }; /* a multiple of every usual size of work-groups */

/* Always CLPRIM_BUILD_FAILED. */
static clprim_status tell_log(cl_program code, cl_device_id device)
{
    size_t size = 0;
    char *log = NULL;
    if (clGetProgramBuildInfo(code, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) == CL_SUCCESS)
        log = calloc(1, size + 1);
    if (log != NULL && clGetProgramBuildInfo(code, device, CL_PROGRAM_BUILD_LOG, size, log, NULL) == CL_SUCCESS)
        (void)example_fail("the example's kernels do not compile:\n%s", log);
    free(log);
    return CLPRIM_BUILD_FAILED;
}

/* Build texts one after the other, and make the kernels. */
static clprim_status make(cl_kernel *out, const example *program, const char **texts, cl_uint num_texts,
                          const char *options, const char *const *names, size_t count)
{
    cl_device_id device = program->device->device;
    cl_int code = CL_SUCCESS;
    clprim_status status = CLPRIM_SUCCESS;
    cl_program built =
        clCreateProgramWithSource(clprim_runtime_context(program->runtime), num_texts, texts, NULL, &code);
    EXAMPLE_TRY(code);
    code = clBuildProgram(built, 1, &device, options, NULL, NULL);
    EXAMPLE_TRY(code == CL_BUILD_PROGRAM_FAILURE ? tell_log(built, device) : code);
    for (size_t i = 0; i < count; i++) {
        out[i] = clCreateKernel(built, names[i], &code);
        EXAMPLE_TRY(code);
    }
done:
    if (built != NULL)
        (void)clReleaseProgram(built); /* the kernels keep it */
    return status;
}

clprim_status kernels_make(cl_kernel *out, const example *program, const char *source, const char *const *names,
                           size_t count)
{
    return make(out, program, &source, 1, "", names, count);
}

clprim_status kernels_make_with(cl_kernel *out, const example *program, const char *const *headers, const char *options,
                                const char *source, const char *const *names, size_t count)
{
    enum { MOST_TEXTS = 8, SIZE = CLPRIM_DEVICE_OPTIONS_SIZE + 256 };
    const char *texts[MOST_TEXTS];
    cl_uint num_texts = 0;
    char all_options[SIZE];
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_device_options(all_options, CLPRIM_DEVICE_OPTIONS_SIZE, program->device->device));
    const size_t length = strlen(all_options);
    if (snprintf(all_options + length, SIZE - length, " %s", options) >= (int)(SIZE - length))
        EXAMPLE_TRY(example_fail("too long: %s", options));
    for (; headers[num_texts] != NULL; num_texts++) {
        texts[num_texts] = num_texts + 1 < MOST_TEXTS ? clprim_device_source(headers[num_texts]) : NULL;
        if (texts[num_texts] == NULL)
            EXAMPLE_TRY(example_fail("there is no %s, or there are too many headers", headers[num_texts]));
    }
    texts[num_texts++] = source;
    EXAMPLE_TRY(make(out, program, texts, num_texts, all_options, names, count));
done:
    return status;
}

void kernels_release(cl_kernel *kernels, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (kernels[i] != NULL)
            (void)clReleaseKernel(kernels[i]); /* only fails for what is not a kernel */
        kernels[i] = NULL;
    }
}

clprim_status kernels_set(cl_kernel kernel, const kernels_argument *arguments, size_t count)
{
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < count; i++)
        EXAMPLE_TRY(clSetKernelArg(kernel, (cl_uint)i, arguments[i].size, arguments[i].value));
done:
    return status;
}

static clprim_status launch(const example *program, cl_kernel kernel, cl_uint dimensions, size_t width, size_t height)
{
    const size_t size[] = {(width + ROUND_TO - 1) / ROUND_TO * ROUND_TO, height};
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clEnqueueNDRangeKernel(program->queue, kernel, dimensions, NULL, size, NULL, 0, NULL, NULL));
done:
    return status;
}

clprim_status kernels_launch(const example *program, cl_kernel kernel, size_t work_items)
{
    return launch(program, kernel, 1, work_items, 1);
}

clprim_status kernels_launch_2d(const example *program, cl_kernel kernel, size_t width, size_t height)
{
    return launch(program, kernel, 2, width, height);
}

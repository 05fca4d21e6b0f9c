// SPDX-License-Identifier: MIT
/* type_size.c: explain that the size of a caller's type differs between host and device. */
#include "type_size.h"

#include <stdlib.h>
#include <string.h>

/* The prelude declares an array for each of the caller's types, named by this text and the type. The array's length is
 * negative if the sizes differ. */
static const char COMPLAINT[] = "type_size_differs_from_the_host_";
static const char DECLARATION[] = "typedef char ";
static const char SIZE[] = "[sizeof(";
static const char COMPARED[] = ") == ";
static const char IDENTIFIER[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

/* The declaration in the source that the log complains about; NULL: none. */
static const char *declaration_of(const char *source, const char *log)
{
    const char *name = strstr(log, COMPLAINT);
    const size_t length = name != NULL ? strspn(name, IDENTIFIER) : 0;
    for (const char *at = source; name != NULL && (at = strstr(at, DECLARATION)) != NULL; at++) {
        const char *own = at + sizeof DECLARATION - 1;
        if (strncmp(own, name, length) == 0 && strncmp(own + length, SIZE, sizeof SIZE - 1) == 0)
            return at;
    }
    return NULL;
}

/* The type's size on the device: a kernel requires it as its group size, which can be queried after compilation. 0 if
 * anything fails. */
static size_t size_on_device(cl_context context, cl_device_id device, const char *source, const char *options)
{
    cl_int code = CL_SUCCESS;
    size_t group[3] = {0};
    cl_kernel kernel = NULL;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    if (code == CL_SUCCESS && clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS)
        kernel = clCreateKernel(program, "clprim_size_of_type", &code);
    if (kernel != NULL && clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof group,
                                                   group, NULL) != CL_SUCCESS)
        group[0] = 0;
    if (kernel != NULL)
        (void)clReleaseKernel(kernel);
    if (program != NULL)
        (void)clReleaseProgram(program);
    return group[0];
}

void clprim__type_size_explain(clprim__text *out, cl_context context, cl_device_id device, const char *log,
                               const char *source, const char *options)
{
    const char *declaration = declaration_of(source, log);
    const char *type = declaration != NULL ? strstr(declaration, SIZE) + sizeof SIZE - 1 : NULL;
    const char *end = type != NULL ? strstr(type, COMPARED) : NULL;
    if (end == NULL)
        return;
    const char *host = end + sizeof COMPARED - 1;
    clprim__text probe = {0};
    clprim__text_append(&probe, source, (size_t)(declaration - source));
    clprim__text_format(&probe,
                        "\n__kernel __attribute__((reqd_work_group_size(sizeof(%.*s), 1, 1)))\n"
                        "void clprim_size_of_type(__global uint *out)\n{\n    *out = 0;\n}\n",
                        (int)(end - type), type);
    const size_t size = probe.failed ? 0 : size_on_device(context, device, probe.data, options);
    clprim__text_free(&probe);
    clprim__text_format(out, "type_size is %.*s bytes, the type's size on the host, but the type has ",
                        (int)strspn(host, "0123456789"), host);
    if (size != 0)
        clprim__text_format(out, "%zu bytes on the device\n", size);
    else
        clprim__text_format(out, "another size on the device\n");
}

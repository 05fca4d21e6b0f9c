/* device.c: the device, and its memory. */
#include <unistd.h>

#include "cli.h"

/* Indices on the device count in 32 bits. */
static const size_t MOST_ELEMENTS = (size_t)1 << 31;

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* A part of what there is, for others are there too: half of a GPU's memory, an eighth of the host's. */
static size_t usual_memory(const clprim_device_info *info)
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page = sysconf(_SC_PAGESIZE);
    const size_t host = pages > 0 && page > 0 ? (size_t)pages * (size_t)page : (size_t)1 << 30;
    const bool is_shared = info->kind == CLPRIM_DEVICE_CPU || info->is_unified_memory;
    return smaller(info->global_memory_size / (is_shared ? 8 : 2), host / (is_shared ? 8 : 4));
}

cli_result cli_device_open(cli_device *out, const cli_options *options)
{
    const clprim_runtime_desc desc = {.select = options->device};
    cli_result result = CLI_OK;
    cli_device self = {.options = options};
    CLI_CALL(clprim_runtime_create(&self.runtime, &desc));
    self.queue = clprim_runtime_queue(self.runtime);
    self.memory = options->memory != 0 ? options->memory : usual_memory(clprim_runtime_info(self.runtime));
    *out = self;
done:
    return result;
}

void cli_device_close(cli_device *self)
{
    if (self->runtime != NULL)
        cli_report_runtime(self->options, self->runtime);
    clprim_runtime_destroy(self->runtime);
    *self = (cli_device){0};
}

size_t cli_device_chunk(const cli_device *self, size_t bytes, size_t widest)
{
    const size_t by_memory = self->memory / bytes;
    const size_t by_buffer = clprim_runtime_info(self->runtime)->max_allocation_size / widest;
    const size_t count = smaller(smaller(by_memory, by_buffer), MOST_ELEMENTS);
    return count > 0 ? count : 1;
}

cli_result cli_device_reserve(cl_mem *buffer, size_t *capacity, const cli_device *self, size_t bytes)
{
    cl_int code = CL_SUCCESS;
    if (*buffer != NULL && *capacity >= bytes)
        return CLI_OK;
    cli_device_release(*buffer);
    *buffer =
        clCreateBuffer(clprim_runtime_context(self->runtime), CL_MEM_READ_WRITE, bytes > 0 ? bytes : 1, NULL, &code);
    *capacity = *buffer != NULL ? bytes : 0;
    return code == CL_SUCCESS ? CLI_OK : cli_device_failed("clCreateBuffer", (clprim_status)code);
}

void cli_device_release(cl_mem buffer)
{
    if (buffer != NULL)
        (void)clReleaseMemObject(buffer);
}

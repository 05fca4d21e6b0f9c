// SPDX-License-Identifier: MIT
/* device.c: the device, and its memory. */
#include <stdio.h>
#include <stdlib.h>

#include "ranks.h"
#include "suggest.h"
#include "system.h"

/* Indices on the device have 32 bits. */
static const size_t MOST_ELEMENTS = (size_t)1 << 31;

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The default memory limit. Others also use the device and the host, so it is only a part: half of a GPU's memory, an
 * eighth of the host's. The ranks of a host share its memory, and `sharers` of them share a device. */
static size_t usual_memory(const clprim_device_info *info, size_t sharers)
{
    const size_t whole = system_memory();
    const size_t host = (whole > 0 ? whole : (size_t)1 << 30) / ranks_size_on_host();
    const bool is_shared = info->kind == CLPRIM_DEVICE_CPU || info->is_unified_memory;
    return smaller(info->global_memory_size / sharers / (is_shared ? 8 : 2), host / (is_shared ? 8 : 4));
}

/* Assign the ranks of a host round-robin to its devices of the preferred device's kind and platform. *index is this
 * rank's device; *sharers is the largest number of ranks per device. */
static cli_result find_turn(size_t *index, size_t *sharers, const clprim_device_info *preferred)
{
    size_t count = 0;
    size_t there = 0;
    size_t alike = 0;
    cli_result result = CLI_OK;
    clprim_device_info *devices = NULL;
    CLI_CALL(clprim_runtime_devices(NULL, 0, &count));
    devices = calloc(count + 1, sizeof *devices);
    if (devices == NULL)
        return cli_refuse(NULL, "out of memory");
    CLI_CALL(clprim_runtime_devices(devices, count, &there));
    for (size_t i = 0; i < smaller(count, there); i++)
        if (devices[i].kind == preferred->kind && devices[i].platform == preferred->platform)
            devices[alike++] = devices[i];
    *index = alike > 0 ? devices[ranks_rank_on_host() % alike].index : preferred->index;
    *sharers = alike > 0 ? (ranks_size_on_host() + alike - 1) / alike : ranks_size_on_host();
done:
    free(devices);
    return result;
}

static cli_result take_turn(cli_device *self, size_t *sharers)
{
    const clprim_device_info *preferred = clprim_runtime_info(self->runtime);
    size_t index = 0;
    char select[24];
    cli_result result = CLI_OK;
    CLI_TRY(find_turn(&index, sharers, preferred));
    if (index == preferred->index)
        return CLI_OK;
    (void)snprintf(select, sizeof select, "%zu", index);
    clprim_runtime_destroy(self->runtime);
    self->runtime = NULL;
    CLI_CALL(clprim_runtime_create(&self->runtime, &(clprim_runtime_desc){.select = select}));
done:
    return result;
}

cli_result cli_device_runtime(clprim_runtime **out, const cli_options *options)
{
    static const char *const kinds[] = {"gpu", "cpu", "accelerator"};
    char meant[SUGGEST_SIZE];
    const clprim_status status = clprim_runtime_create(out, &(clprim_runtime_desc){.select = options->device});
    if (status == CLPRIM_SUCCESS)
        return CLI_OK;
    if (status != CLPRIM_NO_DEVICE || options->device == NULL)
        return cli_device_failed("clprim_runtime_create", status);
    suggest like = suggest_for(options->device);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        suggest_add(&like, kinds[i]);
    return cli_fail("device", "%s%s", clprim_last_error(), suggest_text(meant, &like, "", ""));
}

static cli_result open_device(cli_device *out, const cli_options *options)
{
    const char *variable = getenv("CLPRIM_DEVICE");
    const bool is_given = options->device != NULL || (variable != NULL && variable[0] != '\0');
    size_t sharers = ranks_size_on_host();
    cli_result result = CLI_OK;
    CLI_TRY(cli_device_runtime(&out->runtime, options));
    if (ranks_size() > 1 && !is_given)
        CLI_TRY(take_turn(out, &sharers));
    out->queue = clprim_runtime_queue(out->runtime);
    out->memory = options->memory != 0 ? options->memory : usual_memory(clprim_runtime_info(out->runtime), sharers);
done:
    return result;
}

cli_result cli_device_open(cli_device *out, const cli_options *options)
{
    *out = (cli_device){.options = options};
    return ranks_agree(open_device(out, options));
}

void cli_device_close(cli_device *self)
{
    if (self->runtime != NULL)
        cli_report_runtime(self->options, self->runtime);
    clprim_runtime_destroy(self->runtime);
    *self = (cli_device){0};
}

size_t cli_device_piece(const cli_device *self, size_t bytes, size_t widest)
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

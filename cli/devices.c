// SPDX-License-Identifier: MIT
/* devices.c: `clprim devices`. */
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "json.h"

static const char *kind_name(clprim_device_kind kind)
{
    static const char *const names[] = {"other", "CPU", "GPU", "accelerator"};
    return names[kind];
}

static void print_text(const clprim_device_info *device, bool is_chosen)
{
    printf("%s%zu  %s (%s, %u compute units, %.1f GiB; %s, driver %s)\n", is_chosen ? "-> " : "   ", device->index,
           device->name, kind_name(device->kind), device->compute_units,
           (double)device->global_memory_size / (double)(1 << 30), device->platform_name, device->driver_version);
}

static void print_json(const clprim_device_info *device, bool is_chosen)
{
    json object;
    json_begin(&object);
    json_member_count(&object, "index", device->index);
    json_member_text(&object, "name", device->name);
    json_member_text(&object, "kind", kind_name(device->kind));
    json_member_text(&object, "platform", device->platform_name);
    json_member_text(&object, "driver", device->driver_version);
    json_member_count(&object, "compute_units", device->compute_units);
    json_member_count(&object, "memory", device->global_memory_size);
    json_member_count(&object, "max_allocation", device->max_allocation_size);
    json_member_bool(&object, "fp64", device->has_fp64);
    json_member_bool(&object, "chosen", is_chosen);
    printf("}");
}

cli_result cli_devices(const cli_options *options)
{
    clprim_device_info *devices = NULL;
    clprim_runtime *runtime = NULL;
    size_t count = 0;
    cli_result result = CLI_OK;
    CLI_CALL(clprim_runtime_devices(NULL, 0, &count));
    if (count == 0) {
        result = cli_fail("device", "there is no OpenCL device here; on any CPU PoCL is one");
        goto done;
    }
    devices = calloc(count, sizeof *devices);
    if (devices == NULL) {
        result = cli_fail("device", "out of memory");
        goto done;
    }
    CLI_CALL(clprim_runtime_devices(devices, count, &count));
    CLI_TRY(cli_device_runtime(&runtime, options));
    const size_t chosen = clprim_runtime_info(runtime)->index;
    if (options->json)
        printf("{\"command\": \"devices\", \"devices\": [");
    for (size_t i = 0; i < count; i++) {
        if (options->json)
            printf("%s", i > 0 ? ", " : "");
        (options->json ? print_json : print_text)(&devices[i], devices[i].index == chosen);
    }
    if (options->json)
        printf("]}\n");
done:
    if (runtime != NULL)
        cli_report_runtime(options, runtime);
    clprim_runtime_destroy(runtime);
    free(devices);
    return result;
}

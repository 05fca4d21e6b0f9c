// SPDX-License-Identifier: MIT
/* device.c: the device of a rank. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>

bool device_runtime(clprim_runtime **out, unsigned place)
{
    clprim_device_info devices[32];
    const size_t capacity = sizeof devices / sizeof *devices;
    size_t count = 0, num_gpus = 0;
    char index[32];
    clprim_runtime_desc desc = {0};
    if (clprim_runtime_devices(devices, capacity, &count) != CLPRIM_SUCCESS)
        return false;
    for (size_t i = 0; i < count && i < capacity; i++)
        if (devices[i].kind == CLPRIM_DEVICE_GPU)
            devices[num_gpus++] = devices[i];
    if (num_gpus > 0 && getenv("CLPRIM_DEVICE") == NULL) {
        (void)snprintf(index, sizeof index, "%zu", devices[place % num_gpus].index);
        desc.select = index;
    }
    return clprim_runtime_create(out, &desc) == CLPRIM_SUCCESS;
}
